/**
 * Lists of a blog so large that the newest posts of a set, and the most viewed ones, have copies of their summaries, from a
 * store that reads whole files, as a bucket does. One that reads single records reads no copies.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { Random } from '../../../bench/generate/random.ts';
import { MOST_VIEWED } from '../../../contract/popularity.ts';
import { DiskSnapshotStore } from '../../../gateway/node/disk-snapshot-store.ts';
import { directoryOf, namesOf, positionsIn, readLines } from '../../build/output.ts';
import { publish, shortBlog } from '../../build/publishing.ts';
import { folderUntil } from '../../build/temporary-folder.ts';
import { gatewayOf, type Service } from '../../changes/service.ts';
import { openOracle, type Oracle, type PostsQuery } from '../../oracle/oracle.ts';
import { SEED } from '../../random-cases.ts';

/** Five pages of these are not in the index of the search. */
const POSTS = 1490;
const QUERIES = 300;

const folder = folderUntil(afterAll);
const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
/** The hashes of the objects that the service has read. */
const reads = new Set<string>();
let service: Service;
let oracle: Oracle;

beforeAll(async () => {
  shortBlog(db, POSTS, SEED);
  oracle = openOracle(db);
  await publish(db, out);
  await start();
});
afterAll(() => oracle.close());

/** A new gateway, which has read nothing. */
async function start(): Promise<void> {
  const disk = new DiskSnapshotStore(out);
  service = await gatewayOf({
    readPointer: () => disk.readPointer(),
    readObject(kind, hash) {
      reads.add(hash);
      return disk.readObject(kind, hash);
    },
    hashObject: disk.hashObject.bind(disk),
  });
  reads.clear();
}

/** `GET /posts` must answer as plain SQL does. */
async function expectPage(query: PostsQuery): Promise<void> {
  const parameters = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  expect(await service.get('/posts', parameters), JSON.stringify(query)).toEqual({
    success: true,
    data: oracle.posts(query),
  });
}

/** A page of a list. Half of them are near the end of the copies. */
function pageNear(copies: number, posts: number, random: Random) {
  const per_page = random.between(1, 50);
  const page = random.chance(0.5)
    ? Math.max(1, Math.floor(copies / per_page) + random.between(-1, 2))
    : random.between(1, Math.ceil(posts / per_page) + 1);
  return { page, per_page };
}

test('the list by views equals plain SQL, on every page', async () => {
  onTestFailed(() => console.error(`OFFPRINT_TEST_SEED=${SEED}`));
  const random = new Random(SEED, 2);
  for (let i = 0; i < QUERIES; i += 1)
    await expectPage({ sort: 'popular', ...pageNear(MOST_VIEWED, POSTS, random) });
});

test('the list of a category, tag or author equals plain SQL, on every page', async () => {
  onTestFailed(() => console.error(`OFFPRINT_TEST_SEED=${SEED}`));
  const random = new Random(SEED, 3);
  const values = {
    category: oracle.strings('SELECT slug FROM categories'),
    tag: oracle.strings('SELECT slug FROM tags'),
    author: oracle.strings('SELECT username FROM authors'),
  };
  const names = ['category', 'tag', 'author'] as const;
  for (let i = 0; i < QUERIES; i += 1) {
    const some = names.filter(() => random.chance(0.5));
    const filters = Object.fromEntries(some.map((name) => [name, random.pick(values[name])]));
    const sort = random.pick(['new', 'old', 'popular'] as const);
    await expectPage({ ...filters, sort, ...pageNear(50, POSTS / 5, random) });
  }
});

test('the newest posts of each set, and the most viewed ones, have copies, which are read instead of pages', async () => {
  const { names, pages, most_viewed: mostViewed } = directoryOf(out);
  const sets = namesOf(out, names.in_category ?? { inline: [] });
  expect(sets.length).toBeGreaterThan(0);
  /** The lines that a new gateway reads for this page. */
  const readFor = async (query: PostsQuery) => {
    await start();
    await expectPage(query);
    return [...pages, mostViewed, ...sets.map(([, , newest]) => newest)].filter((hash) =>
      reads.has(String(hash)),
    );
  };
  for (const [name, hash, newest] of sets) {
    const all = positionsIn(out, hash).length;
    const size = Math.min(all, 50);
    expect(readLines(out, String(newest)).records.length, name).toBe(size);
    expect(await readFor({ category: name, per_page: size }), name).toEqual([newest]);
    // Of a larger set, the newest post that has no copy.
    if (size === all) continue;
    await expectPage({ category: name, sort: 'new', per_page: 1, page: 51 });
    await expectPage({ category: name, sort: 'old', per_page: 1, page: all - 50 });
  }
  expect(readLines(out, mostViewed ?? '').records).toHaveLength(MOST_VIEWED);
  expect(await readFor({ sort: 'popular', per_page: 50 })).toEqual([mostViewed]);
});

test('a search within a tag reads no page without its articles', async () => {
  const pages = directoryOf(out).pages.map((hash) => ({
    hash,
    text: readLines(out, hash).records.join('\n'),
  }));
  for (const tag of oracle.strings('SELECT name FROM tags')) {
    await start();
    await expectPage({ tag, q: 'a' });
    for (const { hash, text } of pages) if (reads.has(hash)) expect(text, tag).toContain(JSON.stringify(tag));
  }
});
