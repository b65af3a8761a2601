import { Readable } from 'node:stream';
import { PathUnreadable } from '../errors.ts';
import { type ArchivedFile, isZip, openArchive } from './archive.ts';
import { statOf } from './files.ts';
import { isRemote } from './fingerprint.ts';
import { download } from './http.ts';
import { BEGINNING_BYTES, XmlUndecodable, xmlText } from '../xml/text.ts';

/** A first look at a source, from which each format tells whether it can read it. */
export type Look =
  | { readonly kind: 'folder' | 'zip'; readonly path: string; readonly files: readonly ArchivedFile[] }
  | { readonly kind: 'file'; readonly beginning: string }
  /** @property link the header `Link` */
  | { readonly kind: 'address'; readonly beginning: string; readonly link: string };

/** Of an address, only the beginning is wanted; what the server sends meanwhile is dropped. */
const MAX_BYTES = 2_000_000_000;
const TOTAL_MS = 60_000;

/**
 * Looks at a source, and gives the look to `judge`: the names in a folder or a zip file, the beginning of a file or of what
 * an address answers.
 *
 * @throws ExportMissing, PathUnreadable, ArchiveInvalid, AddressRefused
 */
export async function lookAt<T>(path: string, judge: (look: Look) => Promise<T>): Promise<T> {
  if (isRemote(path)) {
    const { body, link } = await download(path, { accept: '*/*', maxBytes: MAX_BYTES, totalMs: TOTAL_MS });
    return judge({ kind: 'address', link, beginning: await beginningOf(body) });
  }
  const found = await statOf(path);
  const isFolder = found?.isDirectory() === true;
  // A pipe could be read only once.
  if (found !== null && !isFolder && !found.isFile()) throw new PathUnreadable(path, 'not a file');
  const archive = await openArchive(path);
  try {
    const { files } = archive;
    if (isFolder || (await isZip(path)))
      return await judge({ kind: isFolder ? 'folder' : 'zip', path, files });
    const [file] = files;
    return await judge({
      kind: 'file',
      beginning: file === undefined ? '' : await beginningOf(file.chunks()),
    });
  } finally {
    archive.close();
  }
}

/** The beginning of a text of any encoding; empty if it is compressed. */
async function beginningOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) {
    parts.push(chunk);
    if (parts.reduce((sum, { length }) => sum + length, 0) >= BEGINNING_BYTES) break;
  }
  let text = '';
  try {
    for await (const part of xmlText(Readable.from([Buffer.concat(parts)]))) text += part;
  } catch (error) {
    if (!(error instanceof XmlUndecodable)) throw error;
  }
  return text;
}

/** How many files of a kind are looked into. */
const MAX_OPENED = 10;

/** Whether one of the first files with such a path begins so. */
export async function someBegin(
  files: readonly ArchivedFile[],
  path: RegExp,
  isWanted: (beginning: string) => boolean,
): Promise<boolean> {
  for (const { chunks } of files.filter((file) => path.test(file.path)).slice(0, MAX_OPENED))
    if (isWanted(await beginningOf(chunks()))) return true;
  return false;
}
