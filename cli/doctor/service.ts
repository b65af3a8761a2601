import { once } from 'node:events';
import { connect } from 'node:net';
import { runningServices } from '../faults.ts';
import { servedUrl } from '../place.ts';
import { error, type Finding, ok, warning } from './finding.ts';
import type { Installation } from './installation.ts';

const TIMEOUT_MS = 5000;

/** Whether a service answers, or its address is free. */
export async function checkService({ out, host, port }: Installation): Promise<Finding[]> {
  const [service] = runningServices(out);
  const url = servedUrl(out);
  if (service === undefined || url === null) {
    const address = `Port ${port} on ${host}`;
    return [
      port !== 0 && (await isTaken(host, port))
        ? warning(`${address} is taken by another program.`, 'Choose another with --port or PORT.')
        : ok('no service runs on this output'),
    ];
  }
  try {
    const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (status === 200) return [ok(`process ${service} serves on ${url}`)];
    return [
      error(
        `The service on ${url} (process ${service}) is not ready: it answers /readyz with ${status}.`,
        'Look at its log: it says what it cannot read or count.',
      ),
    ];
  } catch {
    return [
      error(
        `The service on ${url} (process ${service}) does not answer.`,
        'Look at its log, and restart it.',
      ),
    ];
  }
}

/** Connects instead of listening, so that a service can start on the address meanwhile. */
async function isTaken(host: string, port: number): Promise<boolean> {
  const socket = connect({ host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
