import { hash, randomUUID } from 'node:crypto';
import { readFile as readFileWithCallback } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** `readFile` of `node:fs/promises` needs twice the memory for a large file. */
const readFile = promisify(readFileWithCallback);

/** Each file ends with the SHA-256 of the bytes before. */
const HASH_BYTES = 32;
/** Disk space is allocated in blocks. */
const BLOCK_BYTES = 4096;
/** What a sweep leaves, so that not every write starts another. */
const LEFT = 0.9;

/** Copies of files in a folder, up to a size. A copy that cannot be read or written, or is damaged, counts as missing. */
export class FileCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** Disk space of the copies that are known. */
  #bytes = 0;
  #isSweeping = false;

  /** @param folder of this process alone */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#sweepSoon();
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const file = await readFile(join(this.#folder, path)).catch(() => null);
    if (!file) return null;
    const end = Math.max(0, file.length - HASH_BYTES);
    const bytes = file.subarray(0, end);
    return sha256(bytes).equals(file.subarray(end)) ? bytes : null;
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    const file = join(this.#folder, path);
    const temporary = `${file}.${randomUUID()}`;
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(temporary, [bytes, sha256(bytes)], { mode: 0o600 });
      await rename(temporary, file);
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
      return;
    }
    this.#bytes += spaceOf(bytes.length + HASH_BYTES);
    this.#sweepIfFull();
  }

  #sweepSoon(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    void this.#sweep()
      .catch(() => undefined)
      .finally(() => {
        this.#isSweeping = false;
        this.#sweepIfFull();
      });
  }

  #sweepIfFull(): void {
    if (this.#bytes > this.#maxBytes) this.#sweepSoon();
  }

  /** Removes the copies that were written first, if they take more than the size. */
  async #sweep(): Promise<void> {
    this.#bytes = 0; // From here on also what is written meanwhile.
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const copies = [];
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const known = await stat(path).catch(() => null);
      if (known) copies.push({ path, space: spaceOf(known.size), writtenAt: known.mtimeMs });
    }
    let bytes = copies.reduce((sum, { space }) => sum + space, 0);
    if (bytes > this.#maxBytes) {
      for (const { path, space } of copies.sort((a, b) => a.writtenAt - b.writtenAt)) {
        if (bytes <= this.#maxBytes * LEFT) break;
        await rm(path, { force: true });
        bytes -= space;
      }
    }
    this.#bytes += bytes;
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}

function spaceOf(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}
