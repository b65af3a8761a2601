import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { filesBelow, mustBeFile, statIfExists } from './files.ts';
import { isRemote } from './fingerprint.ts';
import { download } from './http.ts';
import { BEGINNING_BYTES, xmlText } from '../xml/text.ts';

/** The beginning of a source, from which each format tells whether it can read it. */
export type SourceProbe =
  /** @property files their paths in the folder */
  | { readonly kind: 'folder'; readonly path: string; readonly files: readonly string[] }
  | { readonly kind: 'file'; readonly path: string; readonly beginning: string }
  /** @property link the header `Link` */
  | { readonly kind: 'address'; readonly beginning: string; readonly link: string };

/** Of an address, only the beginning is wanted; what the server sends meanwhile is dropped. */
const MAX_BYTES = 2_000_000_000;
const TOTAL_MS = 60_000;

/**
 * Reads the beginning of a source: the names in a folder, the beginning of a file or of what an address answers.
 *
 * @throws ExportMissing, PathUnreadable, AddressRefused
 */
export async function probeSource(path: string): Promise<SourceProbe> {
  if (isRemote(path)) {
    const rules = { accept: '*/*', maxBytes: MAX_BYTES, totalMs: TOTAL_MS, tries: 1 };
    const { body, header } = await download(path, rules);
    return { kind: 'address', link: header('link') ?? '', beginning: await readBeginning(body) };
  }
  if ((await statIfExists(path))?.isDirectory()) {
    const files = (await filesBelow(path)).filter(({ kind }) => kind === 'file');
    return { kind: 'folder', path, files: files.map((file) => file.path) };
  }
  await mustBeFile(path);
  return { kind: 'file', path, beginning: await readBeginning(createReadStream(path)) };
}

/** The beginning of a text of any encoding; empty if it is compressed, or its encoding unknown. */
async function readBeginning(chunks: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) {
    parts.push(chunk);
    if (parts.reduce((sum, { length }) => sum + length, 0) >= BEGINNING_BYTES) break;
  }
  const bytes = Readable.from([Buffer.concat(parts)]);
  let text = '';
  try {
    for await (const part of xmlText(bytes, null, (why) => new Error(why))) text += part;
  } catch {
    return '';
  }
  return text;
}

/** How many files of a kind are opened. */
const MAX_OPENED = 10;

/** Whether one of the first of these files of a folder begins so. */
export async function someBegin(
  folder: string,
  files: readonly string[],
  isWanted: (beginning: string) => boolean,
): Promise<boolean> {
  for (const file of files.slice(0, MAX_OPENED))
    if (isWanted(await readBeginning(createReadStream(join(folder, file))))) return true;
  return false;
}
