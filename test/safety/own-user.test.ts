/**
 * The service as in deploy/: as a user who may only write its data.
 */
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, expect, it } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import { createSampleBlog } from '../../cli/sample-blog.ts';
import { ROOT } from '../docs/documents.ts';
import { send } from '../service/client.ts';
import { CAN_BE_NOBODY, NOBODY, spawnAsNobody } from './as-nobody.ts';
import { lacks } from '../lacks.ts';

const folder = mkdtempSync(join(tmpdir(), 'offprint-own-user-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Files of the checkout with their modification times. */
function checkout(): string[] {
  return fastGlob
    .sync('{*,{cli,data,gateway,out}/**}', { cwd: ROOT, stats: true })
    .map(({ path, stats }) => `${path} ${stats?.mtimeMs}`)
    .sort();
}

// Only root can switch to another user; other users are unprivileged anyway.
it.skipIf(lacks('the user root', CAN_BE_NOBODY))(
  'starts, builds, serves and stops, and writes nowhere else',
  async () => {
    await createSampleBlog(join(folder, 'blog.db'), new Date());
    for (const path of [folder, join(folder, 'blog.db')]) chownSync(path, NOBODY, NOBODY);
    const before = checkout();
    const files = ['--db', join(folder, 'blog.db'), '--out', join(folder, 'out')];
    const child = spawnAsNobody(['start', ...files, '--port', '0', '--log', 'json', '--cron', '* * * * * *']);
    let log = '';
    const read = (text: string): void => void (log += text);
    child.stderr.setEncoding('utf8').on('data', read);
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        read(text);
        const found = /"url":"([^"]+)"/.exec(log)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.on('close', () => reject(new Error(log)));
    });
    expect((await send(url, { path: `${PREFIX}/posts` })).status, log).toBe(200);
    expect((await send(url, { path: '/readyz' })).status).toBe(200);
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.kill('SIGTERM');
    expect(await ended, log).toBe(0);
    expect(log).not.toMatch(/"level":"error"|error:/);
    expect(readdirSync(folder).sort()).toEqual(expect.arrayContaining(['blog.db', 'out']));
    expect(checkout()).toEqual(before);
  },
);
