import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyPath } from '../contract/key-record.ts';
import type { StoredKey } from '../data/accounts/keys.ts';
import { ensureFolder, guardingOutput, replaceFile } from './object-writer.ts';

/**
 * Brings `out/keys` in line with the database's keys: the gateway reads these files and no database.
 * Only what differs is written; the record of a key that is gone from the database is removed.
 *
 * @throws OutputUnwritable
 */
export function writeKeyRecords(out: string, keys: readonly StoredKey[]): void {
  const folder = join(out, 'keys');
  guardingOutput(folder, () => {
    ensureFolder(folder);
    chmodSync(folder, 0o700);
  });
  const paths = new Set(keys.map(({ sha256 }) => join(out, keyPath(sha256))));
  for (const file of readdirSync(folder)) {
    if (!paths.has(join(folder, file))) guardingOutput(folder, () => rmSync(join(folder, file)));
  }
  for (const { sha256, record } of keys) {
    const path = join(out, keyPath(sha256));
    const text = `${JSON.stringify(record, null, 2)}\n`;
    if (contentOf(path) !== text) replaceFile(path, text);
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
