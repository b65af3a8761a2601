/**
 * The list of one category, tag or author, in a blog whose sets have pages of their own.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { POPULAR_POSTS } from '../../contract/popular-pages.ts';
import { Random } from '../../bench/generate/random.ts';
import { shortBlog } from '../build/publishing.ts';
import { folderUntil } from '../build/temporary-folder.ts';
import { openOracle, type Oracle } from '../oracle/oracle.ts';
import { send } from '../service/client.ts';
import type { Service } from '../service/home.ts';
import { inProcessHome } from '../service/in-process-home.ts';
import { directoryOf, namesOf } from '../build/output.ts';
import { SEED } from '../random-cases.ts';

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
  service = await inProcessHome.serve({ name: 'set pages', db }, { limits });
});
afterAll(async () => {
  oracle.close();
  await service.close();
});

test('the list by views equals plain SQL, on every page', async () => {
  onTestFailed(() => console.error(`OFFPRINT_TEST_SEED=${SEED}`));
  const random = new Random(SEED, 2);
  for (let i = 0; i < QUERIES; i += 1) {
    const per_page = random.between(1, 50);
    // Half of them near the end of the pages of the most viewed posts.
    const page = random.chance(0.5)
      ? Math.max(1, Math.floor(POPULAR_POSTS / per_page) + random.between(-1, 2))
      : random.between(1, Math.ceil(POSTS / per_page) + 1);
    const { json } = await send(service.url, {
      path: `/api/public/v1/posts?sort=popular&page=${page}&per_page=${per_page}`,
    });
    expect(json, `${page} ${per_page}`).toEqual({
      success: true,
      data: oracle.posts({ sort: 'popular', page, per_page }),
    });
  }
  expect(directoryOf(join(service.folder, 'out')).popular_pages).toHaveLength(POPULAR_POSTS / 50);
});

test('is read from pages that the snapshot names', () => {
  const out = join(service.folder, 'out');
  const { names } = directoryOf(out);
  const listed = namesOf(out, names.in_category ?? { inline: [] }).map(([, , pages]) => pages);
  expect(listed.length).toBeGreaterThan(0);
  for (const set of listed) expect(set?.pages.length).toBe(Math.ceil((set?.size ?? 0) / 50) - 1);
});
