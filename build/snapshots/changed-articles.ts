import type { Directory } from '../../contract/directory.ts';
import { LISTS, type ListName } from '../../contract/change-log.ts';
import { isText, parseJson } from '../../contract/json.ts';
import { type NameTable, parseNames } from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePage } from '../../contract/pages.ts';
import type { ReadObject } from './reachable.ts';

/** What of one snapshot is different in another, as clients see it. View counts are no difference. */
export interface ChangedArticles {
  /** The slugs of articles that only one of them has, or that look different. */
  readonly slugs: ReadonlySet<string>;
  readonly lists: readonly ListName[];
}

/**
 * Compares two snapshots. Only objects that one of them alone has are read, so it costs what changed.
 *
 * @throws an error of the file system where one of these is missing
 */
export function changedArticles(before: Directory, after: Directory, read: ReadObject): ChangedArticles {
  const slugs = new Set<string>();
  const compare = (old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) => {
    for (const [slug, is] of now) if (old.get(slug) !== is) slugs.add(slug);
    for (const slug of old.keys()) if (!now.has(slug)) slugs.add(slug);
  };
  const [oldNames, names] = onlyInOne(shardsOf(before.names.post), shardsOf(after.names.post));
  compare(detailsIn(oldNames, before.names.post, read), detailsIn(names, after.names.post, read));
  const [oldPages, pages] = onlyInOne(before.pages, after.pages);
  compare(summariesIn(oldPages, read), summariesIn(pages, read));
  return { slugs, lists: LISTS.filter((list) => listIn(before, list) !== listIn(after, list)) };
}

/** The objects of a list that another does not have, and the other way round: an object is the same wherever it stands. */
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

/** Slug → the hash of the detail. Of a table without shards all. */
function detailsIn(
  shards: readonly ObjectHash[],
  table: NameTable,
  read: ReadObject,
): ReadonlyMap<string, string> {
  const entries =
    'inline' in table ? table.inline : shards.flatMap((hash) => parseNames(read('names', hash)));
  return new Map(entries.map(([slug, hash]) => [slug, hash]));
}

/** Slug → the summary. */
function summariesIn(pages: readonly ObjectHash[], read: ReadObject): ReadonlyMap<string, string> {
  const summaries = pages.flatMap((hash) => decodePage(read('page', hash)));
  return new Map(summaries.map((summary) => [slugIn(summary), summary]));
}

/** The slug is the first field, and a quote inside it is escaped. */
const SLUG = /^\{"slug":("(?:[^"\\]|\\.)*")/;

function slugIn(summary: string): string {
  const [, slug] = SLUG.exec(summary) ?? [];
  return parseJson(slug ?? '', isText, 'the summary of an article');
}

function listIn({ categories, tags, author_pages: authors }: Directory, list: ListName): string {
  return { categories, tags, authors: authors.join() }[list];
}
