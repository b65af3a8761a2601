import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { DatabaseCorrupt, DatabaseNone } from '../../data/errors.ts';
import { flush } from '../../common/flush.ts';
import { guardingOutput } from '../../common/output-files.ts';
import { PRIVATE_FILE } from '../../common/private-files.ts';
import { rename } from '../../common/rename.ts';
import { isProcessAlive } from '../process-alive.ts';
import { VERSION } from '../version.ts';
import { checkSchema } from './check-schema.ts';
import { copyDatabase, copyHeldDatabase } from './copy-database.ts';
import { BackupFailed, BackupMisplaced, BackupUnusable } from './errors.ts';
import {
  BACKUP_FORMAT,
  type BackedUpFile,
  type BackupManifest,
  hashFile,
  MANIFEST_NAME,
} from './manifest.ts';
import type { BackupPart } from './parts.ts';
import { openBackup } from './read.ts';

/** The zip file's name until it is whole; no part has it. */
const STAGED = 'backup.zip';

/**
 * Writes a backup, an atomically created zip file, while the blog is served and imported. Each database in it is in a
 * consistent state.
 *
 * @param file replaced if it is a backup
 * @param parts missing ones are left out
 * @throws BackupMisplaced, BackupFailed, DatabaseChanged, DatabaseCorrupt, DatabaseLocked, DatabaseUnreadable, OutputUnwritable
 */
export async function writeBackup(
  file: string,
  parts: readonly BackupPart[],
  now: Date,
): Promise<BackupManifest> {
  const target = resolve(file);
  await refuseOther(file);
  // In the same folder: the backup needs the space there anyway. Other users cannot read it.
  const staging = guardingOutput(target, () => {
    removeLeftovers(target);
    return mkdtempSync(`${target}.${process.pid}-`);
  });
  try {
    const files: BackedUpFile[] = [];
    for (const part of parts.filter(({ path }) => existsSync(path))) {
      const copy = join(staging, part.name);
      guardingOutput(copy, () => copyPart(part, copy));
      files.push({ name: part.name, ...(await hashFile(copy)) });
    }
    const manifest = { format: BACKUP_FORMAT, offprint: VERSION, made_at: now.toISOString(), files };
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), MANIFEST_NAME);
    for (const { name } of files) zip.addFile(join(staging, name), name);
    zip.end();
    const staged = join(staging, STAGED);
    await pipeline(zip.outputStream, createWriteStream(staged, { flags: 'wx', mode: PRIVATE_FILE }));
    flush('file', staged);
    rename(staged, target);
    flush('folder', dirname(target));
    return manifest;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** A wrong name must not cost a database. @throws BackupMisplaced */
async function refuseOther(file: string): Promise<void> {
  const folder = dirname(resolve(file));
  if (!existsSync(folder))
    throw new BackupMisplaced(file, `cannot be made, since there is no folder ${folder}`);
  if (!existsSync(file)) return;
  if (statSync(file).isDirectory()) throw new BackupMisplaced(file, 'is a folder');
  try {
    (await openBackup(file)).close();
  } catch (error) {
    if (!(error instanceof BackupUnusable)) throw error;
    throw new BackupMisplaced(file, 'exists and is no whole backup, so it is not replaced');
  }
}

/** Removes what killed backups left, since it contains keys. */
function removeLeftovers(target: string): void {
  for (const { path, of } of killedBackups(dirname(target)))
    if (of === basename(target)) rmSync(path, { recursive: true, force: true });
}

/** Temporary folders of killed backups in a folder, and the names of their intended files. */
export function killedBackups(folder: string): { readonly path: string; readonly of: string }[] {
  return readdirSync(folder).flatMap((name) => {
    const [, of, pid] = /^(.+)\.(\d+)-\w{6}$/.exec(name) ?? [];
    return of !== undefined && !isProcessAlive(Number(pid)) ? [{ path: join(folder, name), of }] : [];
  });
}

function copyPart({ path, kind }: BackupPart, copy: string): void {
  if (kind === 'held') copyHeldDatabase(path, copy);
  else if (kind === 'ours') copyDatabase(path, copy);
  else if (kind === 'database') copyUsage(path, copy);
  else copyFileSync(path, copy);
  checkSchema(kind, copy, path); // If it is changed, it could not be restored.
}

function copyUsage(path: string, copy: string): void {
  try {
    copyDatabase(path, copy);
  } catch (error) {
    if (!(error instanceof DatabaseNone || error instanceof DatabaseCorrupt)) throw error;
    throw new BackupFailed(path, 'it is damaged. Only the report of usage needs it: delete it and try again');
  }
}
