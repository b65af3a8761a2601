import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateBlog } from '../../../bench/generate/blog.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { writeEmptyBlog, writeOddBlog } from '../../service/odd-blog.ts';
import { builderIn, report } from './builder.ts';
import { expectFailure, usePlace } from './place.ts';

const place = usePlace();
const { build, change, shownIn, filesOf, pointerOf } = builderIn(place);

describe('build', () => {
  beforeAll(() => writeOddBlog(place.path('odd.db')));

  test('reports the number of posts and files', async () => {
    const first = await build('odd.db', 'first');
    expect(first).toMatchObject({ posts: shownIn('odd.db'), skipped: [] });
    expect(first.objects.written).toBe(first.objects.total);
    expect(first.objects.total).toBe(filesOf('first').size);
    const bytes = [...filesOf('first').values()].reduce((sum, text) => sum + text.length, 0);
    expect(first.objects.bytes_written).toBe(bytes);
  });

  test('repeated writes nothing, and gives the same snapshot', async () => {
    const first = await build('odd.db', 'again');
    const second = await build('odd.db', 'again');
    expect(second).toMatchObject({ snapshot: first.snapshot, posts: first.posts, skipped: [] });
    expect(second.objects).toEqual({ total: first.objects.total, written: 0, bytes_written: 0 });
  });

  test('gives the same bytes for the same database, in any output folder', async () => {
    const one = await build('odd.db', 'one');
    const two = await build('odd.db', 'two');
    expect(two.snapshot).toBe(one.snapshot);
    expect(filesOf('two')).toEqual(filesOf('one'));
  });

  test('counts identical files once', async () => {
    writeEmptyBlog(place.path('empty.db'));
    const { objects } = await build('empty.db', 'empty');
    expect(objects.written).toBe(objects.total);
    expect(objects.total).toBe(filesOf('empty').size);
  });

  test('without --json prints one line on stdout', async () => {
    const { code, stdout } = await offprintInProcess([
      'build',
      '--db',
      place.path('odd.db'),
      '--out',
      place.path('plain'),
    ]);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});

/** Posts that no build can export, by id and slug; the slug of one is blank. */
const BROKEN: readonly (readonly [id: number, slug: string])[] = [
  [9001, 'bad-date'],
  [9002, '9002'],
  [9003, 'no-such-category'],
  [9004, 'title-not-unicode'],
  [9005, 'no-date'],
  [9006, 'no-such-author'],
  [9007, 'body-not-unicode'],
  [9008, 'impossible-date'],
];

describe('rows that cannot be exported', () => {
  beforeAll(() => {
    writeOddBlog(place.path('broken.db'));
    change('broken.db', (db) => {
      db.pragma('ignore_check_constraints = ON');
      db.pragma('foreign_keys = OFF');
      db.exec(`
        INSERT INTO posts (id, slug, title, status, published_at) VALUES (9001, 'bad-date', 'Bad date', 'published', 'yesterday');
        INSERT INTO posts (id, slug, title, status, published_at) VALUES (9002, ' ', 'No slug', 'published', '2024-01-01T00:00:00Z');
        INSERT INTO posts (id, slug, title, status, published_at, category_id)
          VALUES (9003, 'no-such-category', 'No such category', 'published', '2024-01-01T00:00:00Z', 999);
        INSERT INTO posts (id, slug, title, status, published_at)
          VALUES (9004, 'title-not-unicode', CAST(x'41ff42' AS TEXT), 'published', '2024-01-01T00:00:00Z');
        INSERT INTO posts (id, slug, title, status, published_at)
          VALUES (9005, 'no-date', 'No date', 'published', NULL);
        INSERT INTO posts (id, slug, title, status, published_at, author_id)
          VALUES (9006, 'no-such-author', 'No such author', 'published', '2024-01-01T00:00:00Z', 999);
        INSERT INTO posts (id, slug, title, body, status, published_at)
          VALUES (9007, 'body-not-unicode', 'Body', CAST(x'3c703e80' AS TEXT), 'published', '2024-01-01T00:00:00Z');
        INSERT INTO posts (id, slug, title, status, published_at)
          VALUES (9008, 'impossible-date', 'Impossible', 'published', '2024-02-30T00:00:00Z');
      `);
    });
  });

  test('are left out, and named with table, row and reason; the rest is published', async () => {
    const args = ['build', '--db', place.path('broken.db'), '--out', place.path('lenient'), '--json'];
    const { code, stdout, stderr } = await offprintInProcess(args);
    expect(code).toBe(0);
    const { posts, skipped } = report.parse(JSON.parse(stdout));
    expect(posts).toBe(shownIn('odd.db'));
    expect(skipped.map(({ table }) => table)).toEqual(Array.from({ length: 8 }, () => 'posts'));
    for (const [id, slug] of BROKEN) {
      const named = new RegExp(`\\b(?:${id}|${slug})\\b`);
      expect(
        skipped.filter(({ row }) => named.test(String(row))),
        `${slug} in ${stdout}`,
      ).toHaveLength(1);
      expect(stderr).toMatch(named);
    }
  });

  test('fail the build with --strict, and nothing is published', async () => {
    const args = ['build', '--db', place.path('broken.db'), '--out', place.path('strict'), '--strict'];
    const { code, stderr } = await offprintInProcess(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/bad-date|9001/);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(existsSync(place.path('strict/snapshot.json'))).toBe(false);
  });

  test('with --strict leave the published snapshot unchanged', async () => {
    const before = pointerOf('lenient');
    change('broken.db', (db) => db.exec("UPDATE posts SET title = 'New' WHERE slug = 'everything-set'"));
    const args = ['build', '--db', place.path('broken.db'), '--out', place.path('lenient'), '--strict'];
    expect((await offprintInProcess(args)).code).toBe(1);
    expect(pointerOf('lenient')).toBe(before);
  });
});

describe('a build that would drop more than half of the posts', () => {
  test('stops and asks for --force', async () => {
    generateBlog(place.path('shrinking.db'), { posts: 40, seed: 1 });
    const { posts } = await build('shrinking.db', 'shrinking');
    const keep = Math.floor(posts / 2) - 1;
    change('shrinking.db', (db) => {
      db.exec(`UPDATE posts SET status = 'archived' WHERE id NOT IN
        (SELECT id FROM posts WHERE status = 'published' AND published_unix < unixepoch() LIMIT ${keep})`);
    });
    const before = pointerOf('shrinking');
    const refused = await offprintInProcess([
      'build',
      '--db',
      place.path('shrinking.db'),
      '--out',
      place.path('shrinking'),
    ]);
    expectFailure({ ...refused, stderr: refused.stderr.trimEnd().split('\n').at(-1) ?? '' }, /--force/);
    expect(pointerOf('shrinking')).toBe(before);
    expect((await build('shrinking.db', 'shrinking', '--force')).posts).toBe(keep);
  });

  test('continues if half of them remain', async () => {
    generateBlog(place.path('halved.db'), { posts: 40, seed: 1 });
    const { posts } = await build('halved.db', 'halved');
    const keep = Math.ceil(posts / 2);
    change('halved.db', (db) => {
      db.exec(`UPDATE posts SET status = 'archived' WHERE id NOT IN
        (SELECT id FROM posts WHERE status = 'published' AND published_unix < unixepoch() LIMIT ${keep})`);
    });
    expect((await build('halved.db', 'halved')).posts).toBe(keep);
  });
});
