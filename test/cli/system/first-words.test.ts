/** What `start` says first is true, and ends with what to do. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { PREFIX } from '../../../contract/api.ts';
import { openForWriting } from '../../../data/database.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { folderOf } from '../../import/folder.ts';
import { freePort } from '../../service/free-port.ts';
import { startServer } from '../../service/server-process.ts';

const LIST = z.object({ data: z.object({ items: z.array(z.object({ cover: z.string().nullable() })) }) });

async function start(cwd: string, ...args: readonly string[]) {
  const server = await startServer(['start', ...args], cwd);
  onTestFinished(async () => void (await server.end('SIGTERM')));
  await expect.poll(() => server.log).toContain('Ctrl-C stops.');
  return server;
}

test('the covers of the sample are at the address of each start', async () => {
  const folder = temporaryFolder();
  for (const port of [await freePort(), await freePort()]) {
    const server = await start(folder, '--port', String(port));
    expect(server.log).toContain('This is a sample. For your own blog');
    const response = await fetch(`${server.url}${PREFIX}/posts`);
    const covers = LIST.parse(await response.json()).data.items.flatMap(({ cover }) => cover ?? []);
    expect(covers.length).toBeGreaterThan(3);
    for (const cover of covers) expect((await fetch(cover)).status, cover).toBe(200);
    expect(covers.filter((cover) => !cover.startsWith(`${server.url}/`))).toEqual([]);
    await server.end('SIGTERM');
  }
});

test('a database without posts, as an import leaves it that was killed, has the command for a blog', async () => {
  const folder = temporaryFolder();
  openForWriting(join(folder, 'blog.db')).close();
  const { log } = await start(folder, '--db', 'blog.db', '--port', '0');
  expect(log).toContain('is serving Blog: 0 posts');
  expect(log).toMatch(
    /Nothing is published\. For your own blog, stop it and run:\n .*start --import ~\/blog/,
  );
});

test('a blog of drafts is named as that', async () => {
  const blog = folderOf({ 'a.md': '---\ntitle: A\ndraft: true\n---\nText.' });
  const { log } = await start(temporaryFolder(), '--import', blog, '--port', '0');
  expect(log).toContain('1 draft');
  expect(log).toContain('Nothing is published: the blog has no published posts, or all were left out.');
});
