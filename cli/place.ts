/**
 * The place of a service: a published output folder that no other process serves, and a free address. Both are checked
 * before any write, so that a service that cannot run leaves no trace.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { ExplainedError, NothingPublished } from '../common/errors.ts';
import { codeOf } from '../common/thrown.ts';
import { POINTER_PATH } from '../contract/pointer.ts';
import { quotaPath } from '../gateway/node/one-machine.ts';
import { QuotaInUse, SqliteQuotaCounter } from '../gateway/node/sqlite-quota-counter.ts';
import { runningServices } from './faults.ts';

/**
 * Checks the place of a service that builds before it serves. Writes nothing.
 *
 * @param out null: other services may serve from the output too
 * @throws QuotaInUse, QuotaUnusable, ExplainedError
 */
export async function checkPlace(out: string | null, host: string, port: number): Promise<void> {
  if (out !== null && existsSync(quotaPath(out))) {
    await namingService(out, () => new SqliteQuotaCounter(quotaPath(out), Date.now).close());
  }
  if (port === 0 || hasSocket()) return;
  const probe = createServer();
  await listen(probe, host, port);
  await new Promise((resolve) => probe.close(resolve));
}

/** @throws NothingPublished */
export function checkPublished(out: string): void {
  if (!existsSync(join(out, POINTER_PATH))) throw new NothingPublished(out);
}

/** Whether the service manager passes a listening socket, as systemd does: then it outlives the process. */
function hasSocket(): boolean {
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  return LISTEN_PID === String(process.pid) && Number(LISTEN_FDS) > 0;
}

/** The file descriptor of the first passed socket (sd_listen_fds). */
const PASSED_SOCKET = 3;

/**
 * Listens on the address; for requests, on the socket of the service manager, if there is one.
 *
 * @param option the option to choose another address
 * @throws ExplainedError
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  option: '--port' | '--admin' = '--port',
): Promise<void> {
  if (option === '--port' && hasSocket()) server.listen({ fd: PASSED_SOCKET });
  else server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    throw new ExplainedError(
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is in use. Choose another with ${option}.`
        : `Cannot listen on ${host}, port ${port} (${code}). Choose another with ${option === '--port' ? '--host and --port' : option}.`,
    );
  }
}

/** The URL of a server that listens on a host. */
export function serverUrl(server: Server, host: string): string {
  return httpUrl(host, (server.address() as AddressInfo).port);
}

/** `http://127.0.0.1:8787` */
export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Runs work; if the folder is in use, names the running service. @throws ExplainedError, and errors of the work */
export async function namingService<T>(out: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const [service] = error instanceof QuotaInUse ? runningServices(out) : [];
    if (service === undefined) throw error;
    throw new ExplainedError(
      `Offprint is already serving from ${out}, on ${service.url}. Stop it first, or choose another folder with --out.`,
    );
  }
}
