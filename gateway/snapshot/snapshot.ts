import type { ChangeLog } from '../../contract/change-log.ts';
import type { Directory, NameTableName } from '../../contract/directory.ts';
import { findName, type NameEntry, shardIndex } from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { type Decoded, nameTables, type ObjectKind } from '../../contract/object-kinds.ts';
import type { Occurrences } from '../../contract/search/suffix-tree.ts';
import type { Answer } from '../answer.ts';
import type { Matching } from '../listing/matching.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { ownText } from '../own-text.ts';
import { ByteCache } from '../byte-cache.ts';
import { Cache } from '../cache.ts';
import type { Objects } from './objects.ts';

/**
 * Shares of the cache: matching posts of filters (a category by views takes 71 µs instead of 2.4 ms), posts of terms (a search 103 instead
 * of 165 µs); the rest is for answers (a list 1.9 instead of 45 µs).
 */
const MATCHING_SHARE = 0.2;
const TERMS_SHARE = 0.1;

const NAMES_BYTES = 2 ** 20;
const ENTRY_BYTES = 400;

/** The request continues a newer snapshot, which another gateway has shown. */
export class SnapshotBehind extends Error {
  override name = 'SnapshotBehind';
}

/** The record of a pointer that has none: it was damaged. The next build starts a new one. */
export const NO_RECORD: ChangeLog = {
  epoch: '',
  number: 0,
  since: 0,
  parts: [],
  lists: { categories: 0, tags: 0, authors: 0 },
};

/**
 * One snapshot, as long as it is served. A request uses exactly one, whatever is published meanwhile.
 */
export class Snapshot {
  readonly id: ObjectHash;
  readonly directory: Directory;
  /** The record of changes. */
  readonly log: ChangeLog;
  readonly objects: Objects;
  readonly #inline: ReadonlyMap<NameTableName, ReadonlyMap<string, NameEntry>>;
  /** Recently found names. Finding one takes a tenth of the time of a cached article. */
  readonly #found = new ByteCache<NameEntry>(NAMES_BYTES);
  /** By endpoint and parameters. */
  readonly answers: Cache<Answer>;
  /** The posts that combinations of filters match. */
  readonly matchings: Cache<Matching>;
  /** The posts of terms. */
  readonly occurrences: Cache<Occurrences>;

  /** @param cacheBytes for answers and results of this snapshot */
  constructor(
    id: ObjectHash,
    directory: Directory,
    objects: Objects,
    cacheBytes: number,
    log: ChangeLog = NO_RECORD,
  ) {
    this.id = id;
    this.directory = directory;
    this.log = log;
    this.objects = objects;
    this.#inline = new Map(
      nameTables(directory).flatMap(([name, table]) =>
        'inline' in table ? [[name, new Map(table.inline.map((entry) => [entry[0], entry]))]] : [],
      ),
    );
    const { sharing } = objects;
    this.answers = new Cache(
      cacheBytes * (1 - MATCHING_SHARE - TERMS_SHARE),
      ({ body, link }) => body.length + (link?.length ?? 0),
      sharing,
    );
    this.matchings = new Cache(cacheBytes * MATCHING_SHARE, ({ bytes }) => bytes, sharing);
    this.occurrences = new Cache(cacheBytes * TERMS_SHARE, ({ posts }) => posts.byteLength, sharing);
  }

  read<Kind extends ObjectKind>(kind: Kind, hash: ObjectHash): MaybePromise<Decoded<Kind>> {
    return this.objects.read(kind, hash);
  }

  /** The entry of a name from a client, or null. */
  find(table: NameTableName, name: string): MaybePromise<NameEntry | null> {
    const names = this.directory.names[table];
    if (!names) return null;
    if ('inline' in names) return this.#inline.get(table)?.get(name) ?? null;
    const key = `${table} ${name}`;
    const known = this.#found.get(key);
    if (known) return known;
    const shard = names.shards[shardIndex(name, names.shards.length)];
    if (shard === undefined) return null;
    return andThen(this.read('lines', shard), (entries) => {
      const entry = findName(entries, name);
      const size = ENTRY_BYTES + 2 * key.length;
      if (entry && this.#found.admits(key, size)) this.#found.set(ownText(key), entry, size);
      return entry;
    });
  }
}
