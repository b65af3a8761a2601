import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { keyPath } from '../../contract/key-record.ts';
import type { StoredKey } from './keys.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../../common/private-files.ts';
import { KeysOfOther } from '../errors.ts';
import {
  ensureFolder,
  ensureStateFolder,
  guardingOutput,
  replacePrivateFile,
} from '../../common/output-files.ts';

/** The file name of a key's record. */
const KEY_RECORD = /^[0-9a-f]{64}\.json$/;

/** How long to wait for another process that changes keys. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Updates `out/keys` from the database's keys: the gateway reads these files and no database. Only differences are
 * written; records of keys that the database no longer has are removed.
 *
 * @param readKeys is called under a lock, so that the last writer has the latest keys
 * @throws OutputUnwritable, KeysOfOther
 */
export function writeKeyFiles(out: string, readKeys: () => readonly StoredKey[]): void {
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
    checkKeyFiles(out, keys);
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

/**
 * Refuses keys that would replace all keys of the output: they come from another database. Revoked keys stay in their
 * database, so the right one knows at least one key of the output.
 *
 * @param keys of the database; empty if there is no database
 * @throws KeysOfOther
 */
export function checkKeyFiles(out: string, keys: readonly StoredKey[]): void {
  const folder = join(out, 'keys');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const records = files.filter((file) => KEY_RECORD.test(file));
  const known = new Set(keys.map(({ sha256 }) => basename(keyPath(sha256))));
  if (records.length > 0 && !records.some((file) => known.has(file)))
    throw new KeysOfOther(out, records.length);
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
