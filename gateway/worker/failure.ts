import { exports, waitUntil, WorkerEntrypoint } from 'cloudflare:workers';
import { isText, parseJson, recordOf } from '../../contract/json.ts';

const isFailure = recordOf<Pick<Error, 'name' | 'message'>>({ name: isText, message: isText });

/**
 * Fails, and does nothing else. A client always gets a proper answer, so the invocation that answers it is a success to
 * the platform, whatever its status. A request to this entry point is an invocation of the same Worker that ends with
 * an exception: it is in the metrics of errors, and alerts and `wrangler tail --status error` see it. (Neither a failed
 * `waitUntil` nor a failed RPC is, as workerd shows.) No request from outside gets here.
 */
export class Failure extends WorkerEntrypoint {
  /** @throws the error that the request tells of, always */
  override async fetch(request: Request): Promise<never> {
    const { name, message } = parseJson(await request.text(), isFailure, 'a failure');
    throw Object.assign(new Error(message), { name });
  }
}

/**
 * Tells the operator: into the Worker's log with the cause, and to the platform as an invocation that failed. Errors name
 * objects and bindings; no key, no address.
 */
export function reportFailure(error: unknown): void {
  console.error(error);
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const told = exports.Failure.fetch('http://failure/', {
    method: 'POST',
    body: JSON.stringify({ name, message }),
  });
  waitUntil(told.catch(() => undefined)); // What is thrown there comes back here, as it should.
}
