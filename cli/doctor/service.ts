import { once } from 'node:events';
import { connect } from 'node:net';
import { runningServices } from '../faults.ts';
import { httpUrl, servedUrl } from '../place.ts';
import { error, type Finding, ok, warning } from './check.ts';
import type { Installation } from './installation.ts';

const TIMEOUT_MS = 5000;

/** Whether a service answers, or its address is free. */
export async function* findService({ out, host, port }: Installation): AsyncIterable<Finding> {
  const [service] = runningServices(out);
  const url = servedUrl(out);
  if (service === undefined || url === null) {
    yield port === 0 ? NO_SERVICE : await examineAddress(host, port);
    return;
  }
  const response = await ask(`${url}/readyz`);
  const subject = `The service on ${url} (process ${service})`;
  if (response === null) yield error(`${subject} does not answer.`, 'Look at its log, and restart it.');
  else if (response.ok) yield ok(`process ${service} serves on ${url}`);
  else
    yield error(
      `${subject} is not ready: it answers /readyz with ${response.status}.`,
      'Look at its log: it says what it cannot read or count.',
    );
}

const NO_SERVICE = ok('no service runs on this output');

/** The address of a service that the output does not know of. */
async function examineAddress(host: string, port: number): Promise<Finding> {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  if (!(await isTaken(reached, port))) return NO_SERVICE;
  const address = `Port ${port} on ${host}`;
  const remedy = 'Choose another with --port or PORT.';
  return (await isOffprint(httpUrl(reached, port)))
    ? warning(
        `${address} is taken by a service of Offprint, which this output does not know of.`,
        `If the output was deleted while the service runs, ask again in 10 seconds. If the service has another output: ${remedy}`,
      )
    : warning(`${address} is taken by another program.`, remedy);
}

/** Connects instead of listening, so that a service can start on the address meanwhile. */
async function isTaken(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Whether a service of Offprint answers, ready or not. */
async function isOffprint(url: string): Promise<boolean> {
  const response = await ask(`${url}/healthz`);
  const body = await response?.text().catch(() => '');
  return body?.includes('"status":"live"') ?? false;
}

/** Null: no answer. */
function ask(url: string): Promise<Response | null> {
  return fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
}
