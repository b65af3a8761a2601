/** Lists of a blog so large that the newest posts of a set, and the most viewed ones, have copies of their summaries. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { MOST_VIEWED } from '../../../contract/popularity.ts';
import { Random } from '../../../bench/generate/random.ts';
import { shortBlog } from '../../build/publishing.ts';
import { folderUntil } from '../../build/temporary-folder.ts';
import { openOracle, type Oracle, type PostsQuery } from '../../oracle/oracle.ts';
import { send } from '../../service/client.ts';
import type { Service } from '../../service/home.ts';
import { inProcessHome } from '../../service/in-process-home.ts';
import { directoryOf, namesOf, positionsIn, readLines } from '../../build/output.ts';
import { SEED } from '../../random-cases.ts';

const POSTS = 1300;
const QUERIES = 300;

const folder = folderUntil(afterAll);
const db = join(folder, 'blog.db');
let service: Service;
let oracle: Oracle;

beforeAll(async () => {
  shortBlog(db, POSTS, SEED);
  oracle = openOracle(db);
  const limits = { day: { address: null }, minute: null };
  service = await inProcessHome.serve({ name: 'copied summaries', db }, { limits });
});
afterAll(async () => {
  oracle.close();
  await service.close();
});

/** `GET /posts` must answer as plain SQL does. */
async function expectPage(query: PostsQuery): Promise<void> {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const search = new URLSearchParams(parameters).toString();
  const { json } = await send(service.url, { path: `/api/public/v1/posts?${search}` });
  expect(json, search).toEqual({ success: true, data: oracle.posts(query) });
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

test('the newest posts of each set, and the most viewed ones, have copies', () => {
  const out = join(service.folder, 'out');
  const { names, most_viewed: mostViewed } = directoryOf(out);
  const sets = namesOf(out, names.in_category ?? { inline: [] });
  expect(sets.length).toBeGreaterThan(0);
  for (const [name, hash, newest] of sets) {
    const size = positionsIn(out, hash).length;
    expect(readLines(out, String(newest)).records.length, name).toBe(Math.min(size, 50));
  }
  expect(readLines(out, mostViewed ?? '').records).toHaveLength(MOST_VIEWED);
});
