import type { Directory } from '../../contract/directory.ts';
import { LISTS, type ListName } from '../../contract/change-log.ts';
import { type NameEntries, type NameTable, parseNames } from '../../contract/name-table.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePage } from '../../contract/pages.ts';
import { slugIn } from '../../contract/records.ts';
import { batchesOf } from '../snapshot/parallel.ts';

/** Reads the texts of objects. */
export interface TextStore {
  read(kind: ObjectKind, hash: ObjectHash): string | Promise<string>;
}

/** The difference between two snapshots, as clients see it, without view counts. */
export interface ChangedArticles {
  /** The slugs of articles that differ, or that only one of them has. */
  readonly slugs: ReadonlySet<string>;
  readonly lists: readonly ListName[];
}

/**
 * Compares two snapshots. It reads only objects that are not in both, so the cost depends on the changes.
 *
 * @throws the errors of `store`
 */
export async function changedArticles(
  before: Directory,
  after: Directory,
  store: TextStore,
): Promise<ChangedArticles> {
  const slugs = new Set<string>();
  const compare = (old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) => {
    for (const [slug, is] of now) if (old.get(slug) !== is) slugs.add(slug);
    for (const slug of old.keys()) if (!now.has(slug)) slugs.add(slug);
  };
  const [oldNames, names] = onlyInOne(shardsOf(before.names.post), shardsOf(after.names.post));
  compare(
    await detailsIn(before.names.post, oldNames, store),
    await detailsIn(after.names.post, names, store),
  );
  const [oldPages, pages] = onlyInOne(before.pages, after.pages);
  compare(await summariesIn(oldPages, store), await summariesIn(pages, store));
  return { slugs, lists: LISTS.filter((list) => listIn(before, list) !== listIn(after, list)) };
}

/** The objects that are only in the first list, and those only in the second. Positions do not matter. */
function onlyInOne(
  one: readonly ObjectHash[],
  other: readonly ObjectHash[],
): [readonly ObjectHash[], readonly ObjectHash[]] {
  const [inOne, inOther] = [new Set(one), new Set(other)];
  return [one.filter((hash) => !inOther.has(hash)), other.filter((hash) => !inOne.has(hash))];
}

function shardsOf(names: NameTable): readonly ObjectHash[] {
  return 'shards' in names ? names.shards : [];
}

/** Slug → detail, from some shards of a table; all of them if the table is inline. */
async function detailsIn(
  table: NameTable,
  shards: readonly ObjectHash[],
  store: TextStore,
): Promise<ReadonlyMap<string, ObjectHash>> {
  const entries: NameEntries =
    'inline' in table ? table.inline : (await readAll('names', shards, store)).flatMap(parseNames);
  return new Map(entries.map(([slug, hash]) => [slug, hash]));
}

/** Slug → summary. */
async function summariesIn(
  pages: readonly ObjectHash[],
  store: TextStore,
): Promise<ReadonlyMap<string, string>> {
  const summaries = (await readAll('page', pages, store)).flatMap(decodePage);
  return new Map(summaries.map((summary) => [slugIn(summary), summary]));
}

/** The texts of some objects, in their order. */
async function readAll(kind: ObjectKind, hashes: readonly ObjectHash[], store: TextStore): Promise<string[]> {
  const texts: string[] = [];
  for (const some of batchesOf(hashes, CONCURRENCY)) {
    texts.push(...(await Promise.all(some.map(async (hash) => store.read(kind, hash)))));
  }
  return texts;
}

const CONCURRENCY = 50;

function listIn({ categories, tags, author_pages: authors }: Directory, list: ListName): string {
  return { categories, tags, authors: authors.join() }[list];
}
