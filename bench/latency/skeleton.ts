import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { objectHash } from '../../common/object-hash.ts';
import { type ChangeLog, encodeChanges } from '../../contract/change-log.ts';
import { encodeBucketPointer } from '../../contract/bucket-pointer.ts';
import { type KeyRecord, keyPath } from '../../contract/key-record.ts';
import { PREFIX, SCOPES } from '../../contract/api.ts';
import type { Directory } from '../../contract/directory.ts';
import {
  isPacked,
  encodePack,
  firstNeeded,
  hasPack,
  nameInPack,
  packPath,
  rarelyNeeded,
  zippedNameInPack,
} from '../../contract/pack.ts';
import { encodePage } from '../../contract/pages.ts';
import { POINTER_PATH, type Pointer } from '../../contract/pointer.ts';
import { policyFor } from '../../contract/policy.ts';
import { indexedPosts } from '../../contract/search/suffix-tree.ts';
import { FORMAT, PAGE_SIZE } from '../../contract/snapshot.ts';
import type { Post, PostText, Taxonomy } from '../../build/snapshot/blog.ts';
import { makeColumns, makeMostViewed, makeTerms } from '../../build/snapshot/listings.ts';
import { NOTHING_MADE } from '../../build/snapshot/memory.ts';
import { pageStarts } from '../../build/snapshot/pages.ts';
import { splitBatches } from '../../build/snapshot/parallel.ts';
import { MemoryObjects } from '../../build/snapshot/memory-objects.ts';
import { writeNames } from '../../build/snapshot/names.ts';
import { renderDetail, renderSummary } from '../../build/snapshot/render.ts';
import { makeSets, writeFilterTables } from '../../build/snapshot/sets.ts';
import type { Site } from '../../build/snapshot/site.ts';
import { type NamedObject, namedByDirectory, namedByEntry, nameTables } from '../../contract/object-kinds.ts';
import { objectAt, type ObjectHash } from '../../contract/object-name.ts';
import { wholeIndex } from '../generate/whole-index.ts';
import { collectWords, joinWords } from '../../build/search/words.ts';
import { searchedWords } from '../../contract/search/search-text.ts';
import { formatKey, keyPrefix, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { writeCursor, writeToken } from '../../gateway/changes/tokens.ts';
import { Random } from '../generate/random.ts';

/** A post, and the names of its tags. */
type Article = Post & Pick<PostText, 'tags'>;

/** The content of a bucket for a blog. */
export interface Skeleton {
  file(key: string): Uint8Array | string | undefined;
  /** A key; its account has a user's limits. */
  readonly key: string;
  /** The hashes of the pages of summaries. */
  readonly pages: ReadonlySet<ObjectHash>;
  /** Example paths of each class of requests, by its name. */
  readonly classes: Readonly<Record<string, readonly string[]>>;
}

const CATEGORIES = 20;
const AUTHORS = 50;
const TAGS_OF_A_POST = 5;
const SEED = 7;
/** More than are asked. */
const LIMITS = { day: { address: 10_000, user: 10_000, admin: 10_000 }, minute: 10_000 };
const SITE: Site = {
  ...{ name: 'Blog', url: 'https://blog.example', excerpts: false },
  paths: { post: '/{slug}', category: '/category/{slug}', tag: '/tag/{slug}' },
};

/**
 * The snapshot of a blog with identical articles, made by the build's own functions but without reading and
 * rendering texts. Takes seconds at 100,000 posts. It has no documentation.
 */
export function makeSkeleton(posts: number): Skeleton {
  const random = new Random(SEED, posts);
  const objects = new MemoryObjects();
  const tagCount = Math.max(20, Math.floor(posts / 40));
  const name = (kind: string, id: number) => ({ id, name: `${kind} ${id}`, slug: `${kind}-${id}` });
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
  const taxonomy: Taxonomy = {
    categories: new Map(numbers(CATEGORIES).map((id) => [id, name('category', id)])),
    tags: new Map(numbers(tagCount).map((id) => [id, name('tag', id)])),
    authors: new Map(
      numbers(AUTHORS).map((id) => [id, { ...name('Author', id), username: `author-${id}`, avatar: null }]),
    ),
    missingTags: new Map(),
    withdrawn: new Set(),
  };
  const skewed = (count: number) => 1 + Math.floor(random.fraction() ** 2 * count);
  const tagged = new Map<number, number[]>();
  const withoutViews = numbers(posts).map((id) => {
    const tags = [...new Set(numbers(TAGS_OF_A_POST).map(() => skewed(tagCount)))];
    for (const tag of tags) {
      const known = tagged.get(tag);
      if (known) known.push(id);
      else tagged.set(tag, [id]);
    }
    return {
      ...{ id, slug: `post-${id}`, time: id, categoryId: skewed(CATEGORIES), authorId: skewed(AUTHORS) },
      ...{ revision: 1, tags: tags.map((tag) => `tag ${tag}`) },
    };
  });
  const articles = withoutViews.map((post): Article => ({ ...post, views: random.between(0, 20_000) }));

  // A gigabyte of texts: each is made when it is read, and any unique name will do.
  const byBody = new Map(articles.map((article) => [objectHash(article.slug), article]));
  const bodies = [...byBody.keys()];
  const entries = articles.map((article, i) => ({
    summary: renderSummary(SITE, textOf(article, posts), taxonomy),
    body: bodies[i] ?? '',
  }));
  const pages = Array.from(splitBatches(entries, PAGE_SIZE), (page) =>
    objects.put('lines', encodePage(page)),
  );
  const sets = makeSets({ posts: articles, tagged, taxonomy }, pages, NOTHING_MADE, objects);
  const { author, ...terms } = makeTerms(SITE, taxonomy, sets, objects);
  const words = articles.map((article) => searchedWords(textOf(article, posts)));
  const index = wholeIndex(joinWords([collectWords(words.slice(0, indexedPosts(posts)))]));
  const binary = new Map(index.map(({ bytes }) => [objectHash(bytes), bytes]));
  const { byViews, ...columns } = makeColumns(
    articles.map(({ views }) => views),
    objects,
  );
  const directory: Directory = {
    ...{ format: FORMAT, posts, policy: policyFor(LIMITS), pages },
    ...{
      site: { name: 'Blog' },
      overview: objects.put('body', '{}'),
      page_times: pageStarts(articles),
      suffixes: index.map(({ first, bytes }) => [first, objectHash(bytes)] as const),
      most_viewed: makeMostViewed(byViews, { posts: articles, taxonomy }, pages, NOTHING_MADE, objects),
      files: [],
      ...terms,
    },
    ...columns,
    names: {
      post: writeNames(
        articles.map(({ slug, time }, i) => [slug, bodies[i] ?? '', time]),
        objects,
      ),
      author,
      ...writeFilterTables(taxonomy, sets, objects),
    },
  };
  const snapshot = objects.put('directory', JSON.stringify(directory));
  const edited = random.between(1, posts);
  const part = objects.put('lines', encodeChanges([[2, `post-${edited}`]]));
  const log: ChangeLog = {
    ...{ epoch: 'bench-record', number: 2, since: 1, lists: { categories: 1, tags: 1, authors: 1 } },
    parts: [{ hash: part, newest: 2, at: 0, size: 1 }],
  };
  const file = filesOf(snapshot, directory, log, objects, binary);
  const walk = (position: number, began: number) => {
    const after = { time: position, slug: `post-${position}`, position: position - 1 };
    return `${PREFIX}/changes?per_page=50&cursor=${writeCursor({ epoch: 'bench-record', began, shown: 2, isFull: true, after })}`;
  };
  return {
    key: KEY,
    pages: new Set(pages),
    file(key) {
      const article = byBody.get(objectAt(key)?.hash ?? '');
      return article ? renderDetail(textOf(article, posts), `${TEXT} ${article.id}`) : file(key);
    },
    classes: {
      ...classesOf(random, posts, tagCount),
      'one article that changed': [1, 2].map(
        () => `${PREFIX}/changes?since=${writeToken({ epoch: 'bench-record', number: 1 })}`,
      ),
      '50 whole articles of a walk': Array.from({ length: 5 }, () => {
        const position = PAGE_SIZE * random.between(1, Math.floor(posts / PAGE_SIZE) - 1);
        return walk(position, 2);
      }),
      'the last articles of a walk, and whether anything changed': [1, 2].map((back) =>
        walk(posts - 40 * back, 1),
      ),
    },
  };
}

/** The body of an article is 10 kB, and different for each. */
const TEXT = 'x'.repeat(10_000);

const KEY = formatKey(Array.from({ length: RANDOM_CHARACTERS }, (_, i) => i));
const KEY_RECORD: KeyRecord = {
  ...{ account: 'bench', plan: 'user', name: 'bench', prefix: keyPrefix(KEY), revoked: false },
  scopes: SCOPES,
};

/** Words for searches: in so many articles each, far from one another, or in one of so many. No word contains another. */
const SCATTERED = { seldom: 6, unusual: 15 };
const SPREAD = { frequent: 3, occasional: 100 };

function scattered(word: keyof typeof SCATTERED, id: number, posts: number): string {
  return `${word}${String(id % Math.ceil(posts / SCATTERED[word])).padStart(6, '0')}`;
}

function wordsOfPost(id: number, posts: number): string[] {
  const spread = (['frequent', 'occasional'] as const).filter((word) => id % SPREAD[word] === 0);
  return [scattered('seldom', id, posts), scattered('unusual', id, posts), ...spread];
}

function textOf({ id, slug, categoryId, authorId, tags }: Article, posts: number): PostText {
  return {
    ...{ id, slug, categoryId, authorId, tags },
    ...{
      title: `Article ${id} of a blog: ${wordsOfPost(id, posts).join(' ')}`,
      description: 'A description. '.repeat(10),
      cover: null,
      url: null,
    },
    ...{ metaTitle: null, metaDescription: null, publishedAt: new Date(id * 1000).toISOString() },
    ...{ updatedAt: null, formerSlugs: [] },
  };
}

/** Pointer, packs and objects, as a publish uploads them. */
function filesOf(
  snapshot: ObjectHash,
  directory: Directory,
  changes: ChangeLog,
  objects: MemoryObjects,
  binary: ReadonlyMap<ObjectHash, Uint8Array>,
): Skeleton['file'] {
  const { posts } = directory;
  const pointer: Pointer = {
    ...{ format: FORMAT, snapshot, posts, blog: null, built_at: '2026-01-01T00:00:00Z', built_by: 'bench' },
    ...{ held: false, previous: [], changes },
  };
  const bytesOf = ({ kind, hash }: NamedObject) => binary.get(hash) ?? objects.read(kind, hash);
  const packOf = (named: readonly NamedObject[], zipped: readonly NamedObject[] = []) =>
    encodePack(
      new Map([
        ...named.map((one) => [nameInPack(one.kind, one.hash), bytesOf(one)] as const),
        ...zipped.map((one) => [zippedNameInPack(one.kind, one.hash), gzipSync(bytesOf(one))] as const),
      ]),
    );
  const files = new Map<string, Uint8Array | string>([
    [
      POINTER_PATH,
      encodeBucketPointer(
        JSON.stringify(pointer),
        packOf(firstNeeded(snapshot, directory), rarelyNeeded(directory)),
      ),
    ],
    [keyPath(createHash('sha256').update(KEY).digest('hex')), JSON.stringify(KEY_RECORD)],
  ]);
  if (hasPack(pointer))
    files.set(
      packPath(snapshot),
      packOf(objectsOf(snapshot, directory).filter(({ kind }) => isPacked(kind))),
    );
  return (key) => {
    const object = objectAt(key);
    return files.get(key) ?? (object ? bytesOf(object) : undefined);
  };
}

/** All objects of a blog so small that its name tables are in the directory. */
function objectsOf(snapshot: ObjectHash, directory: Directory): readonly NamedObject[] {
  const named = nameTables(directory).flatMap(([name, table]) =>
    'inline' in table ? table.inline.flatMap((entry) => namedByEntry(name, entry)) : [],
  );
  return [{ kind: 'directory', hash: snapshot }, ...namedByDirectory(directory), ...named];
}

function classesOf(random: Random, posts: number, tags: number) {
  const path = (query: Readonly<Record<string, string | number>>) => {
    const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return `${PREFIX}/posts?${new URLSearchParams(parameters).toString()}`;
  };
  const sort = () => random.pick(['new', 'old']);
  const some = <T>(make: () => T) => Array.from({ length: 5 }, make);
  const filter = () =>
    random.pick([
      () => ({ category: `category-${random.between(1, CATEGORIES)}` }),
      () => ({ tag: `tag-${random.between(1, tags)}` }),
      () => ({ tag: `tag-${random.between(1, 3)}` }),
      () => ({ author: `author-${random.between(1, AUTHORS)}` }),
    ])();
  const list = (kind: string, count: number, of: number) =>
    Array.from({ length: count }, () => `${kind}-${random.between(1, of)}`).join(',');
  const anyId = () => random.between(1, posts);
  const articles = some(() => `${PREFIX}/posts/post-${random.between(1, posts)}`);
  return {
    newest: [`${PREFIX}/posts`, `${PREFIX}/posts?per_page=50`],
    article: articles,
    'article with its summary': articles.map((address) => `${address}?include=summary`),
    'any page, new or old': some(() =>
      path({ sort: sort(), per_page: 50, page: random.between(1, Math.floor(posts / 50)) }),
    ),
    'first pages of a category, tag or author': some(() => path({ ...filter(), page: random.between(1, 3) })),
    'any page of a category, tag or author': Array.from({ length: 12 }, () =>
      path({ ...filter(), sort: sort(), per_page: random.pick([15, 50]), page: random.between(1, 4) }),
    ),
    popular: some(() => path({ sort: 'popular', page: random.between(1, 20) })),
    'two filters': some(() =>
      path({ category: `category-${random.between(1, 4)}`, author: `author-${random.between(1, 4)}` }),
    ),
    'at least one of ten tags': some(() => path({ 'tag.any': list('tag', 10, tags), sort: sort() })),
    'all of three tags': some(() => path({ 'tag.all': list('tag', 3, 6) })),
    'none of ten tags': some(() => path({ 'tag.not': list('tag', 10, tags), page: random.between(1, 20) })),
    'one of five categories, and none of five authors': some(() =>
      path({ 'category.any': list('category', 5, CATEGORIES), 'author.not': list('author', 5, AUTHORS) }),
    ),
    'search for a word of 6 articles': some(() => path({ q: scattered('seldom', anyId(), posts) })),
    'search for a word of 15 articles': some(() => path({ q: scattered('unusual', anyId(), posts) })),
    'search for a word of every third article': [1, 2].map((page) => path({ q: 'frequent', page })),
    'search for a word of every hundredth article': [1, 2].map((page) => path({ q: 'occasional', page })),
    'search for two words': some(() => path({ q: `frequent ${scattered('unusual', anyId(), posts)}` })),
    'a range of time': some(() => {
      const ends = [random.between(1, posts), random.between(1, posts)].sort((a, b) => a - b);
      const [from = '', until = ''] = ends.map((second) => new Date(second * 1000).toISOString());
      return path({ from, until, sort: sort(), per_page: 50 });
    }),
  };
}
