import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { guardingOutput } from '../../common/output-files.ts';
import { PRIVATE_FILE } from '../../common/private-files.ts';

/** Two blocks fit in a processor's cache, where comparing is several times faster than in main memory. */
const BLOCK_BYTES = 128 * 1024;

export interface Block {
  /** Offset in the file, in bytes. */
  readonly at: number;
  readonly bytes: Buffer;
}

/** A file that another program writes to, and a private copy of it. It takes no locks. */
export class BlockCopy {
  readonly #copy: string;
  readonly #from: number;
  readonly #to: number;
  readonly #theirs = Buffer.alloc(BLOCK_BYTES);
  readonly #ours = Buffer.alloc(BLOCK_BYTES);

  /** @param copy path of the copy, which must not exist yet @throws OutputUnwritable */
  constructor(path: string, copy: string) {
    this.#copy = copy;
    this.#to = guardingOutput(copy, () => openSync(copy, 'wx+', PRIVATE_FILE));
    this.#from = openSync(path, 'r');
  }

  /** The inode of the file. */
  get inode(): bigint {
    return fstatSync(this.#from, { bigint: true }).ino;
  }

  /** The size of the file, in bytes. */
  get size(): number {
    return fstatSync(this.#from).size;
  }

  /** Copies everything, each block at its own moment. @throws OutputUnwritable */
  copyAll(): void {
    for (let at = 0; ;) {
      const bytes = this.#read(this.#from, this.#theirs, at);
      if (bytes.length === 0) return;
      this.write({ at, bytes });
      at += bytes.length;
    }
  }

  /** Reads one block of both. @returns its length in bytes, and a block to write if the copy differs */
  compare(at: number): { readonly length: number; readonly different: Block | null } {
    const theirs = this.#read(this.#from, this.#theirs, at);
    const isSame = theirs.equals(this.#read(this.#to, this.#ours, at).subarray(0, theirs.length));
    return { length: theirs.length, different: isSame ? null : { at, bytes: Buffer.from(theirs) } };
  }

  /** @throws OutputUnwritable */
  write({ at, bytes }: Block): void {
    guardingOutput(this.#copy, () => {
      for (let written = 0; written < bytes.length;) {
        written += writeSync(this.#to, bytes, written, bytes.length - written, at + written);
      }
    });
  }

  /** Makes the copy `size` bytes long. @throws OutputUnwritable */
  truncate(size: number): void {
    guardingOutput(this.#copy, () => ftruncateSync(this.#to, size));
  }

  /** Releases this process's locks on the file, including SQLite's: nothing may be locked now. */
  close(): void {
    closeSync(this.#to);
    closeSync(this.#from);
  }

  #read(file: number, into: Buffer, at: number): Buffer {
    return into.subarray(0, readSync(file, into, 0, into.length, at));
  }
}
