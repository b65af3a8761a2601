import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../../../build/temporary-folder.ts';
import { codeBlocks, read } from '../../../docs/documents.ts';
import { resultOf, spawnOffprint } from '../../../service/command.ts';
import { answerOf, offprintInProcess } from '../../../service/in-process.ts';

const example = codeBlocks(read('docs/owners/import-feeds.md')).find(({ language }) => language === 'ndjson');

const report = z.object({
  posts: z.object({ published: z.int() }),
  hidden: z.record(z.string(), z.int()),
  losses: z.array(z.unknown()),
  skipped: z.array(z.unknown()),
  gone: z.array(z.object({ slug: z.string() })),
});

function place() {
  const folder = temporaryFolder();
  const [db, config] = [join(folder, 'blog.db'), join(folder, 'offprint.json')];
  writeFileSync(config, '{}');
  const files = ['--db', db, '--config', config];
  return {
    folder,
    db,
    config,
    files,
    write(name: string, text: string): string {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    rows(sql: string): unknown[] {
      const open = new Database(db, { readonly: true });
      try {
        return open.prepare(sql).raw().all();
      } finally {
        open.close();
      }
    },
  };
}

describe('import of items', () => {
  test('the example of the page', async () => {
    const { write, rows, files } = place();
    const path = write('posts.ndjson', example?.code ?? '');
    expect(report.parse(await answerOf(['import', path, ...files, '--strict']))).toMatchObject({
      posts: { published: 1 },
      hidden: { draft: 1 },
      losses: [],
      skipped: [],
    });
    expect(rows('SELECT slug, name FROM categories')).toEqual([['news', 'News']]);
  });

  test('the program of deploy/feeds/, by a file and by standard input, and after it died midway', async () => {
    const { folder, write, rows, files } = place();
    const row = (post_id: number, state = 'live') => ({
      post_id,
      path: `p${post_id}`,
      headline: `Post ${post_id}`,
      html: '<p>x</p>',
      created: 1_700_000_000,
      state,
      labels: ['C++'],
    });
    write('items.mjs', read('deploy/feeds/items.mjs'));
    const made = (...rows: readonly object[]): string => {
      write('export.json', JSON.stringify(rows));
      return execFileSync(process.execPath, ['items.mjs', 'export.json'], { cwd: folder, encoding: 'utf8' });
    };
    const piped = async (text: string) => {
      const child = spawnOffprint(['import', 'items', '-', ...files, '--json'], folder);
      child.stdin.end(text);
      const { code, stdout, stderr } = await resultOf(child);
      expect(code, stderr).toBe(0);
      return report.parse(JSON.parse(stdout));
    };
    const path = write('posts.ndjson', made(row(1), row(2), row(3), row(4, 'held')));
    const first = report.parse(await answerOf(['import', path, ...files, '--strict']));
    expect(first).toMatchObject({ posts: { published: 3 }, hidden: { draft: 1 } });
    const all = made(row(1), row(2));
    expect((await piped(all.slice(0, -40))).gone).toEqual([]);
    expect((await piped(all)).gone).toEqual([{ slug: 'p3' }]);
    expect(rows('SELECT slug, status FROM posts ORDER BY slug')).toEqual([
      ['p1', 'published'],
      ['p2', 'published'],
      ['p3', 'archived'],
    ]);
  });

  test('standard input needs the format, and is nothing for offprint.json', async () => {
    const { config, files } = place();
    for (const source of [['-'], ['feed', '-'], ['markdown', '-']])
      expect(await offprintInProcess(['import', ...source, ...files])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('"import items -"'),
      });
    writeFileSync(config, JSON.stringify({ import: [{ format: 'items', path: '-' }] }));
    expect(await offprintInProcess(['import', ...files])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('import.0.path: must be a file'),
    });
  });
});

test('an import says how to set the name and address that the source lacks', async () => {
  const { folder, config, files, write } = place();
  write('a.md', '---\ntitle: A\ndate: 2024-01-02\n---\nText.\n');
  const says = async (site: object) => {
    writeFileSync(config, JSON.stringify({ site }));
    const { stdout } = await offprintInProcess(['import', 'markdown', folder, ...files]);
    return ['Set site.name in offprint.json', 'set site.url in offprint.json'].map((hint) =>
      stdout.includes(hint),
    );
  };
  expect(await says({})).toEqual([true, true]);
  expect(await says({ name: 'My blog' })).toEqual([false, true]);
  expect(await says({ name: 'My blog', url: 'https://my.example' })).toEqual([false, false]);
});
