import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { type KeyRecord, keyPath, parseKeyRecord } from '../../contract/key-record.ts';
import type { StoredKey } from './keys.ts';
import { OutputUnwritable } from '../../common/errors.ts';
import { denial } from '../../common/permissions.ts';
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
  if (denial(lockPath, 'write') !== null) throw new OutputUnwritable(lockPath, 'EACCES'); // SQLite would not say why.
  const lock = new Database(lockPath, { timeout: LOCK_TIMEOUT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    const keys = readKeys();
    checkKeyFiles(out, () => keys);
    const { unknown, outdated } = compareKeyFiles(out, keys);
    for (const path of unknown) guardingOutput(folder, () => rmSync(path));
    for (const { path, text } of outdated) replacePrivateFile(path, text);
  } finally {
    lock.close();
  }
}

/** How the files of `out/keys` differ from the database's keys. */
export interface KeyFileDifferences {
  /** Paths of files without a key. */
  readonly unknown: readonly string[];
  /** Files that are missing or say something else, and what they must say. */
  readonly outdated: readonly { readonly path: string; readonly text: string; readonly key: StoredKey }[];
}

/** Compares the files of keys with the database's keys. @throws Error of the file system */
export function compareKeyFiles(out: string, keys: readonly StoredKey[]): KeyFileDifferences {
  const folder = join(out, 'keys');
  const files = existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)) : [];
  const written = keys.map((key) => ({
    key,
    path: join(out, keyPath(key.sha256)),
    text: `${JSON.stringify(key.record, null, 2)}\n`,
  }));
  const paths = new Set(written.map(({ path }) => path));
  return {
    unknown: files.filter((path) => !paths.has(path)),
    outdated: written.filter(({ path, text }) => contentOf(path) !== text),
  };
}

/**
 * Refuses keys that would replace all keys of the output: they come from another database. Revoked keys stay in their
 * database, so the right one knows at least one key of the output.
 *
 * @param readKeys of the database; empty if there is no database. Called after the files were listed: another process
 * stores a key first, and then writes its file
 * @throws KeysOfOther
 */
export function checkKeyFiles(out: string, readKeys: () => readonly StoredKey[]): void {
  const folder = join(out, 'keys');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const records = files.filter((file) => KEY_RECORD.test(file));
  const known = new Set(readKeys().map(({ sha256 }) => basename(keyPath(sha256))));
  if (records.length > 0 && !records.some((file) => known.has(file)))
    throw new KeysOfOther(out, records.length);
}

/** The records that a gateway reads. @throws Error of the file system, SyntaxError */
export function readKeyRecords(out: string): KeyRecord[] {
  const folder = join(out, 'keys');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => KEY_RECORD.test(file))
    .map((file) => parseKeyRecord(readFileSync(join(folder, file), 'utf8')));
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
