import { fnv1a } from '../../contract/fnv1a.ts';
import type { ObjectHash } from '../../contract/object-name.ts';

/** 1.5 MB remember about 100,000 objects. */
const FIELDS = 3;
const OBJECTS_IN_GROUP = 8;
const GROUPS = 2 ** 14;
const REMEMBERED_S = 600;

/** Other requests may wait this long for a file. A read from the system's page cache takes 0.01 ms. */
const SLOW_MS = 5;
/**
 * A leaky bucket: each slow read adds as much as that many quick ones take away, and the thread pool reads everything for a while
 * if it overflows. A few reads may be slow because the process was not running.
 */
const SLOW_WEIGHT = 16;
const DISTRUST = 4 * SLOW_WEIGHT;
/** The first pause. Each is twice as long as the one before, until the bucket is empty. */
const PAUSE_MS = 2_000;
const PAUSE_MAX_MS = 10 * 60_000;

/**
 * Which objects were read and checked lately, and from which version of their file. They are in the system's page cache, so
 * they can be read without the thread pool; and the same version need not be checked again.
 *
 * That they are in memory is an assumption: the folder may be on a network, and memory may become short. So the thread pool
 * reads everything for a while if some were slow.
 */
export class RecentReads {
  readonly #now: () => number;
  /** Neighbours for each group of hashes: a hash of the object's name, its file's version, and seconds by the clock. */
  readonly #table = new Uint32Array(GROUPS * OBJECTS_IN_GROUP * FIELDS);
  #slowness = 0;
  #pause = PAUSE_MS;
  #pausedUntil = -Infinity;

  /** @param now a clock in milliseconds, from 0 or more */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The version of an object's file; undefined: it was not read lately, or reads are slow. */
  versionOf(hash: ObjectHash): number | undefined {
    const now = this.#now();
    if (now < this.#pausedUntil) return undefined;
    const name = fnv1a(hash);
    const at = this.#placeOf(name);
    const isRecent = this.#table[at] === name && secondOf(now) - (this.#table[at + 2] ?? 0) < REMEMBERED_S;
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

  /** An object was read without the thread pool. @param startedAt by the clock */
  wasReadSince(startedAt: number): void {
    const now = this.#now();
    if (now - startedAt < SLOW_MS) {
      if (this.#slowness > 0) this.#slowness -= 1;
      else this.#pause = PAUSE_MS;
      return;
    }
    this.#slowness += SLOW_WEIGHT;
    if (this.#slowness < DISTRUST) return;
    this.#slowness -= SLOW_WEIGHT; // After the pause, the next slow read begins another one.
    this.#pausedUntil = now + this.#pause;
    this.#pause = Math.min(2 * this.#pause, PAUSE_MAX_MS);
  }
}

/** From 1: an unused place is older than all. */
function secondOf(now: number): number {
  return Math.floor(now / 1000) + 1;
}
