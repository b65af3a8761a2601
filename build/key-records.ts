import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { keyPath } from '../contract/key-record.ts';
import type { StoredKey } from '../data/accounts/keys.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../data/private-files.ts';
import { ensureFolder, ensureStateFolder, guardingOutput, replacePrivateFile } from './output-files.ts';

/** How long one waits for another who changes keys. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Brings `out/keys` in line with the database's keys: the gateway reads these files and no database.
 * Only what differs is written; the record of a key that is gone from the database is removed.
 *
 * @param readKeys is called under a lock, so that whoever writes last has read last
 * @throws OutputUnwritable
 */
export function writeKeyRecords(out: string, readKeys: () => readonly StoredKey[]): void {
  const folder = join(out, 'keys');
  const lockPath = join(out, 'state', 'keys.lock');
  guardingOutput(folder, () => {
    ensureFolder(out);
    ensurePrivateFolder(folder);
    ensureStateFolder(out);
    ensurePrivateFile(lockPath);
  });
  const lock = new Database(lockPath, { timeout: LOCK_TIMEOUT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    const keys = readKeys();
    const paths = new Set(keys.map(({ sha256 }) => join(out, keyPath(sha256))));
    for (const file of readdirSync(folder)) {
      if (!paths.has(join(folder, file))) guardingOutput(folder, () => rmSync(join(folder, file)));
    }
    for (const { sha256, record } of keys) {
      const path = join(out, keyPath(sha256));
      const text = `${JSON.stringify(record, null, 2)}\n`;
      if (contentOf(path) !== text) replacePrivateFile(path, text);
    }
  } finally {
    lock.close();
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
