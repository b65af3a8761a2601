import { type Directory, parseDirectory } from '../../contract/directory.ts';
import { isText, parseJson, recordOf } from '../../contract/json.ts';
import { type NameEntries, parseNames, shardOf } from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePage } from '../../contract/pages.ts';
import type { Pointer, Publication } from '../../contract/pointer.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import { publications } from '../pointer-file.ts';

/** Gives the text of an object; undefined where there is none. */
export type FindObject = (kind: ObjectKind, hash: ObjectHash) => Promise<string | undefined>;

/** What an article is recognised by under another slug. */
export interface ArticleTraits {
  readonly title: string;
  /** RFC 3339. */
  readonly published_at: string;
}

/** More is not asked of it: the article is to go, however its record looks. */
const isArticle = recordOf<ArticleTraits>({ title: isText, published_at: isText });

/**
 * The snapshots that hold an article: under its slug, or under an earlier one with the same title and date. One that
 * cannot be read counts as one that does.
 *
 * @param known what else is known about the article
 */
async function snapshotsWith(
  publications: readonly Publication[],
  slug: string,
  find: FindObject,
  known: readonly ArticleTraits[] = [],
): Promise<Set<ObjectHash>> {
  const holding = new Set<ObjectHash>();
  const traits = new Set(known.map(traitsKey));
  const others: { readonly snapshot: ObjectHash; readonly directory: Directory }[] = [];
  for (const { snapshot } of publications) {
    const text = await find('directory', snapshot);
    const directory = text === undefined ? undefined : parseDirectory(text);
    const post = directory && (await postNamed(directory, slug, find));
    if (directory && post === undefined) others.push({ snapshot, directory });
    else holding.add(snapshot);
    if (post !== undefined && post !== UNREADABLE) traits.add(traitsKey(post));
  }
  if (traits.size === 0) return holding;
  const hasArticle = pageReader(traits, find);
  for (const { snapshot, directory } of others) {
    for (const page of directory.pages) {
      if (!(await hasArticle(page))) continue;
      holding.add(snapshot);
      break;
    }
  }
  return holding;
}

/**
 * The same of a pointer's snapshots. Where the database knows the article, the current one is searched for that alone:
 * what had its slug in an earlier snapshot may be another article, which is served under a slug of its own by now.
 */
export async function publishedWith(
  pointer: Pointer,
  slug: string,
  find: FindObject,
  known: readonly ArticleTraits[],
): Promise<Set<ObjectHash>> {
  const holding = await snapshotsWith(publications(pointer), slug, find, known);
  if (known.length === 0) return holding;
  const current = await snapshotsWith([pointer], slug, find, known);
  if (!current.has(pointer.snapshot)) holding.delete(pointer.snapshot);
  return holding;
}

/** The slugs of all articles of a snapshot; empty where it cannot be read. */
export async function slugsIn(snapshot: ObjectHash, find: FindObject): Promise<string[]> {
  const text = await find('directory', snapshot);
  if (text === undefined) return [];
  const { post } = parseDirectory(text).names;
  if ('inline' in post) return post.inline.map(([slug]) => slug);
  const shards = await Promise.all(post.shards.map((hash) => find('names', hash)));
  return shards.flatMap((shard): string[] =>
    shard === undefined ? [] : parseNames(shard).map(([slug]) => slug),
  );
}

const UNREADABLE = 'unreadable';

/** Undefined: the snapshot has no article of that slug. */
async function postNamed(
  { names: { post } }: Directory,
  slug: string,
  find: FindObject,
): Promise<ArticleTraits | typeof UNREADABLE | undefined> {
  let entries: NameEntries;
  if ('inline' in post) entries = post.inline;
  else {
    const shard = post.shards[shardOf(slug, post.shards.length)];
    const text = shard === undefined ? undefined : await find('names', shard);
    if (text === undefined) return UNREADABLE;
    entries = parseNames(text);
  }
  const hash = entries.find(([name]) => name === slug)?.[1];
  if (hash === undefined) return undefined;
  const text = await find('post', hash);
  if (text === undefined) return UNREADABLE;
  return parseJson(text, recordOf<{ data: ArticleTraits }>({ data: isArticle }), 'an article').data;
}

/** Says whether a page has a summary with one of these traits; one that cannot be read counts as one that has. */
function pageReader(traits: ReadonlySet<string>, find: FindObject): (page: ObjectHash) => Promise<boolean> {
  const read = new Map<ObjectHash, boolean>(); // Snapshots share most of their pages.
  return async (page) => {
    const known = read.get(page);
    if (known !== undefined) return known;
    const text = await find('page', page);
    const has =
      text === undefined ||
      decodePage(text).some((line) => traits.has(traitsKey(parseJson(line, isArticle, 'an article'))));
    read.set(page, has);
    return has;
  };
}

function traitsKey({ title, published_at }: ArticleTraits): string {
  return JSON.stringify([Date.parse(published_at), title]);
}
