import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { PostUnreadable } from '../../common/content/errors.ts';
import { ArchiveInvalid, ExportMissing } from '../errors.ts';
import { reasonOf } from '../../common/thrown.ts';
import { filesBelow, mustBeReadable, statOf } from './files.ts';

/** A file of an export. */
export interface ArchivedFile {
  /** Path within the folder or archive: `posts/1.one.html`. */
  readonly path: string;
  readonly chunks: () => AsyncIterable<Buffer>;
}

/** An export as a zip file, or as the folder that it was unpacked to. */
export interface Archive {
  /** Sorted by name. */
  readonly files: readonly ArchivedFile[];
  /** Files that cannot be read. */
  readonly unread: readonly { readonly path: string; readonly reason: string }[];
  readonly close: () => void;
}

const MAX_FILES = 200_000;
/** How far a zip file may unpack, whatever it says: text and HTML shrink to a tenth. */
const MAX_RATIO = 50;
/** The same in bytes, for small archives. */
const MIN_UNPACKED = 20_000_000;

/**
 * Opens an export. Nothing of a zip file is written to the disk. Any other file is an export of one file.
 *
 * @throws ExportMissing, PathUnreadable, ArchiveInvalid
 */
export async function openArchive(path: string): Promise<Archive> {
  const found = await statOf(path);
  if (found === null) throw new ExportMissing(path);
  if (found.isDirectory()) return openFolder(path);
  await mustBeReadable(path);
  if (await isZip(path)) return openZip(path);
  const file = { path: basename(path), chunks: () => createReadStream(path) };
  return { files: [file], unread: [], close: () => {} };
}

async function openFolder(folder: string): Promise<Archive> {
  const found = await filesBelow(folder);
  return {
    files: found
      .filter(({ kind, path }) => kind === 'file' && !isOfSystem(path))
      .map(({ path }) => ({ path, chunks: () => createReadStream(join(folder, path)) })),
    unread: found.filter((file) => file.kind === 'skipped'),
    close: () => {},
  };
}

export async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return /^PK(?:\x03\x04|\x05\x06)$/.test(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}

async function openZip(path: string): Promise<Archive> {
  try {
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true });
    const entries: Entry[] = [];
    const places = new Set<number>();
    for await (const entry of zip.eachEntry()) {
      const { relativeOffsetOfLocalHeader: place } = entry;
      if (places.has(place)) throw new Error('two of its files are at the same place');
      places.add(place);
      if (entries.length === MAX_FILES) throw new Error(`it has more than ${MAX_FILES} files`);
      if (!entry.fileName.endsWith('/') && !isOfSystem(entry.fileName)) entries.push(entry);
    }
    const budget = { bytes: Math.max(MIN_UNPACKED, MAX_RATIO * zip.fileSize) };
    return {
      files: entries
        .sort((a, b) => (a.fileName < b.fileName ? -1 : 1))
        .map((entry) => ({ path: entry.fileName, chunks: () => unpacked(zip, entry, budget) })),
      unread: [],
      close: () => zip.close(),
    };
  } catch (error) {
    throw new ArchiveInvalid(path, reasonOf(error));
  }
}

/** Files that macOS adds to archives. */
function isOfSystem(path: string): boolean {
  return /^__MACOSX\/|(?:^|\/)\._/.test(path);
}

async function* unpacked(zip: ZipFile, entry: Entry, budget: { bytes: number }): AsyncGenerator<Buffer> {
  if (budget.bytes <= 0) throw tooLarge();
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    if (!Buffer.isBuffer(chunk)) continue;
    budget.bytes -= chunk.length;
    if (budget.bytes <= 0) throw tooLarge();
    yield chunk;
  }
}

function tooLarge(): PostUnreadable {
  return new PostUnreadable(`is in an archive that unpacks to more than ${MAX_RATIO} times its size`);
}
