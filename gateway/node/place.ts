/** The place of a service: an output folder with something published in it, and an address that is free. */
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { codeOf, ExplainedError, NothingPublished } from '../../common/errors.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';

/** The address cannot be listened on. */
export class CannotListen extends ExplainedError {
  constructor(host: string, port: number, code: string) {
    super(
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is taken by another program. Choose another with --port.`
        : `Cannot listen on ${host}, port ${port} (${code}). Choose another with --host and --port.`,
    );
  }
}

/** @throws CannotListen */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new CannotListen(host, port, codeOf(error) ?? String(error));
  }
}

/** The database of counts in an output folder. */
export function quotaPath(out: string): string {
  return join(out, 'state', 'quota.db');
}

/** @throws NothingPublished */
export function checkPublished(out: string): void {
  if (!existsSync(join(out, POINTER_PATH))) throw new NothingPublished(out);
}
