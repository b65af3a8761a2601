import { createHash } from 'node:crypto';
import { chmodSync, chownSync, createWriteStream, existsSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { refuseUnreadable } from '../../common/errors.ts';
import { codeOf } from '../../common/thrown.ts';
import { flush } from '../../common/flush.ts';
import { guardingOutput } from '../../common/output-files.ts';
import { PRIVATE_FILE } from '../../common/private-files.ts';
import { rename } from '../../common/rename.ts';
import { parseJson } from '../../contract/json.ts';
import { DEFAULTS, parseConfig, type ReadConfig } from '../settings.ts';
import { checkSchema } from './check-schema.ts';
import { BackupUnusable } from './errors.ts';
import { BACKUP_FORMAT, type BackupManifest, hashFile, isManifest, MANIFEST_NAME } from './manifest.ts';
import { type BackupPart, CONFIG_NAME } from './parts.ts';

/** Limits for archives that others made: files, and bytes of each text that is read whole. */
const MAX_FILES = 100;
const MAX_TEXT = 2 ** 20;

/** An open backup. */
export interface Backup {
  readonly manifest: BackupManifest;
  /** Whether it contains a file. */
  has(name: string): boolean;
  /**
   * Reads its configuration without writing anything. Without one: the defaults.
   *
   * @param path where it would be restored
   * @throws BackupUnusable
   */
  readConfig(path: string): Promise<ReadConfig>;
  /**
   * Extracts a file to a path, and checks it.
   *
   * @throws BackupUnusable, OutputUnwritable
   */
  unpack(name: string, path: string): Promise<void>;
  close(): void;
}

/** @throws BackupUnusable */
export async function openBackup(file: string): Promise<Backup> {
  const zip = await openPromise(file, { autoClose: false, lazyEntries: true }).catch((error: unknown) => {
    refuseUnreadable(file);
    throw new BackupUnusable(
      file,
      codeOf(error) === 'ENOENT' ? 'there is no such file' : 'it is no whole zip file',
    );
  });
  const unusable = (reason: string) => {
    zip.close();
    return new BackupUnusable(file, reason);
  };
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry())
      if (entries.set(entry.fileName, entry).size > MAX_FILES) throw new RangeError('too many files');
  } catch {
    throw unusable('it is damaged');
  }
  const manifest = await readManifest(zip, entries.get(MANIFEST_NAME)).catch(() => {
    throw unusable('it is no backup of Offprint');
  });
  if (manifest.format > BACKUP_FORMAT)
    throw unusable(`Offprint ${manifest.offprint} made it, which is newer than this version. Upgrade first`);
  const has = (name: string) => manifest.files.some((one) => one.name === name);
  const find = (name: string) => {
    const entry = entries.get(name);
    const listed = manifest.files.find((one) => one.name === name);
    if (!entry || !listed) throw new BackupUnusable(file, `it lacks ${name}`);
    if (entry.uncompressedSize !== listed.bytes) throw new BackupUnusable(file, `${name} is damaged`);
    return { entry, listed };
  };
  return {
    manifest,
    has,
    async readConfig(path) {
      if (!has(CONFIG_NAME)) return DEFAULTS;
      const { entry, listed } = find(CONFIG_NAME);
      const content = await readWhole(zip, entry).catch(() => null);
      if (content === null || createHash('sha256').update(content).digest('hex') !== listed.sha256)
        throw new BackupUnusable(file, `${CONFIG_NAME} is damaged or too large`);
      return usable(file, CONFIG_NAME, path, () => parseConfig(path, content.toString()));
    },
    async unpack(name, path) {
      const { entry, listed } = find(name);
      await unpackEntry(zip, entry, path).catch((error: unknown) => {
        guardingOutput(path, () => {
          throw error instanceof Error && 'syscall' in error
            ? error
            : new BackupUnusable(file, `${name} is damaged`);
        });
      });
      if ((await hashFile(path)).sha256 !== listed.sha256)
        throw new BackupUnusable(file, `${name} is damaged`);
    },
    close: () => zip.close(),
  };
}

async function readManifest(zip: ZipFile, entry: Entry | undefined): Promise<BackupManifest> {
  if (!entry) throw new SyntaxError('no manifest');
  const content = await readWhole(zip, entry);
  // It has the hashes of all other files, but nothing has its own.
  if (crc32(content) !== entry.crc32) throw new SyntaxError('a changed manifest');
  return parseJson(content.toString(), isManifest, 'a list of files');
}

/** @throws RangeError if it is too large; yauzl checks the size that the entry declares */
async function readWhole(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.uncompressedSize > MAX_TEXT) throw new RangeError('is too large');
  return buffer(await zip.openReadStreamPromise(entry));
}

async function unpackEntry(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  // A new file: one that a killed restore left may be a link by now.
  rmSync(path, { force: true });
  const target = createWriteStream(path, { flags: 'wx', mode: PRIVATE_FILE });
  try {
    await pipeline(await zip.openReadStreamPromise(entry), target);
  } finally {
    target.destroy();
    // Windows deletes a file only when it is closed.
    if (!target.closed) await new Promise<void>((resolve) => target.once('close', () => resolve()));
  }
  flush('file', path);
}

/** Checks that an extracted file can be used. Migrates the database of an earlier version. @throws BackupUnusable */
export function checkPart(file: string, { name, kind }: BackupPart, path: string): void {
  if (kind === 'configuration') return;
  usable(file, name, path, () => {
    checkIntegrity(path);
    checkSchema(kind, path, name);
  });
}

/** Runs a check. @throws BackupUnusable with the name in the archive instead of the path */
function usable<T>(file: string, name: string, path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replaceAll(path, name).replace(/\.$/, '') : String(error);
    throw new BackupUnusable(file, reason);
  }
}

function checkIntegrity(path: string): void {
  const db = new Database(path);
  try {
    // Without a WAL: the file is renamed next.
    db.pragma('journal_mode = DELETE');
    const [fault] = db.prepare<[], string>('PRAGMA integrity_check(1)').pluck().all();
    if (fault !== 'ok') throw new Error(`${path} is damaged: ${fault}`);
  } finally {
    db.close();
  }
}

/** Suffixes of SQLite's files next to a database. */
const COMPANIONS = ['', '-wal', '-shm', '-journal'];

/**
 * Moves a file to its place. An existing file and SQLite's files next to it are kept as
 * `blog.db.before-restore-20261122T180000Z`; the new one gets its permissions, and from root its owner.
 *
 * @throws OutputUnwritable
 */
export function replaceKeeping(staged: string, path: string, now: Date): void {
  const moment = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  guardingOutput(path, () => {
    const before = statSync(path, { throwIfNoEntry: false });
    if (before) {
      chmodSync(staged, before.mode);
      if (process.geteuid?.() === 0) chownSync(staged, before.uid, before.gid);
    }
    for (const end of COMPANIONS) {
      if (existsSync(path + end)) rename(path + end, `${path}.before-restore-${moment}${end}`);
    }
    rename(staged, path);
    flush('folder', dirname(path));
  });
}
