import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isNumber, isText, listOf, recordOf } from '../../contract/json.ts';

/** The first file of a backup, which lists the others. */
export const MANIFEST_NAME = 'backup.json';

/** Incremented when older versions cannot restore new backups. */
export const BACKUP_FORMAT = 1;

export interface BackupManifest {
  readonly format: number;
  /** `0.2.0` */
  readonly offprint: string;
  /** RFC 3339, UTC. */
  readonly made_at: string;
  readonly files: readonly BackedUpFile[];
}

export interface BackedUpFile {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export const isManifest = recordOf<BackupManifest>({
  format: isNumber,
  offprint: isText,
  made_at: isText,
  files: listOf(recordOf<BackedUpFile>({ name: isText, bytes: isNumber, sha256: isText })),
});

/** @throws an error of the file system */
export async function hashFile(path: string): Promise<Omit<BackedUpFile, 'name'>> {
  const hash = createHash('sha256');
  const file = createReadStream(path);
  await pipeline(file, hash);
  return { bytes: file.bytesRead, sha256: hash.digest('hex') };
}
