import { readFile as readFileWithCallback } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import type { ObjectKind } from '../../contract/snapshot.ts';
import type { SnapshotStore } from '../home.ts';

/** The other readFile, of promises, holds a large file twice. */
const readFile = promisify(readFileWithCallback);

/** Snapshots in the output folder. */
export class DiskSnapshotStore implements SnapshotStore {
  readonly #out: string;

  constructor(out: string) {
    this.#out = out;
  }

  readPointer(): Promise<string> {
    return readFile(join(this.#out, POINTER_PATH), 'utf8');
  }

  async readObject(kind: ObjectKind, hash: ObjectHash): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      return await readFile(join(this.#out, objectPath(kind, hash)));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }
}
