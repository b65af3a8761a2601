/**
 * The place of a service: an output folder that nobody else serves from, and an address that is free. Both are
 * looked at before anything is written, so that a service that cannot run leaves no trace.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { codeOf, ExplainedError, NothingPublished } from '../../common/errors.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { QuotaInUse, SqliteQuotaCounter } from './sqlite-quota-counter.ts';

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

/** Another service serves from the folder. */
export class AlreadyServing extends ExplainedError {
  constructor(out: string, url: string) {
    super(
      `Offprint is already serving from ${out}, on ${url}. Stop it first, or choose another folder with --out.`,
    );
  }
}

/** The database of counts in an output folder. */
export function quotaPath(out: string): string {
  return join(out, 'state', 'quota.db');
}

/**
 * Looks at the place of a service that will publish before it serves. Writes nothing.
 *
 * @throws AlreadyServing, QuotaInUse, QuotaUnusable, CannotListen
 */
export async function checkPlace(out: string, host: string, port: number): Promise<void> {
  if (existsSync(quotaPath(out))) lockCounts(out).close();
  if (port === 0) return;
  const probe = createServer();
  await listen(probe, host, port);
  await new Promise((resolve) => probe.close(resolve));
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

/**
 * The counts of an output folder, which hold it for this process.
 *
 * @throws NothingPublished, AlreadyServing, QuotaInUse, QuotaUnusable
 */
export function openCounts(out: string): SqliteQuotaCounter {
  checkPublished(out);
  return lockCounts(out);
}

/** @throws NothingPublished */
export function checkPublished(out: string): void {
  if (!existsSync(join(out, POINTER_PATH))) throw new NothingPublished(out);
}

function lockCounts(out: string): SqliteQuotaCounter {
  try {
    return new SqliteQuotaCounter(quotaPath(out), Date.now);
  } catch (error) {
    const url = error instanceof QuotaInUse ? readUrl(out) : null;
    throw url === null ? error : new AlreadyServing(out, url);
  }
}

/**
 * Notes where a folder is served, for others that would serve from it.
 *
 * @returns takes the note away
 */
export function noteServing(out: string, url: string): () => void {
  const path = urlPath(out);
  try {
    writeFileSync(path, JSON.stringify(url), { mode: 0o600 });
  } catch {
    // The disk is full, say. Others hear then that the folder is in use, but not where.
  }
  return () => rmSync(path, { force: true });
}

function urlPath(out: string): string {
  return join(out, 'state', 'serving.json');
}

function readUrl(out: string): string | null {
  try {
    const noted: unknown = JSON.parse(readFileSync(urlPath(out), 'utf8'));
    return typeof noted === 'string' ? noted : null;
  } catch {
    return null;
  }
}
