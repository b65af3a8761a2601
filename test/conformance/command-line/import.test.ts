import { mkdirSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { expectFailure, usePlace } from './place.ts';

const report = z.object({
  imported: z.strictObject({ posts: z.int(), categories: z.int(), tags: z.int(), authors: z.int() }),
  unchanged: z.int(),
  skipped: z.array(z.strictObject({ source: z.string(), reason: z.string() })),
});

const place = usePlace();
const db = place.path('blog.db');
const run = async (...more: string[]) =>
  report.parse(await answerOf(['import', 'markdown', place.path('posts'), '--db', db, ...more]));

describe('import markdown', () => {
  beforeAll(() => {
    mkdirSync(place.path('posts'));
    for (const [name, title] of [
      ['a', 'One'],
      ['b', 'Two'],
    ] as const) {
      const front = `---\ntitle: ${title}\ndate: 2024-01-02T03:04:05+01:00\ncategory: News\ntags: [C++, Machine Learning]\nauthor: ada\n---\n`;
      writeFileSync(place.path(`posts/${name}.md`), `${front}\nText of **${title}**.\n`);
    }
  });

  test('reports new posts', async () => {
    expect(await run()).toMatchObject({
      imported: { posts: 2, categories: 1, tags: 2, authors: 1 },
      unchanged: 0,
      skipped: [],
    });
  });

  test('a second import changes nothing', async () => {
    const revision = () => {
      const blog = new Database(db, { readonly: true });
      const row: unknown = blog.prepare('SELECT content FROM revision').pluck().get();
      blog.close();
      return row;
    };
    const before = revision();
    expect(await run()).toMatchObject({
      imported: { posts: 0, categories: 0, tags: 0, authors: 0 },
      unchanged: 2,
    });
    expect(revision()).toBe(before);
  });

  test('updates what changed, and names what it cannot read', async () => {
    writeFileSync(place.path('posts/b.md'), '---\ntitle: Two, again\ndate: 2024-01-02\n---\nNew text.\n');
    writeFileSync(place.path('posts/c.md'), '---\ntitle: [unclosed\n---\nText.\n');
    const { imported, unchanged, skipped } = await run();
    expect(imported.posts).toBe(1);
    expect(unchanged).toBe(1);
    expect(skipped.map(({ source }) => source)).toEqual([expect.stringContaining('c.md')]);
  });

  test('--site sets the public site', async () => {
    await run('--site', 'https://www.mine.example');
    const blog = new Database(db, { readonly: true });
    expect(blog.prepare('SELECT url FROM site').pluck().get()).toBe('https://www.mine.example');
    blog.close();
  });

  test('says how to set the name and address that the source lacks', async () => {
    const config = place.path('named.json');
    const says = async (site: object) => {
      writeFileSync(config, JSON.stringify({ site }));
      const files = ['--db', place.path('unnamed.db'), '--config', config];
      const { stdout } = await offprintInProcess(['import', 'markdown', place.path('posts'), ...files]);
      return ['Set site.name in offprint.json', 'set site.url in offprint.json'].map((hint) =>
        stdout.includes(hint),
      );
    };
    expect(await says({})).toEqual([true, true]);
    expect(await says({ name: 'My blog' })).toEqual([false, true]);
    expect(await says({ name: 'My blog', url: 'https://my.example' })).toEqual([false, false]);
  });

  test('a folder that does not exist', async () => {
    const args = ['import', 'markdown', place.path('nowhere'), '--db', db];
    expectFailure(await offprintInProcess(args), /nowhere/);
  });
});
