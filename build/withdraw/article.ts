import { type Directory, parseDirectory } from '../../contract/directory.ts';
import { isText, parseJson, recordOf } from '../../contract/json.ts';
import { type NameEntries, parseNames, shardOf } from '../../contract/name-table.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePage } from '../../contract/pages.ts';
import type { Pointer, Publication } from '../../contract/pointer.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import { publications } from '../output/pointer-file.ts';
import { FORMAT } from '../../contract/snapshot.ts';

/** Reads the text of an object; undefined: it does not exist. */
export type FindObject = (kind: ObjectKind, hash: ObjectHash) => Promise<string | undefined>;

/** Fields that identify an article under another slug. */
export interface ArticleTraits {
  readonly title: string;
  /** RFC 3339. */
  readonly published_at: string;
}

/** Only these fields are checked: the article must be found even if others are invalid. */
const isArticle = recordOf<ArticleTraits>({ title: isText, published_at: isText });

/**
 * The snapshots that contain an article: under its slug, or under an earlier slug with the same title and date.
 * Unreadable snapshots are included.
 *
 * @param known further titles and dates of the article
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
 * The snapshots of a pointer that contain an article. If the database knows the article, only its traits are searched
 * in the current one: the slug in an earlier snapshot may belong to another article, which now has its own slug.
 */
export async function publishedWith(
  pointer: Pointer,
  slug: string,
  find: FindObject,
  known: readonly ArticleTraits[],
): Promise<Set<ObjectHash>> {
  const kept = publications(pointer);
  if (pointer.format !== FORMAT) return new Set(kept.map(({ snapshot }) => snapshot)); // Unreadable.
  const holding = await snapshotsWith(kept, slug, find, known);
  if (known.length === 0) return holding;
  const current = await snapshotsWith([pointer], slug, find, known);
  if (!current.has(pointer.snapshot)) holding.delete(pointer.snapshot);
  return holding;
}

/** The slugs of all articles in a snapshot; empty if it cannot be read. */
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

/** The article with a slug; undefined: the snapshot has none. */
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

/** Returns a function: whether a page has a summary with one of these traits. True for unreadable pages. */
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
