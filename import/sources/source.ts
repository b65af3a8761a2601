import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { PathUnreadable } from '../errors.ts';
import { isRemote } from './fingerprint.ts';
import { reasonOf } from '../../common/thrown.ts';
import { mustBeFile } from './files.ts';
import { download, type RequestRules } from './http.ts';

/** The input of an import: a file or an address. */
export interface Source {
  /** Its address, or null for a file. */
  readonly url: string | null;
  /** Stable across imports: the file's absolute path, or the address as given. */
  readonly place: string;
  /** From the header; null: not given. */
  readonly charset: string | null;
  readonly chunks: AsyncIterable<Buffer>;
}

/** @throws ExportMissing, FileIsFolder, PathUnreadable, AddressRefused */
export async function openSource(path: string, rules: RequestRules): Promise<Source> {
  if (isRemote(path)) {
    const { url, header, body } = await download(path, rules);
    const [, charset = null] = /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(header('content-type') ?? '') ?? [];
    return { url, place: path, charset, chunks: body };
  }
  await mustBeFile(path);
  return { url: null, place: resolve(path), charset: null, chunks: chunksOf(path) };
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw new PathUnreadable(path, reasonOf(error));
  }
}
