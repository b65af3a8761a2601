/**
 * An output folder that nobody else serves from. It is looked at before anything is written, so that a service that
 * cannot run leaves no trace; and where it is served is noted, for others that would.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ExplainedError } from '../common/errors.ts';
import { listen, quotaPath } from '../gateway/node/place.ts';
import { serve, type ServedGateway, type ServeOptions } from '../gateway/node/serve.ts';
import { QuotaInUse, SqliteQuotaCounter } from '../gateway/node/sqlite-quota-counter.ts';

/** Another service serves from the folder. */
export class AlreadyServing extends ExplainedError {
  constructor(out: string, url: string) {
    super(
      `Offprint is already serving from ${out}, on ${url}. Stop it first, or choose another folder with --out.`,
    );
  }
}

/**
 * Looks at the place of a service that will publish before it serves. Writes nothing.
 *
 * @throws AlreadyServing, QuotaInUse, QuotaUnusable, CannotListen
 */
export async function checkPlace(out: string, host: string, port: number): Promise<void> {
  if (existsSync(quotaPath(out))) {
    await naming(out, () => new SqliteQuotaCounter(quotaPath(out), Date.now).close());
  }
  if (port === 0) return;
  const probe = createServer();
  await listen(probe, host, port);
  await new Promise((resolve) => probe.close(resolve));
}

/**
 * Serves, and notes where for as long as it does.
 *
 * @throws AlreadyServing, and what `serve` throws
 */
export async function serveNoted(options: ServeOptions): Promise<ServedGateway> {
  const gateway = await naming(options.out, () => serve(options));
  const path = notePath(options.out);
  try {
    writeFileSync(path, JSON.stringify(gateway.url), { mode: 0o600 });
  } catch {
    // The disk is full, say. Others hear then that the folder is in use, but not where.
  }
  return {
    ...gateway,
    async close() {
      await gateway.close();
      rmSync(path, { force: true });
    },
  };
}

/** Where the folder is in use, says by whom, if that is noted. */
async function naming<T>(out: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const url = error instanceof QuotaInUse ? readUrl(out) : null;
    throw url === null ? error : new AlreadyServing(out, url);
  }
}

function notePath(out: string): string {
  return join(out, 'state', 'serving.json');
}

function readUrl(out: string): string | null {
  try {
    const noted: unknown = JSON.parse(readFileSync(notePath(out), 'utf8'));
    return typeof noted === 'string' ? noted : null;
  } catch {
    return null;
  }
}
