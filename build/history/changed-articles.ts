import type { Directory } from '../../contract/directory.ts';
import { TERM_LISTS, type TermListName } from '../../contract/change-log.ts';
import { Lines } from '../../contract/lines.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { readBodyHashes } from '../../contract/pages.ts';
import { slugIn } from '../../contract/records.ts';
import { splitBatches } from '../snapshot/parallel.ts';

/** Reads objects. */
export interface ObjectReader {
  read(kind: ObjectKind, hash: ObjectHash): Uint8Array | Promise<Uint8Array>;
}

/** The difference between two snapshots, as clients see it, without view counts. */
export interface ChangedArticles {
  /** The slugs of articles that differ, or that only one of them has. */
  readonly slugs: ReadonlySet<string>;
  readonly lists: readonly TermListName[];
}

/**
 * Compares two snapshots. It reads only objects that are not in both, so the cost depends on the changes.
 *
 * @throws the errors of `store`
 */
export async function changedArticles(
  before: Directory,
  after: Directory,
  store: ObjectReader,
): Promise<ChangedArticles> {
  const slugs = new Set<string>();
  const compare = (old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) => {
    for (const [slug, is] of now) if (old.get(slug) !== is) slugs.add(slug);
    for (const slug of old.keys()) if (!now.has(slug)) slugs.add(slug);
  };
  const [oldPages, pages] = onlyInOne(before.pages, after.pages);
  compare(await articlesIn(oldPages, store), await articlesIn(pages, store));
  return { slugs, lists: TERM_LISTS.filter((list) => listIn(before, list) !== listIn(after, list)) };
}

/** The objects that are only in the first list, and those only in the second. Positions do not matter. */
function onlyInOne(
  one: readonly ObjectHash[],
  other: readonly ObjectHash[],
): [readonly ObjectHash[], readonly ObjectHash[]] {
  const [inOne, inOther] = [new Set(one), new Set(other)];
  return [one.filter((hash) => !inOther.has(hash)), other.filter((hash) => !inOne.has(hash))];
}

/** Slug → summary and body. */
async function articlesIn(
  pages: readonly ObjectHash[],
  store: ObjectReader,
): Promise<ReadonlyMap<string, string>> {
  const articles = new Map<string, string>();
  for (const some of splitBatches(pages, CONCURRENCY)) {
    const read = await Promise.all(some.map(async (hash) => new Lines(await store.read('lines', hash))));
    for (const page of read) {
      const bodies = readBodyHashes(page);
      let index = 0;
      for (const summary of page) articles.set(slugIn(summary), `${summary} ${bodies[index++]}`);
    }
  }
  return articles;
}

const CONCURRENCY = 50;

function listIn({ categories, tags, author_pages: authors }: Directory, list: TermListName): string {
  return { categories, tags, authors: authors.join() }[list];
}
