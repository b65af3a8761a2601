import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFailed, test } from 'vitest';
import { Random } from '../../bench/generate/random.ts';
import { prune } from '../../build/history/prune.ts';
import { release, rollBack } from '../../build/history/rollback.ts';
import { verifySnapshot } from '../../build/history/verify.ts';
import { readCursor, readToken } from '../../gateway/changes/tokens.ts';
import { EditedBlog } from '../build/edits.ts';
import { objectsIn, pointerOf } from '../build/output.ts';
import { editing, NOW, publish, shortBlog } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { cases, SEED } from '../random-cases.ts';
import { type Article, changes, Copy } from './copy.ts';
import { gatewayOf, sorted } from './service.ts';

const COPIES = 4;
const DAY_MS = 86_400_000;

describe(`seed ${SEED}: a copy that follows the blog`, () => {
  test.each([
    { posts: 12, steps: 300 },
    { posts: 120, steps: 150 },
  ])('equals the blog, at each token, over $steps steps with $posts posts', async ({ posts, steps }) => {
    const folder = temporaryFolder();
    const [path, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    const random = new Random(SEED, posts);
    shortBlog(path, posts, SEED);
    const blog = new EditedBlog(path, random);
    const log: string[] = [];
    onTestFailed(() =>
      console.error(`OFFPRINT_TEST_SEED=${SEED}, ${posts} posts:\n  ${log.slice(-30).join('\n  ')}`),
    );

    let time = NOW;
    const build = () => publish(path, out, { now: time, force: true });
    await build();
    let service = await gatewayOf(out);
    const copies = Array.from({ length: COPIES }, () => new Copy());
    /** Published articles, oldest first, by number and epoch. */
    const blogAt = new Map<string, readonly Article[]>();
    /** The articles that each copy received in its current walk. */
    const walks = copies.map(() => ({ start: '', articles: [] as Article[] }));
    const ended: string[] = [];

    for (let step = 0; step < cases(steps); step++) {
      const number = random.below(COPIES);
      // Sometimes a new copy starts.
      if (copies[number]?.isWalking === false && random.chance(0.2)) copies[number] = new Copy();
      const copy = copies[number];
      if (!copy) throw new Error('There is no such copy.');
      const what = random.below(100);
      if (what < 25) {
        const edits = Array.from({ length: random.between(1, 3) }, () => blog.edit());
        // Time passes, so scheduled posts are published.
        if (random.chance(0.3)) time = new Date(time.getTime() + random.below(20 * DAY_MS));
        if (pointerOf(out).held) await release(out);
        await build();
        log.push(`${step}: build, ${edits.join(', ')}`);
      } else if (what < 28) {
        const { previous } = pointerOf(out);
        if (previous.length === 0) continue;
        log.push(`${step}: back to ${(await rollBack(out, random.pick(previous).snapshot, time)).snapshot}`);
      } else if (what < 33) {
        prune(out, new Date(), 0);
        service = await gatewayOf(out); // A copy that has read nothing.
        log.push(`${step}: prune`);
      } else {
        const { log: record } = await service.refresh();
        const now = nameOf(record);
        if (!blogAt.has(now)) blogAt.set(now, await service.everything());
        const isPatient = random.chance(0.4);
        do {
          const wasWalking = copy.isWalking;
          const page = await copy.step(random.pick([1, 3, 20, 50]), (query) =>
            service.get('/changes', query),
          );
          log.push(`${step}: copy ${number}, ${JSON.stringify({ ...page, items: page.items.length })}`);
          if (page.cursor === null) ended.push(page.whole ? 'whole walk' : 'changes');
          if (!page.whole) continue;
          const walk = (walks[number] ??= { start: '', articles: [] });
          const { start } =
            page.cursor === null ? { start: readToken(page.token ?? '') } : readCursor(page.cursor);
          if (!wasWalking) walk.start = '';
          // It starts again only if its starting point is no longer in the record.
          if (walk.start !== '' && walk.start !== nameOf(start)) {
            const [wasAt, epoch] = walk.start.split('.');
            expect(epoch === record?.epoch && Number(wasAt) >= (record?.walks ?? 0)).toBe(false);
            ended.push('begun again');
          }
          if (walk.start !== nameOf(start)) Object.assign(walk, { start: nameOf(start), articles: [] });
          walk.articles.push(...page.items.map(({ views: _, ...article }) => article));
          const blogThen = blogAt.get(walk.start);
          expect(walk.articles).toEqual(
            page.cursor === null ? blogThen : blogThen?.slice(0, walk.articles.length),
          );
          if (walk.start !== now) ended.push('a page of an earlier snapshot');
        } while (isPatient && copy.isWalking);
        if (copy.isWalking) continue;
        // A walk that started with an earlier snapshot gives the blog of that time.
        const blogThen = blogAt.get(nameOf(readToken(copy.token ?? '')));
        expect(sorted(copy.articles.values())).toEqual(sorted(blogThen ?? []));
      }
    }
    blog.db.close();
    expect(ended.length).toBeGreaterThan(steps / 10);
    expect(ended).toEqual(expect.arrayContaining(['whole walk', 'changes', 'a page of an earlier snapshot']));
  });
});

/** The number of a publish. */
function nameOf(place: { readonly number: number; readonly epoch: string } | null): string {
  return `${place?.number}.${place?.epoch}`;
}

describe('a walk through the blog', () => {
  /** A walk whose first page is read, before articles of later pages are edited. */
  async function startedWalk(posts = 12) {
    const folder = temporaryFolder();
    const [path, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    shortBlog(path, posts, 3);
    await publish(path, out);
    const service = await gatewayOf(out);
    const page = async (query: Record<string, string>) =>
      changes.parse(await service.get('/changes', { per_page: '1', ...query })).data;
    const before = await service.everything();
    const first = await page({});
    const edit = async (sql: string, options = {}) => {
      editing(path, (db) => db.exec(sql));
      await publish(path, out, { force: true, ...options });
      await service.refresh();
    };
    /** The rest of the walk, one article per page. @param meanwhile called between two pages */
    const rest = async (meanwhile: (number: number) => Promise<unknown>) => {
      const pages = [first];
      for (let cursor = first.cursor; cursor !== null; cursor = pages.at(-1)?.cursor ?? null) {
        await meanwhile(pages.length);
        pages.push(await page({ cursor }));
        expect(pages.length).toBeLessThan(50);
      }
      return pages;
    };
    const second = () => page({ cursor: first.cursor ?? '' });
    return { out, edit, before, first, rest, second };
  }

  const articlesOf = (pages: readonly { readonly items: readonly (Article & { views: number })[] }[]) =>
    pages.flatMap(({ items }) => items.map(({ views: _, ...article }) => article));

  const EDITS = [
    "UPDATE posts SET title = title || '!' WHERE id % 2 = 0",
    "UPDATE posts SET slug = 'renamed-' || id WHERE id % 3 = 0",
    'DELETE FROM posts WHERE id IN (SELECT max(id) FROM posts)',
    "UPDATE posts SET published_at = '2020-01-01T00:00:00Z' WHERE id = 5",
    "UPDATE posts SET published_at = '2026-01-01T00:00:00Z' WHERE id = 1",
    "UPDATE posts SET body = '<p>Other.</p>' WHERE id = 7",
    'UPDATE posts SET views = views + 3',
    "UPDATE categories SET name = name || '?'",
    'DELETE FROM posts WHERE id < 4',
    "UPDATE posts SET slug = (SELECT slug FROM posts WHERE id = 4) || 'x' WHERE id = 9",
  ];

  test('gives the blog as it was when the walk started, whatever is published between two pages', async () => {
    const { out, edit, before, rest, first } = await startedWalk();
    const pages = await rest(async (number) => {
      await edit(EDITS[(number - 1) % EDITS.length] ?? '');
      prune(out, new Date(), 0);
    });
    expect(pointerOf(out).changes?.number).toBeGreaterThan(10);
    expect(articlesOf(pages)).toEqual(before);
    expect(pages.every(({ whole }) => whole)).toBe(true);
    expect(pages.at(-1)?.token?.slice(0, 26)).toBe(first.cursor?.slice(0, 26));
  });

  test('skips new articles, several at a time', async () => {
    const { edit, before, rest } = await startedWalk();
    const soon = new Date(Date.parse(before[0]?.published_at ?? '') + 1000).toISOString();
    const pages = await rest(async (number) => {
      if (number > 1) return;
      await edit(`WITH RECURSIVE new (id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM new LIMIT 600)
        INSERT INTO posts (slug, title, body, status, published_at)
        SELECT 'new-' || id, 'New', '', 'published', '${soon.slice(0, 19)}Z' FROM new`);
    });
    expect(articlesOf(pages)).toEqual(before);
    expect(pages.filter(({ items }) => items.length === 0)).toHaveLength(1);
  });

  test('continues after a rollback and its release', async () => {
    const { out, edit, before, rest } = await startedWalk();
    const { snapshot } = pointerOf(out);
    const pages = await rest(async (number) => {
      if (number === 3) await rollBack(out, snapshot, NOW);
      else if (number === 5) await release(out);
      else
        await edit(`UPDATE posts SET title = 'Changed ${number}' WHERE id = ${number}`).catch(
          () => undefined,
        );
    });
    expect(articlesOf(pages)).toEqual(before);
  });

  test('never shows a withdrawn article, and starts again', async () => {
    const { out, edit, before, second } = await startedWalk();
    const slug = before[1]?.slug ?? '';
    await edit(`UPDATE posts SET title = 'Changed' WHERE slug = '${slug}'`);
    expect((await second()).items).toMatchObject([{ slug, title: before[1]?.title }]);
    await edit(`DELETE FROM posts WHERE slug = '${slug}'`, { withdrawing: true });
    const page = await second();
    expect(page.cursor?.slice(0, 26)).toBe(pointerOf(out).snapshot);
    expect(page.items).toMatchObject([{ slug: before[0]?.slug }]);
  });

  test('starts again after more changes than are kept, and its cursors get a new prefix', async () => {
    const { out, edit, second } = await startedWalk(120);
    await edit("UPDATE posts SET title = title || '!' WHERE id <= 50");
    expect((await second()).cursor?.slice(0, 26)).not.toBe(pointerOf(out).snapshot);
    await edit("UPDATE posts SET title = title || '!' WHERE id <= 11");
    expect(await second()).toMatchObject({
      whole: true,
      cursor: expect.stringMatching(`^${pointerOf(out).snapshot}`),
    });
  });
});

test.each([
  { damaged: false, goesOn: true },
  { damaged: true, goesOn: false },
])(
  'a full build continues the record of changes: $goesOn, if damaged: $damaged',
  async ({ damaged, goesOn }) => {
    const folder = temporaryFolder();
    const [path, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    shortBlog(path, 12, 1);
    await publish(path, out);
    editing(path, (db) => db.exec("UPDATE posts SET title = 'Changed' WHERE id = 2"));
    await publish(path, out);
    const { changes: record } = pointerOf(out);
    const earlier = objectsIn(out).filter((object) => object.startsWith('objects/earlier/'));
    expect(earlier).toHaveLength(1);
    if (damaged) writeFileSync(join(out, earlier[0] ?? ''), 'nonsense');
    expect(verifySnapshot(out, pointerOf(out)).faults).toHaveLength(damaged ? 1 : 0);
    await publish(path, out, { full: true });
    expect(pointerOf(out).changes?.epoch === record?.epoch).toBe(goesOn);
    expect(verifySnapshot(out, pointerOf(out)).faults).toEqual([]);
  },
);

test('a copy whose walk starts again removes what is gone', async () => {
  const folder = temporaryFolder();
  const [path, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(path, 12, 1);
  const edit = (sql: string) => {
    editing(path, (db) => db.exec(sql));
    return publish(path, out, { force: true });
  };
  await edit('');
  const service = await gatewayOf(out);
  const copy = new Copy();
  const step = (perPage: number) => copy.step(perPage, (query) => service.get('/changes', query));
  await step(3);
  for (let i = 0; i < 6; i++) await edit(`UPDATE posts SET title = title || '${i}'`);
  const gone = [...copy.articles.keys()].slice(0, 2);
  await edit(`DELETE FROM posts WHERE slug IN ('${gone.join("','")}')`);
  await service.refresh();
  do await step(5);
  while (copy.isWalking);
  expect(sorted(copy.articles.values())).toEqual(sorted(await service.everything()));
});
