import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { objectHash } from '../../common/object-hash.ts';
import { type ChangeLog, encodeChanges } from '../../contract/change-log.ts';
import { encodeBucketPointer } from '../../contract/bucket-pointer.ts';
import { type KeyRecord, keyPath } from '../../contract/key-record.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { PREFIX, SCOPES } from '../../contract/api.ts';
import type { Directory } from '../../contract/directory.ts';
import {
  isPacked,
  encodePack,
  firstNeeded,
  hasPack,
  nameInPack,
  packPath,
  seldomNeeded,
  zippedNameInPack,
} from '../../contract/pack.ts';
import { encodePage, PAGE_SIZE } from '../../contract/pages.ts';
import { encodePostHashes, POST_HASHES_SIZE } from '../../contract/post-hashes.ts';
import { POINTER_PATH, type Pointer } from '../../contract/pointer.ts';
import { policyFor } from '../../contract/policy.ts';
import { indexedPosts } from '../../contract/search/suffix-tree.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import type { BuiltPost, PostText, Taxonomy } from '../../build/snapshot/blog.ts';
import { buildColumns, buildTerms } from '../../build/snapshot/listings.ts';
import { BuildMemory } from '../../build/snapshot/memory.ts';
import { batchesOf } from '../../build/snapshot/parallel.ts';
import { articlePacks } from '../../build/publish/article-packs.ts';
import { MemoryObjects } from '../../build/snapshot/memory-objects.ts';
import { writeNames } from '../../build/snapshot/names.ts';
import { makePopularPages } from '../../build/snapshot/popular-pages.ts';
import { renderDetail, renderSummary } from '../../build/snapshot/render.ts';
import { cutsEvery } from '../../build/snapshot/summary-pages.ts';
import { buildFilterTables, buildSets } from '../../build/snapshot/sets.ts';
import type { Site } from '../../build/snapshot/site.ts';
import { objectsOf } from '../../build/history/reachable.ts';
import { isObjectKind, type NamedObject } from '../../contract/object-kinds.ts';
import { wholeIndex } from '../../build/search/whole-index.ts';
import { collectWords, joinWords } from '../../build/search/words.ts';
import { searchedWords } from '../../build/snapshot/renderer.ts';
import { formatKey, keyPrefix, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { writeCursor, writeToken } from '../../gateway/changes/tokens.ts';
import { Random } from '../generate/random.ts';

/** The content of a bucket for a blog. */
export interface Skeleton {
  file(key: string): Uint8Array | string | undefined;
  /** A key; its account has a user's limits. */
  readonly key: string;
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
 *
 * @param folder for the build's memory; may be removed afterwards
 */
export function makeSkeleton(posts: number, folder: string): Skeleton {
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
    danglingPosts: new Set(),
    withdrawn: new Set(),
  };
  const skewed = (count: number) => 1 + Math.floor(random.fraction() ** 2 * count);
  const built = numbers(posts).map((id): BuiltPost => {
    const tags = new Set(numbers(TAGS_OF_A_POST).map(() => skewed(tagCount)));
    return {
      ...{ id, slug: `post-${id}`, unix: id, categoryId: skewed(CATEGORIES), authorId: skewed(AUTHORS) },
      ...{
        revision: 1,
        hash: '',
        tagIds: [...tags].join(' '),
        former: null,
        fault: null,
        cut: null,
        removals: null,
        dangling: 0,
      },
    };
  });

  const summaries = built.map((post) => renderSummary(SITE, textOf(post, posts), taxonomy));
  const pages = cutsEvery(PAGE_SIZE, posts)
    .slice(1)
    .map((end, i) => objects.put('page', encodePage(summaries.slice(i * PAGE_SIZE, end))));
  const ids = built.map(({ id }) => id);
  const difference = { ids, from: 0, edited: [], tailBefore: [], tail: () => built, changes: [] };
  const memory = BuildMemory.open(folder);
  const sets = buildSets(difference, pages, 0, memory, objects);
  memory.close();
  const { author, ...terms } = buildTerms(SITE, taxonomy, sets, objects);
  // A gigabyte of texts: each is made when it is read, and any unique name will do.
  const articles = new Map(built.map((post) => [objectHash(post.slug), post]));
  const hashes = [...articles.keys()];
  const words = built.map((post) => searchedWords(textOf(post, posts)));
  const index = wholeIndex(joinWords([collectWords(words.slice(0, indexedPosts(posts)))]));
  const binary = new Map(index.map(({ bytes }) => [objectHash(bytes), bytes]));
  const columns = buildColumns(
    built.map(() => random.between(0, 20_000)),
    objects,
  );
  const directory: Directory = {
    ...{ format: FORMAT, posts, policy: policyFor(LIMITS), pages },
    ...{
      site: { name: 'Blog' },
      overview: objects.put('overview', '{}'),
      page_times: built.filter((_, position) => position % PAGE_SIZE === 0).map(({ unix }) => unix ?? 0),
      post_hashes: [...batchesOf(hashes, POST_HASHES_SIZE)].map((some) =>
        objects.put('post_hashes', encodePostHashes(some)),
      ),
      suffixes: index.map(({ first, bytes }) => [first, objectHash(bytes)] as const),
      popular_pages: makePopularPages({ posts, pages, ...columns }, objects),
      files: [],
      ...terms,
    },
    ...columns,
    names: {
      post: writeNames(
        built.map(({ slug }, i) => [slug, hashes[i] ?? '']),
        objects,
      ),
      author,
      ...buildFilterTables(posts, taxonomy, sets, objects),
    },
  };
  const snapshot = objects.put('directory', JSON.stringify(directory));
  const edited = random.between(1, posts);
  const part = objects.put('changes', encodeChanges([[2, `post-${edited}`]]));
  const log: ChangeLog = {
    ...{ epoch: 'bench-record', number: 2, since: 1, lists: { categories: 1, tags: 1, authors: 1 } },
    parts: [{ hash: part, newest: 2, at: 0, size: 1 }],
  };
  const file = filesOf(snapshot, directory, log, objects, binary);
  const packs = articlePacks(hashes);
  const textOfHash = (hash: ObjectHash) => {
    const post = articles.get(hash);
    return post && renderDetail(textOf(post, posts), `${TEXT} ${post.id}`);
  };
  const walk = (position: number, began: number) => {
    const after = { time: position, slug: `post-${position}`, position: position - 1 };
    return `${PREFIX}/changes?per_page=50&cursor=${writeCursor({ epoch: 'bench-record', began, shown: 2, isWhole: true, after })}`;
  };
  return {
    key: KEY,
    file(key) {
      const page = packs.get(key);
      if (page) {
        const pack = page.map(
          (hash) => [nameInPack('post', hash), Buffer.from(textOfHash(hash) ?? '')] as const,
        );
        return gzipSync(encodePack(new Map(pack)));
      }
      return file(key) ?? textOfHash(/^objects\/post\/..\/(\w+)/.exec(key)?.[1] ?? '');
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

/** The `post` object of an article is 10 kB, and different for each. */
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

function textOf({ id, slug, categoryId, authorId, tagIds }: BuiltPost, posts: number): PostText {
  return {
    ...{ id, slug, categoryId, authorId, tagIds, tags: tagIds.split(' ').map((tag) => `tag ${tag}`) },
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
  const read: Parameters<typeof objectsOf>[0] = (kind, hash) => objects.read(kind, hash);
  const bytesOf = ({ kind, hash }: NamedObject) => binary.get(hash) ?? Buffer.from(objects.read(kind, hash));
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
        packOf(firstNeeded(snapshot, directory), seldomNeeded(directory)),
      ),
    ],
    [keyPath(createHash('sha256').update(KEY).digest('hex')), JSON.stringify(KEY_RECORD)],
  ]);
  if (hasPack(pointer))
    files.set(
      packPath(snapshot),
      packOf([...objectsOf(read, snapshot)].filter(({ kind }) => isPacked(kind))),
    );
  return (key) => {
    const [, kind = '', hash = ''] = /^objects\/(\w+)\/..\/(\w+)/.exec(key) ?? [];
    return (
      files.get(key) ??
      binary.get(hash) ??
      (isObjectKind(kind) && kind !== 'post' ? objects.read(kind, hash) : undefined)
    );
  };
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
