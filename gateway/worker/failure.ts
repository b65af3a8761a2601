import { exports, waitUntil, WorkerEntrypoint } from 'cloudflare:workers';
import { isText, parseJson, recordOf } from '../../contract/json.ts';

const isFailure = recordOf<Pick<Error, 'name' | 'message'>>({ name: isText, message: isText });

/**
 * Always throws. Clients always get a response, so to the platform every invocation is a success, even with a 500. A call of
 * this entry point is an invocation that ends with an exception: error metrics, alerts and `wrangler tail --status error`
 * include it. (In workerd, neither a failed `waitUntil` nor a failed RPC does.) It cannot be reached from outside.
 */
export class Failure extends WorkerEntrypoint {
  /** @throws always, the error in the request */
  override async fetch(request: Request): Promise<never> {
    const { name, message } = parseJson(await request.text(), isFailure, 'a failure');
    throw Object.assign(new Error(message), { name });
  }
}

/**
 * Reports an error: in the Worker's log, and to the platform as a failed invocation. Errors name objects and bindings, never
 * keys or addresses.
 */
export function reportFailure(error: unknown): void {
  console.error(error);
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const told = exports.Failure.fetch('http://failure/', {
    method: 'POST',
    body: JSON.stringify({ name, message }),
  });
  waitUntil(told.catch(() => undefined)); // The call always rejects.
}
