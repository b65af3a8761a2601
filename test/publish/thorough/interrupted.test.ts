/**
 * Killed publishes, and the publishes after them.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { touchEveryPost } from '../../../bench/generate/changes.ts';
import { packPath } from '../../../contract/pack.ts';
import { startOffprint } from '../../build/offprint-process.ts';
import { pointerOf, namedBySnapshot } from '../../build/output.ts';
import { editing } from '../../build/publishing.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { type MemoryStore, startMemoryStore } from '../memory-store.ts';
import { type Proxy, startProxy } from '../proxy.ts';
import { builtBlog, publishTo } from '../publishing.ts';
import { storedFiles } from '../stored-files.ts';

let store: MemoryStore;
let proxy: Proxy;
beforeAll(async () => {
  store = await startMemoryStore();
  proxy = await startProxy(store.endpoint);
});
afterAll(async () => {
  await proxy.close();
  await store.close();
});

const CONNECTIONS = 4;
const KILLED_AFTER = 25;
const POSTS = 60;

/** Publishes by the command line, with `kill -9` after this many uploads. */
async function killedPublish(proxy: Proxy, out: string, to: string): Promise<void> {
  const args = ['publish', '--out', out, '--to', to, '--endpoint', proxy.endpoint];
  let isKilled = false;
  proxy.seen.length = 0;
  proxy.fault = () => {
    if (proxy.puts().length >= KILLED_AFTER) {
      isKilled = true;
      publishing.child.kill('SIGKILL');
    }
    return undefined;
  };
  const env = { ...BUCKET_ENVIRONMENT };
  const publishing = startOffprint([...args, '--connections', String(CONNECTIONS)], { env });
  expect(await publishing.ended).toBeNull();
  expect(isKilled).toBe(true);
}

/** Publishes and returns the uploaded paths, without probes and without packs, which come before the pointer. */
async function putBy(proxy: Proxy, out: string, to: string): Promise<string[]> {
  proxy.seen.length = 0;
  proxy.fault = () => undefined;
  await publishTo(proxy.endpoint, to, out);
  const puts = proxy.puts().map((path) => path.replace(/^[^/]+\//, ''));
  expect(puts.slice(-2)).toEqual([packPath(pointerOf(out).snapshot), 'snapshot.json']);
  return puts.filter((path) => !/^(?:packs\/|probe-)/.test(path));
}

async function changedBlog(prefix: string) {
  const blog = await builtBlog(POSTS);
  const to = `s3://${store.bucket}/${prefix}`;
  const stored = storedFiles(store, `${prefix}/`);
  await publishTo(store.endpoint, to, blog.out);
  const { snapshot } = await stored.pointer();
  const before = new Set(await stored.paths());
  editing(blog.db, (db) => touchEveryPost(db, 1));
  await blog.build();
  const changed = [...namedBySnapshot(blog.out).filter((path) => !before.has(path)), 'snapshot.json'];
  expect(changed.length).toBeGreaterThan(POSTS);
  return { ...blog, to, stored, changed, snapshot };
}

test('after kill -9 the old snapshot stays complete, and the next publish uploads only the rest', async () => {
  const { out, to, stored, changed, snapshot } = await changedBlog('killed');
  await killedPublish(proxy, out, to);
  expect((await stored.pointer()).snapshot).toBe(snapshot);
  expect(await stored.faults()).toEqual([]);
  const there = new Set(await stored.paths());
  const left = changed.filter((path) => path === 'snapshot.json' || !there.has(path));
  expect(changed.length - left.length).toBeGreaterThan(KILLED_AFTER / 2);

  const puts = await putBy(proxy, out, to);
  // Uploads in flight may have arrived, and are repeated; one is of the record of changes.
  expect(puts).toEqual(expect.arrayContaining(left));
  expect(puts.length - left.length).toBeLessThanOrEqual(CONNECTIONS + 1);
  expect((await stored.pointer()).snapshot).toBe(pointerOf(out).snapshot);
  expect(await stored.faults()).toEqual([]);
});

test('a killed first publish is continued too, also from another machine', async () => {
  const { out } = await builtBlog(POSTS);
  const to = `s3://${store.bucket}/first`;
  const stored = storedFiles(store, 'first/');
  await killedPublish(proxy, out, to);
  expect(await stored.read('snapshot.json')).toBeUndefined();
  const there = new Set(await stored.paths());
  rmSync(join(out, 'state'), { recursive: true });
  const puts = await putBy(proxy, out, to);
  expect(puts.sort()).toEqual(
    [...namedBySnapshot(out).filter((path) => !there.has(path)), 'snapshot.json'].sort(),
  );
  expect(await stored.faults()).toEqual([]);
});
