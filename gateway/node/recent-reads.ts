import { fnv1a } from '../../contract/fnv1a.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { FRESH_MS } from './slow-reads.ts';

/** 1.5 MB remember about 100,000 objects. */
const FIELDS = 3;
const OBJECTS_IN_GROUP = 8;
const GROUPS = 2 ** 14;

/**
 * Which objects were read and checked lately, and from which version of their file. They are in the system's page cache, so
 * they can be read without the thread pool; and the same version need not be checked again.
 */
export class RecentReads {
  readonly #now: () => number;
  /** Neighbours for each group of hashes: a hash of the object's name, its file's version, and seconds by the clock. */
  readonly #table = new Uint32Array(GROUPS * OBJECTS_IN_GROUP * FIELDS);

  /** @param now a clock in milliseconds, from 0 or more */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The version of an object's file; undefined: it was not read lately. */
  versionOf(hash: ObjectHash): number | undefined {
    const now = this.#now();
    const name = fnv1a(hash);
    const at = this.#placeOf(name);
    const isRecent = this.#table[at] === name && secondOf(now) - (this.#table[at + 2] ?? 0) < FRESH_MS / 1000;
    return isRecent ? this.#table[at + 1] : undefined;
  }

  /** An object was read, and has its hash. */
  add(hash: ObjectHash, version: number): void {
    const name = fnv1a(hash);
    this.#table.set([name, version, secondOf(this.#now())], this.#placeOf(name));
  }

  /** Where an object is in its group. If it is not there: where the one is that was checked first. */
  #placeOf(name: number): number {
    const first = (name % GROUPS) * OBJECTS_IN_GROUP * FIELDS;
    let place = first;
    for (let at = first; at < first + OBJECTS_IN_GROUP * FIELDS; at += FIELDS) {
      if (this.#table[at] === name) return at;
      if ((this.#table[at + 2] ?? 0) < (this.#table[place + 2] ?? 0)) place = at;
    }
    return place;
  }
}

/** From 1: an unused place is older than all. */
function secondOf(now: number): number {
  return Math.floor(now / 1000) + 1;
}
