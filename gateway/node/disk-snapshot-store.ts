import { readFile as readFileWithCallback } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../../common/thrown.ts';
import { objectHash } from '../../common/object-hash.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import type { SnapshotStore } from '../home.ts';
import { ObjectUnreadable } from '../snapshot/objects.ts';

/** `readFile` of `node:fs/promises` needs twice the memory for a large file. */
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
    const bytes = await readFile(join(this.#out, objectPath(kind, hash))).catch((error: unknown) => {
      const code = codeOf(error) ?? String(error);
      if (code === 'ENOENT') return null;
      throw new ObjectUnreadable(kind, hash, `cannot be read (${code})`, { cause: error });
    });
    // Objects are read once and then cached, so verifying them costs nothing measurable.
    if (bytes && this.hashOf(bytes) !== hash) {
      throw new ObjectUnreadable(kind, hash, 'was altered or cut short');
    }
    return bytes;
  }

  hashOf(bytes: Uint8Array): ObjectHash {
    return objectHash(bytes);
  }
}
