import { mkdirSync, writeFileSync } from 'node:fs';
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
    for (const name of ['a', 'b'])
      writeFileSync(
        place.path(`posts/${name}.md`),
        `---\ntitle: ${name}\ndate: 2024-01-02\ncategory: News\ntags: [C++]\nauthor: ada\n---\nText.\n`,
      );
  });

  test('reports what is new, what is the same, and what it cannot read', async () => {
    const all = { posts: 2, categories: 1, tags: 1, authors: 1 };
    expect(await run()).toMatchObject({ imported: all, unchanged: 0, skipped: [] });
    writeFileSync(place.path('posts/c.md'), '---\ntitle: [unclosed\n---\nText.\n');
    const none = { posts: 0, categories: 0, tags: 0, authors: 0 };
    const skipped = [{ source: 'c.md', reason: expect.any(String) }];
    expect(await run()).toMatchObject({ imported: none, unchanged: 2, skipped });
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
