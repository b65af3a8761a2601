import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createSampleBlog } from '../../../../cli/sample-blog.ts';
import { send } from '../../../service/client.ts';
import { answerOf, offprintInProcess } from '../../../service/in-process.ts';
import { type Server, startServer } from '../../../service/server-process.ts';
import { whileStopped } from '../../../service/while-stopped.ts';
import { PREFIX } from '../../caller.ts';
import { usePlace } from '../../command-line/place.ts';

const place = usePlace();

const page = (title: string, date: string, body = 'Text.') =>
  `---\ntitle: ${title}\ndate: ${date}\n---\n${body}\n`;

const LIST = z.object({ data: z.object({ items: z.array(z.object({ slug: z.string() })) }) });
const STATUS = z.object({ problems: z.array(z.object({ what: z.string(), message: z.string() })) });

describe('start --import', () => {
  const blog = place.path('blog');
  const [db, out, config] = [place.path('kept.db'), place.path('kept'), place.path('kept.json')];
  let server: Server;
  beforeAll(async () => {
    await mkdir(blog);
    await writeFile(`${blog}/a.md`, page('A', '2020-01-01'));
    await writeFile(`${blog}/b.md`, page('B', '2020-01-02'));
    const files = ['--db', db, '--out', out, '--config', config];
    // The schedule is yearly, so everything below is triggered by watching the folder.
    const args = ['start', ...files, '--port', '0', '--cron', '0 0 1 1 *', '--import', 'markdown', 'blog'];
    server = await startServer(args, place.folder);
  });
  afterAll(() => server.end('SIGTERM'));

  const slugs = async () => {
    const { json } = await send(server.url, { path: `${PREFIX}/posts` });
    return LIST.parse(json).data.items.map(({ slug }) => slug);
  };
  const pointer = () => readFileSync(`${out}/snapshot.json`, 'utf8');
  const publishes = async (change: () => void) => {
    const before = pointer();
    change();
    await expect.poll(pointer).not.toBe(before);
  };

  test('imports and serves the blog, and adds the import to the configuration', async () => {
    expect(await slugs()).toEqual(['b', 'a']);
    expect(JSON.parse(await readFile(config, 'utf8'))).toEqual({
      import: [{ format: 'markdown', path: 'blog' }],
    });
  });

  test('follows a new file, an edit, a renamed file and a deleted file', async () => {
    await publishes(() => writeFileSync(`${blog}/c.md`, page('C', '2020-01-03')));
    await publishes(() => writeFileSync(`${blog}/a.md`, page('A', '2020-01-01', 'Edited.')));
    await expect.poll(slugs).toHaveLength(3);
    await publishes(() => renameSync(`${blog}/b.md`, `${blog}/bee.md`));
    await publishes(() => rmSync(`${blog}/c.md`));
    await expect.poll(slugs).toEqual(['bee', 'a']);
    const { json } = await send(server.url, { path: `${PREFIX}/posts/a` });
    expect(json).toMatchObject({ data: { content: expect.stringContaining('Edited.') } });
  });

  test('keeps serving the snapshot if an import fails, and status reports it', async () => {
    // At once for the service: if one of them were missing first, it would be archived.
    whileStopped(server.pid, () => {
      for (const name of ['a', 'bee']) rmSync(`${blog}/${name}.md`);
    });
    const problems = async () =>
      STATUS.parse(JSON.parse((await offprintInProcess(['status', '--out', out, '--json'])).stdout)).problems;
    await expect.poll(problems).toMatchObject([
      {
        what: expect.stringMatching(/^importing markdown .*blog$/),
        message: expect.stringMatching(/No posts to import/),
      },
    ]);
    expect(await slugs()).toEqual(['bee', 'a']);
    writeFileSync(`${blog}/a.md`, page('A', '2020-01-01'));
    writeFileSync(`${blog}/d.md`, page('D', '2020-01-04'));
    writeFileSync(`${blog}/e.md`, page('E', '2020-01-05'));
    await expect.poll(() => JSON.parse(pointer()).posts).toBe(3);
    await expect.poll(problems).toEqual([]);
  });
});

describe('imports in the configuration', () => {
  const config = place.path('two.json');
  const files = ['--db', place.path('two.db'), '--out', place.path('two-out'), '--config', config];
  beforeAll(async () => {
    for (const name of ['one', 'two']) {
      await mkdir(place.path(name));
      await writeFile(place.path(`${name}/${name}.md`), page(name, '2020-01-01'));
    }
    const imports = [
      { format: 'markdown', path: 'one' },
      { format: 'markdown', path: 'two', name: 'the other' },
    ];
    await writeFile(config, JSON.stringify({ site: { url: 'https://a.example' }, import: imports }));
  });

  test('run before a build, but only if something changed', async () => {
    expect(await answerOf(['build', ...files])).toMatchObject({ posts: 2 });
    const again = await answerOf(['import', ...files]);
    expect(again).toEqual([
      { format: 'markdown', path: place.path('one') },
      { format: 'markdown', path: place.path('two') },
    ]);
    const all = await answerOf(['import', ...files, '--all']);
    expect(all).toMatchObject([{ report: { unchanged: 1 } }, { report: { unchanged: 1 } }]);
  });

  test('name a post that is newly left out; status names it until it is corrected', async () => {
    const left = /two, checked .*\nleft out +broken\.md: its YAML/;
    const status = async () => (await offprintInProcess(['status', '--out', place.path('two-out')])).stdout;
    await writeFile(place.path('two/broken.md'), '---\ntitle: [\n---\nText.\n');
    const { code, stderr } = await offprintInProcess(['build', ...files]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /imported markdown .*two: 0 posts new or changed, 0 archived, 1 left out \(.*broken\.md: /,
    );
    expect(await status()).toMatch(left);
    expect((await offprintInProcess(['build', ...files])).stderr).toBe(''); // Not read again.
    expect(await status()).toMatch(left);
    await writeFile(place.path('two/later.md'), '---\ntitle: [\n---\nText.\n');
    expect((await offprintInProcess(['build', ...files])).stderr).toMatch(/2 left out \(later\.md: /);
    for (const name of ['broken', 'later']) rmSync(place.path(`two/${name}.md`));
    expect((await offprintInProcess(['build', ...files])).code).toBe(0);
    expect(await status()).not.toMatch(/left out/);
  });

  test('fail independently: the others are imported and published', async () => {
    renameSync(place.path('one'), place.path('away'));
    await writeFile(place.path('two/more.md'), page('More', '2020-01-02'));
    expect(await answerOf(['build', '--no-import', ...files])).toMatchObject({ posts: 2 });
    const { code, stdout, stderr } = await offprintInProcess(['build', ...files, '--json']);
    expect({ code, report: JSON.parse(stdout) }).toMatchObject({ code: 1, report: { posts: 3 } });
    expect(stderr).toMatch(/^not imported: markdown .*one: There is no folder at /);
    renameSync(place.path('away'), place.path('one'));
    expect((await offprintInProcess(['build', ...files])).code).toBe(0);
  });

  test('that would now stop, since Jekyll renders the site, keep their posts and report it', async () => {
    await writeFile(place.path('one/_config.yml'), 'plugins: [jekyll-feed]');
    const { code, stdout, stderr } = await offprintInProcess(['build', ...files, '--json']);
    expect({ code, report: JSON.parse(stdout) }).toMatchObject({ code: 1, report: { posts: 3 } });
    expect(stderr).toMatch(
      /^not imported: markdown .*one is a Jekyll site.*"format": "jekyll" and "path": ".*one"/,
    );
    const out = ['--out', place.path('two-out')];
    expect((await offprintInProcess(['status', ...out])).stdout).toMatch(/is a Jekyll site/);
    const blog = new Database(place.path('two.db'), { readonly: true });
    const status = blog.prepare("SELECT status FROM posts WHERE source LIKE '%one.md'").pluck();
    expect(status.all()).toEqual(['published']);
    blog.close();
    rmSync(place.path('one/_config.yml'));
    expect((await offprintInProcess(['build', ...files])).code).toBe(0);
  });

  test('must exist for an import without a path', async () => {
    const args = ['import', '--db', place.path('none.db'), '--out', place.path('none')];
    const { code, stderr } = await offprintInProcess(args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/There is nothing to import/)]);
    expect(existsSync(place.path('none.db'))).toBe(false);
  });
});

test('a real blog replaces the sample, also where it is published', async () => {
  const db = place.path('sample.db');
  const files = ['--db', db, '--out', place.path('sample-out')];
  await createSampleBlog(db, new Date());
  expect(await answerOf(['build', ...files])).toMatchObject({ posts: 39 });
  await mkdir(place.path('real'));
  await writeFile(place.path('real/r.md'), page('R', '2020-01-01'));
  const { code, stdout } = await offprintInProcess(['import', 'markdown', place.path('real'), '--db', db]);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The sample blog was removed/),
  });
  const blog = new Database(db, { readonly: true });
  expect(blog.prepare('SELECT slug FROM posts').pluck().all()).toEqual(['r']);
  expect(blog.prepare('SELECT name, url FROM site').get()).toEqual({
    name: 'Blog',
    url: 'https://blog.example',
  });
  for (const table of ['tags', 'categories', 'authors'])
    expect(blog.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
  blog.close();
  expect(await answerOf(['build', ...files])).toMatchObject({ posts: 1 });
});
