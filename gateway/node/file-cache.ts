import { randomUUID } from 'node:crypto';
import { lstatSync, readFile as readFileWithCallback } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ExplainedError } from '../../common/errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';

/** `readFile` of `node:fs/promises` needs twice the memory for a large file. */
const readFile = promisify(readFileWithCallback);

/** Disk space is allocated in blocks. */
const BLOCK_BYTES = 4096;
/** What a sweep leaves, so that not every write starts another. */
const LEFT = 0.9;

/** Names of copies, and of those that are being written: a hash. Other files are never removed. */
const COPY = /^[a-z2-7]{26}(?:\.json)?(?:\.[\da-f-]{36})?$/;

/** Copies would be written and removed behind a link, in a folder of others. */
export class CacheIsLink extends ExplainedError {
  constructor(folder: string) {
    super(`${folder} is a link. Replace it with a folder, or choose another with --out.`);
  }
}

/** Copies of files in a folder, up to a size. A copy that cannot be read or written, or is damaged, counts as missing. */
export class FileCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** Disk space of the copies that are known. */
  #bytes = 0;
  #isSweeping = false;

  /**
   * @param folder of this process alone
   * @throws CacheIsLink
   */
  constructor(folder: string, maxBytes: number) {
    if (isLink(folder)) throw new CacheIsLink(folder);
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    void this.#sweep();
  }

  /**
   * @param parse fails, or returns null, if the copy is damaged; it is removed then
   * @returns what `parse` returns; null: there is no whole copy
   */
  async read<T>(
    path: string,
    parse: (bytes: Uint8Array<ArrayBuffer>) => MaybePromise<T | null>,
  ): Promise<T | null> {
    const file = join(this.#folder, path);
    const copy = await readFile(file).catch(() => null);
    if (!copy) return null;
    try {
      const parsed = await parse(new Uint8Array(copy.buffer, copy.byteOffset, copy.length));
      if (parsed !== null) return parsed;
    } catch {
      // Damaged.
    }
    await rm(file, { force: true }).catch(() => undefined);
    return null;
  }

  /** @param path its last part is the hash that names the file, maybe with `.json` */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    const file = join(this.#folder, path);
    const temporary = `${file}.${randomUUID()}`;
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(temporary, bytes, { mode: 0o600 });
      await rename(temporary, file);
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
      return;
    }
    this.#bytes += roundToBlocks(bytes.length);
    if (this.#bytes > this.#maxBytes) void this.#sweep();
  }

  /** Removes the oldest copies, if all take more than the size. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.#bytes = 0; // From here on also what is written meanwhile.
    try {
      const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
      const copies = [];
      for (const entry of entries.filter((one) => one.isFile() && COPY.test(one.name))) {
        const path = join(entry.parentPath, entry.name);
        const known = await stat(path).catch(() => null);
        if (known) copies.push({ path, space: roundToBlocks(known.size), writtenAt: known.mtimeMs });
      }
      let bytes = copies.reduce((sum, { space }) => sum + space, 0);
      const most = bytes > this.#maxBytes ? this.#maxBytes * LEFT : bytes;
      for (const { path, space } of copies.sort((a, b) => a.writtenAt - b.writtenAt)) {
        if (bytes <= most) break;
        await rm(path, { force: true });
        bytes -= space;
      }
      this.#bytes += bytes;
    } catch {
      // The folder does not exist yet, or cannot be read.
    }
    this.#isSweeping = false;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // Nothing is there, or it cannot be used.
  }
}

function roundToBlocks(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}
