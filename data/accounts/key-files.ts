import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { type KeyRecord, keyPath, parseKeyRecord } from '../../contract/key-record.ts';
import type { StoredKey } from './keys.ts';
import { OutputUnwritable } from '../../common/errors.ts';
import { denial } from '../../common/permissions.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../../common/private-files.ts';
import { readingDatabase } from '../database.ts';
import { DatabaseError } from '../errors.ts';
import {
  ensureFolder,
  ensureStateFolder,
  guardingOutput,
  readTextFile,
  replaceOrOverwrite,
  type StagedFile,
  stagePrivateFile,
} from '../../common/output-files.ts';

/** The file name of a key's record. */
const KEY_RECORD = /^[0-9a-f]{64}\.json$/;

/** How long to wait for another process that changes keys. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * Runs `work` while no other process changes keys, so that the last one to write files has the latest keys.
 *
 * @throws OutputUnwritable, DatabaseLocked, DatabaseFull; errors of `work`
 */
export function lockingKeys<T>(out: string, work: () => T): T {
  const lockPath = join(out, 'state', 'keys.lock');
  guardingOutput(join(out, 'keys'), () => {
    ensureFolder(out);
    ensurePrivateFolder(join(out, 'keys'));
    ensureStateFolder(out);
    ensurePrivateFile(lockPath);
  });
  if (denial(lockPath, 'write') !== null) throw new OutputUnwritable(lockPath, 'EACCES'); // SQLite would not say why.
  const lock = new Database(lockPath, { timeout: LOCK_TIMEOUT_MS });
  try {
    readingDatabase(lockPath, () => {
      // To lock an empty database, SQLite writes to it, which a full disk refuses.
      if (statSync(lockPath).size === 0) lock.pragma('user_version = 1');
      lock.exec('BEGIN EXCLUSIVE');
    });
    return work();
  } finally {
    lock.close();
  }
}

/** Files of keys that are written, and not yet where the gateway reads them. */
export interface StagedKeyFiles {
  /** @throws OutputUnwritable */
  place(): void;
  discard(): void;
}

/**
 * Prepares `out/keys` for the database's keys: the gateway reads these files and no database. Only differences are
 * written; records of keys that the database no longer has are removed. What needs space is done here, so that a change of
 * the database can still be undone; placing the files needs none. The keys are locked (lockingKeys).
 *
 * @throws OutputUnwritable, DatabaseError
 */
export function stageKeyFiles(out: string, keys: readonly StoredKey[]): StagedKeyFiles {
  checkKeyFiles(out, () => keys);
  const { unknown, outdated } = compareKeyFiles(out, keys);
  const staged: StagedFile[] = [];
  const discard = (): void => staged.forEach((file) => file.discard());
  try {
    for (const { path, text } of outdated) staged.push(stagePrivateFile(path, text));
  } catch (error) {
    discard();
    throw error;
  }
  if (unknown.length + outdated.length > 0) noteUnfinished(out);
  return {
    discard,
    place() {
      for (const path of unknown) guardingOutput(path, () => rmSync(path, { force: true }));
      for (const file of staged) file.place();
      guardingOutput(unfinishedPath(out), () => rmSync(unfinishedPath(out), { force: true }));
    },
  };
}

/**
 * Revokes keys in their files, before the database is touched: the gateway refuses them from now on, although the
 * database may be locked or a disk may be full. No update of the files reverts it; the next change of keys, or the next
 * build, revokes them in the database.
 *
 * @returns the prefixes of keys that worked until now
 */
export function revokeKeyFiles(out: string, isRevoked: (record: KeyRecord) => boolean): string[] {
  const found = readRecords(out).filter(({ record }) => !record.revoked && isRevoked(record));
  if (found.length > 0) noteUnfinished(out);
  return found.flatMap(({ path, record }) => {
    try {
      replaceOrOverwrite(path, formatRecord({ ...record, revoked: true }));
    } catch (error) {
      if (!(error instanceof OutputUnwritable)) throw error;
      try {
        rmSync(path);
      } catch {
        return []; // Updating the files says why.
      }
    }
    return record.prefix;
  });
}

/** How the files of `out/keys` differ from the database's keys. */
interface KeyFileDifferences {
  /** Paths of files without a key. */
  readonly unknown: readonly string[];
  /** Files that are missing or say something else, and what they must say. */
  readonly outdated: readonly { readonly path: string; readonly text: string; readonly record: KeyRecord }[];
  /** Prefixes of keys that only their files say are revoked (revokeKeyFiles). */
  readonly revokedHere: readonly string[];
}

/** Compares the files of keys with the database's keys. @throws OutputUnwritable */
export function compareKeyFiles(out: string, keys: readonly StoredKey[]): KeyFileDifferences {
  const revokedHere = keys.filter(
    ({ sha256, record }) => !record.revoked && recordIn(join(out, keyPath(sha256)))?.revoked,
  );
  const written = keys.map((key) => {
    const record = revokedHere.includes(key) ? { ...key.record, revoked: true } : key.record;
    return { record, path: join(out, keyPath(key.sha256)), text: formatRecord(record) };
  });
  const paths = new Set(written.map(({ path }) => path));
  return {
    unknown: namesIn(out)
      .map((file) => join(out, 'keys', file))
      .filter((path) => !paths.has(path)),
    outdated: written.filter(({ path, text }) => readIfExists(path) !== text),
    revokedHere: revokedHere.map(({ record }) => record.prefix),
  };
}

/**
 * Refuses keys that would replace all keys of the output: they come from another database. Revoked keys stay in their
 * database, so the right one knows at least one key of the output.
 *
 * @param readKeys of the database; empty if there is no database. Called after the files were listed: another process
 * stores a key first, and then writes its file
 * @throws DatabaseError, OutputUnwritable
 */
export function checkKeyFiles(out: string, readKeys: () => readonly StoredKey[]): void {
  const records = namesIn(out).filter((file) => KEY_RECORD.test(file));
  const known = new Set(readKeys().map(({ sha256 }) => basename(keyPath(sha256))));
  if (records.length > 0 && !records.some((file) => known.has(file)))
    throw new DatabaseError(
      `${out} has ${records.length === 1 ? '1 key' : `${records.length} keys`}, but this database has none of them. ` +
        `Pass the database that has them with --db; if they are not needed, delete the folder ${out}/keys.`,
    );
}

/**
 * Since when a change of keys is unfinished, in ms since 1970: it failed, was killed, or is running; undefined: none is. An
 * empty file, since that takes no space.
 */
export function unfinishedSince(out: string): number | undefined {
  return statSync(unfinishedPath(out), { throwIfNoEntry: false })?.mtimeMs;
}

function noteUnfinished(out: string): void {
  try {
    ensureStateFolder(out);
    ensurePrivateFile(unfinishedPath(out));
  } catch {
    // The change is more important.
  }
}

function unfinishedPath(out: string): string {
  return join(out, 'state', 'keys.unfinished');
}

/** @throws OutputUnwritable, if it is no folder */
function namesIn(out: string): string[] {
  const folder = join(out, 'keys');
  return existsSync(folder) ? guardingOutput(folder, () => readdirSync(folder)) : [];
}

/** The valid records that a gateway reads. */
export function readKeyRecords(out: string): KeyRecord[] {
  return readRecords(out).map(({ record }) => record);
}

function readRecords(out: string): { readonly path: string; readonly record: KeyRecord }[] {
  return namesIn(out).flatMap((name) => {
    const path = join(out, 'keys', name);
    const record = recordIn(path);
    return record === undefined ? [] : { path, record };
  });
}

function formatRecord(record: KeyRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function recordIn(path: string): KeyRecord | undefined {
  try {
    return parseKeyRecord(readIfExists(path) ?? '');
  } catch {
    return undefined;
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readTextFile(path);
  } catch {
    return undefined;
  }
}
