/**
 * The steps of docs/contributors/architecture.md, "Adding a filter", on a scratch copy: both rows are enough.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { shortBlog } from '../../build/publishing.ts';
import { folderUntil } from '../../build/temporary-folder.ts';
import { codeBlocks, ROOT, section } from '../../docs/documents.ts';
import { send } from '../../service/client.ts';
import { startServer } from '../../service/server-process.ts';

/** The rows from the document, with the place where each belongs. */
const [contractRow = '', buildRow = ''] = codeBlocks(
  section('docs/contributors/architecture.md', '## Adding a filter'),
).map(({ code }) => code);
const ROWS = [
  { file: 'contract/filters.ts', after: 'export const FILTERS = {\n', row: contractRow },
  { file: 'build/snapshot/sets.ts', after: 'Readonly<Record<FilterName, SetRow>> = {\n', row: buildRow },
];

const scratch = folderUntil(afterAll);
beforeAll(() => {
  for (const name of ['common', 'contract', 'build', 'cli', 'data', 'gateway', 'import'])
    cpSync(join(ROOT, name), join(scratch, name), {
      recursive: true,
      filter: (file) => !/\.db(-\w+)?$/.test(file),
    });
  for (const name of ['package.json', 'node_modules']) symlinkSync(join(ROOT, name), join(scratch, name));
});

test('a filter by year is validated, built, served, linked, described and verified', async () => {
  for (const { file, after, row } of ROWS) {
    const parts = readFileSync(join(ROOT, file), 'utf8').split(after);
    expect([parts.length, row]).toEqual([2, expect.stringContaining('year: {')]);
    writeFileSync(join(scratch, file), parts.join(`${after}${row}\n`));
  }
  const [path, out] = [join(scratch, 'blog.db'), join(scratch, 'out')];
  shortBlog(path, 60, 4);
  // In one process, because this copy is not compiled.
  const program = join(scratch, 'all.mjs');
  writeFileSync(
    program,
    `import { run } from './cli/main.ts';
     for (const args of ${JSON.stringify([
       ['build', '--db', path, '--out', out],
       ['snapshots', 'verify', '--out', out],
       ['serve', '--out', out, '--port', '0'],
     ])}) process.exitCode ||= await run(args);`,
  );

  const db = new Database(path, { readonly: true });
  const slugs = db
    .prepare<[], { year: string; slug: string }>(
      `SELECT strftime('%Y', published_unix, 'unixepoch') AS year, slug FROM posts
       WHERE status = 'published' AND published_unix <= unixepoch() ORDER BY published_unix DESC, slug DESC`,
    )
    .all();
  db.close();
  const years = new Set(slugs.map(({ year }) => year));
  expect(years.size).toBeGreaterThan(1);

  const server = await startServer([], scratch, {}, program);
  try {
    const get = async (query: string) => send(server.url, { path: `${PREFIX}/posts?per_page=50&${query}` });
    for (const year of [...years, '1066']) {
      const expected = slugs.filter((post) => post.year === year).map(({ slug }) => slug);
      const { items } = JSON.parse((await get(`year=${year}`)).text).data;
      expect(items.map(({ slug }: { slug: string }) => slug)).toEqual(expected.slice(0, 50));
    }
    const [{ year } = { year: '' }] = slugs;
    const link = (await send(server.url, { path: `${PREFIX}/posts?per_page=1&year=${year}` })).header('link');
    expect(link).toContain(`year=${year}`);
    const some = [...years].slice(0, 5);
    const listed = JSON.parse((await get(`year.any=${some.join(',')}&year.not=${year}`)).text).data;
    const expected = slugs.filter((post) => some.includes(post.year) && post.year !== year);
    expect(listed.meta.total).toBe(expected.length);
    expect((await get('year=20244')).status).toBe(422);
    expect((await get('year.any=20244')).status).toBe(422);
    expect((await send(server.url, { path: '/openapi.json' })).text).toContain(
      'The year of publication in UTC',
    );
  } finally {
    expect(await server.end('SIGTERM'), server.log).toBe(0);
  }
});
