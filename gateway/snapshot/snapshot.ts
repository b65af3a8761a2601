import type { ChangeLog } from '../../contract/change-log.ts';
import type { Directory, NameTableName } from '../../contract/directory.ts';
import { byName, type NameEntry, shardOf } from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { type Decoded, nameTables, type ObjectKind } from '../../contract/object-kinds.ts';
import type { Occurrences } from '../../contract/suffix-tree.ts';
import type { Answer } from '../answer.ts';
import type { Matching } from '../listing/matching.ts';
import { andThen, type Soon } from '../soon.ts';
import { Cache } from '../cache.ts';
import type { Objects } from './objects.ts';

/** Of what is kept: sets that queries gave, and posts by term. The rest is for answers. */
const MATCHING_SHARE = 0.2;
const TERMS_SHARE = 0.1;

/**
 * One snapshot, for as long as it is served. A request takes one and keeps to it, so that its answer
 * comes from this snapshot alone, whatever is published meanwhile.
 */
export class Snapshot {
  readonly id: ObjectHash;
  readonly directory: Directory;
  /** What changed with which publish; null where the pointer does not say. */
  readonly log: ChangeLog | null;
  readonly #objects: Objects;
  readonly #inline: ReadonlyMap<NameTableName, ReadonlyMap<string, NameEntry>>;
  readonly #answers: Cache<Answer>;
  readonly #matchings: Cache<Matching>;
  readonly #occurrences: Cache<Occurrences>;

  /** @param cacheBytes for answers and results; they go with the snapshot */
  constructor(
    id: ObjectHash,
    directory: Directory,
    objects: Objects,
    cacheBytes: number,
    log: ChangeLog | null = null,
  ) {
    this.id = id;
    this.directory = directory;
    this.log = log;
    this.#objects = objects;
    this.#inline = new Map(
      nameTables(directory).flatMap(([name, table]) =>
        'inline' in table ? [[name, byName(table.inline)]] : [],
      ),
    );
    this.#answers = new Cache(
      cacheBytes * (1 - MATCHING_SHARE - TERMS_SHARE),
      ({ body, link }) => body.length + (link?.length ?? 0),
    );
    this.#matchings = new Cache(cacheBytes * MATCHING_SHARE, ({ bytes }) => bytes);
    this.#occurrences = new Cache(cacheBytes * TERMS_SHARE, ({ posts }) => posts.byteLength);
  }

  read<Kind extends ObjectKind>(kind: Kind, hash: ObjectHash): Soon<Decoded<Kind>> {
    return this.#objects.read(kind, hash);
  }

  /** Reads the articles of a page together, where the store can. */
  readArticles(hashes: readonly ObjectHash[]): Promise<void> {
    return this.#objects.readArticles(hashes);
  }

  /** The entry of a name that came from a client; null where the snapshot has no such name. */
  find(table: NameTableName, name: string): Soon<NameEntry | null> {
    const names = this.directory.names[table];
    if (!names) return null;
    if ('inline' in names) return this.#inline.get(table)?.get(name) ?? null;
    const shard = names.shards[shardOf(name, names.shards.length)];
    if (shard === undefined) return null;
    return andThen(this.read('names', shard), (entries) => entries.get(name) ?? null);
  }

  /** The hash by which an answer made from this snapshot is known. */
  hashOf(body: Uint8Array<ArrayBuffer>): Soon<ObjectHash> {
    return this.#objects.hashOf(body);
  }

  /** An answer that was given before, or `make`s it; however many ask at once, it is made once. */
  answer(key: string, make: () => Soon<Answer>): Soon<Answer> {
    return this.#answers.get(key, make);
  }

  /** The same for what a combination of filters matches. */
  matching(key: string, make: () => Soon<Matching>): Soon<Matching> {
    return this.#matchings.get(key, make);
  }

  /** The same for where a term occurs. */
  occurrences(term: string, find: () => Soon<Occurrences>): Soon<Occurrences> {
    return this.#occurrences.get(term, find);
  }
}
