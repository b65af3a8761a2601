/**
 * A database and an output of version 0.1.0 (offprint-0.1.0.tar.gz) with the current package.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import { pointerOf } from '../build/output.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { send } from '../service/client.ts';
import { resultOf, spawnOffprint } from '../service/command.ts';
import { startServer } from '../service/server-process.ts';
import { installedPackage, programIn } from './installed.ts';

/** Three posts, and one key. */
const MADE_BY_0_1_0 = fileURLToPath(new URL('offprint-0.1.0.tar.gz', import.meta.url));
const KEY = 'opk_tIQmBINn_44NxLh47Puv4hXtGpaI2AObAgw5GQQQX2Bpje8';
const SNAPSHOT = '7wbffdthnz5rozbv3zjxblhdkf';

let program: string;
beforeAll(async () => {
  program = programIn(await installedPackage());
});

test('start continues with them: the same articles, and the key works', async () => {
  const place = temporaryFolder();
  execFileSync('tar', ['-xzf', MADE_BY_0_1_0], { cwd: place });
  const out = join(place, 'out');
  expect(pointerOf(out)).toMatchObject({ format: 1, snapshot: SNAPSHOT, built_by: 'offprint 0.1.0' });

  const files = ['--db', 'blog.db', '--out', 'out'];
  const server = await startServer(['start', '--port', '0', ...files], place, {}, program);
  onTestFinished(async () => void (await server.end('SIGKILL')));
  expect(pointerOf(out)).toMatchObject({ format: FORMAT, previous: [] });
  const ask = (path: string) =>
    send(server.url, { path: PREFIX + path, headers: { authorization: `Bearer ${KEY}` } });
  expect((await ask('/posts?sort=old')).json).toMatchObject({
    data: { items: [{ slug: 'p1', title: 'Post 1' }, { slug: 'p2' }, { slug: 'p3' }], meta: { total: 3 } },
  });
  expect((await ask('/posts/p3')).text).toContain('<p>Text 3 <em>a</em></p>');
  expect((await ask('/me')).json).toMatchObject({ data: { key: { name: 'site' }, quota: { used: 3 } } });
  expect(await server.end('SIGTERM')).toBe(0);

  const verified = await resultOf(spawnOffprint(['snapshots', 'verify', '--out', 'out'], place, {}, program));
  expect(verified.code, verified.stderr).toBe(0);
});
