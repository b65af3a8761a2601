import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { objectHash } from '../../common/object-hash.ts';
import { NothingPublished } from '../../common/errors.ts';
import { guardingOutput } from '../../common/output-files.ts';
import { codeOf } from '../../common/thrown.ts';
import { hashInPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { BuildRunning, type Target } from '../errors.ts';
import { requirePointer, writePointer } from '../output/pointer-file.ts';
import { BuildMemory } from '../snapshot/memory.ts';
import { clearStaging, placeStaged, stagedPath } from '../snapshot/staging.ts';
import { isText, recordOf } from '../../contract/json.ts';
import { Results } from '../../data/results.ts';
import type { FileEntry, Pruning, SnapshotStorage } from './storage.ts';

/** When the output was pruned last. */
export const PRUNES = new Results('pruning', recordOf<{ readonly at: string }>({ at: isText }));

/** An output folder. Whatever changes it holds the build lock, so no build runs meanwhile. */
export class FolderStorage implements SnapshotStorage {
  readonly out: string;
  readonly place: Target;
  readonly flags = '';
  readonly graceMs = 10 * 60_000;
  readonly now: () => Date;
  readonly #waitMs: number;

  /** @param waitMs how long to wait for a running build; default: not at all */
  constructor(out: string, { now = () => new Date(), waitMs = 0 } = {}) {
    this.out = out;
    this.place = { name: out, command: 'build' };
    this.now = now;
    this.#waitMs = waitMs;
  }

  async readPointer(): Promise<Pointer | undefined> {
    try {
      return await this.requirePointer();
    } catch (error) {
      if (error instanceof NothingPublished) return undefined;
      throw error;
    }
  }

  async requirePointer(): Promise<Pointer> {
    return requirePointer(this.out);
  }

  changePointer(change: (pointer: Pointer) => Pointer | Promise<Pointer>): Promise<void> {
    return this.#locked(async (pointer) => {
      const next = await change(pointer);
      if (next !== pointer) writePointer(this.out, next);
    });
  }

  async read(path: string): Promise<Buffer | undefined> {
    return readIfThere(join(this.out, path));
  }

  async readObject(path: string): Promise<Buffer | undefined> {
    return readIntactCopy(this.out, path);
  }

  async *list(folder: string): AsyncGenerator<FileEntry> {
    yield* filesBelow(this.out, folder.replace(/\/$/, ''));
  }

  async put(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    if (files.size === 0) return;
    clearStaging(this.out);
    for (const [path, bytes] of files)
      guardingOutput(path, () => writeFileSync(stagedPath(this.out, path, false), bytes));
    await placeStaged(this.out);
  }

  whilePruning<T>(work: (pruning: Pruning) => Promise<T>): Promise<T> {
    const remove = (paths: readonly string[]) => {
      for (const path of paths) guardingOutput(path, () => rmSync(join(this.out, path)));
      return Promise.resolve(true);
    };
    return this.#locked(async (pointer) => {
      const result = await work({ pointer, now: this.now(), remove });
      PRUNES.recordSuccess(this.out, { at: this.now().toISOString() });
      return result;
    });
  }

  /** @throws NothingPublished, PointerUnreadable, BuildRunning */
  async #locked<T>(work: (pointer: Pointer) => Promise<T>): Promise<T> {
    requirePointer(this.out); // Before the lock creates a folder at a mistyped path.
    const memory = await retryWhileBuilding(() => BuildMemory.open(this.out), this.#waitMs);
    try {
      return await work(requirePointer(this.out));
    } finally {
      memory.close();
    }
  }
}

const INTERVAL_MS = 250;

/** Retries work while a build is running. @throws BuildRunning if that takes longer than `waitMs` */
export async function retryWhileBuilding<T>(work: () => T | Promise<T>, waitMs: number): Promise<T> {
  for (let waited = 0; ; waited += INTERVAL_MS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BuildRunning) || waited >= waitMs) throw error;
      await delay(INTERVAL_MS);
    }
  }
}

/** An object of an output; undefined: it is missing, or does not match the hash in its name. */
export function readIntactCopy(out: string, path: string): Buffer | undefined {
  const bytes = readIfThere(join(out, path));
  return bytes && objectHash(bytes) === hashInPath(path) ? bytes : undefined;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

function* filesBelow(out: string, folder: string): Generator<FileEntry> {
  for (const entry of readFolder(join(out, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(out, path);
    if (!entry.isFile()) continue; // No links, which may lead anywhere.
    const stat = () => statSync(join(out, path));
    yield {
      path,
      // Read on demand: most files of an output are in use.
      get size() {
        return stat().size;
      },
      get modified() {
        return stat().mtime;
      },
    };
  }
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
