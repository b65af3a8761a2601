/**
 * A publish never overwrites a bucket of another blog, empties it, or drops its limits, without --force.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FORMATS } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import { openForWriting } from '../../data/database.ts';
import { pruneBucket } from '../../build/publish/bucket-prune.ts';
import { releaseBucket, rollBackBucket } from '../../build/publish/bucket-snapshots.ts';
import type { BuildOptions } from '../../build/build.ts';
import { DEFAULT_LIMITS } from '../../contract/policy.ts';
import { offprintInProcess } from '../service/in-process.ts';
import { pointerOf } from '../build/output.ts';
import { editing, publish as build, shortBlog } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { expectOneLine } from '../build/untouched.ts';
import { BUCKET_ENVIRONMENT } from '../service/bucket-credentials.ts';
import { type MemoryStore, startMemoryStore } from './memory-store.ts';
import { inBucket, publishTo } from './publishing.ts';

const [TO, PREFIX] = ['s3://blog/here', 'blog/here'];

let store: MemoryStore;
beforeAll(async () => void (store = await startMemoryStore()));
afterAll(() => store.close());
beforeEach(() => store.files.clear());

/** A blog of 20 posts with an address, built into its own output. */
async function blogAt(address: string, options: Partial<BuildOptions> = {}) {
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, 20, 4);
  editing(db, (open) => open.prepare('UPDATE site SET url = ?').run(address));
  await build(db, out, options);
  return { db, out };
}

const publish = (out: string, more = {}) => publishTo(store.endpoint, TO, out, more);
const publishCommand = (out: string, ...more: readonly string[]) =>
  offprintInProcess(
    ['publish', '--out', out, '--to', TO, '--endpoint', store.endpoint, ...more],
    BUCKET_ENVIRONMENT,
  );

test('another blog is rejected with both ids and counts, and accepted with --force', async () => {
  const real = await blogAt('https://real.example');
  const { posts } = await publish(real.out);
  const other = await blogAt('https://other.example');
  const before = store.hashes();

  const line = expectOneLine(await publishCommand(other.out));
  expect(line).toContain(
    `${TO} serves the blog "real.example" (${posts} posts), but this is "other.example" (`,
  );
  expect(line).toContain('publish --force');
  expect(store.hashes()).toEqual(before);

  expect(await publishCommand(other.out, '--force')).toMatchObject({ code: 0 });
  expect(store.pointer(PREFIX).blog).toBe('other.example');
});

test('a build with an empty output, as in CI, cannot remove most of a bucket', async () => {
  const real = await blogAt('https://real.example');
  const { posts } = await publish(real.out);
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'ci.db'), join(folder, 'out')];
  const open = openForWriting(db);
  const sample = join(import.meta.dirname, '../../data/sample/posts/2023-03-20-the-pointer.md');
  const items = FORMATS.markdown.read(join(sample, '..'), { now: new Date() });
  await importBlog({ db: open, items, site: { url: 'https://real.example' } });
  open.exec("DELETE FROM posts WHERE slug NOT LIKE '%pointer%'");
  open.close();
  await build(db, out, { now: new Date() });
  const left = pointerOf(out).posts;
  expect(left).toBeLessThan(posts / 2);

  const line = expectOneLine(await publishCommand(out));
  expect(line).toContain(`would leave ${left} of ${posts} published posts in ${TO}`);
  expect(store.pointer(PREFIX).posts).toBe(posts);
  await publish(out, { force: true });
  expect(store.pointer(PREFIX).posts).toBe(left);
});

describe('limits', () => {
  const limits = { day: { ...DEFAULT_LIMITS.day, user: 5000 }, minute: 30 };
  const address = 'https://real.example';

  test('of a bucket are kept if no configuration was found', async () => {
    await publish((await blogAt(address, { limits })).out);
    const { out } = await blogAt(address, { limits: DEFAULT_LIMITS, configured: false });
    const line = expectOneLine(await publishCommand(out));
    expect(line).toContain(`${TO} would fall back to the default limits: limits.day.user 5000 → 100`);
    expect(store.pointer(PREFIX).snapshot).not.toBe(pointerOf(out).snapshot);
    await publish(out, { force: true });
    expect(store.pointer(PREFIX).snapshot).toBe(pointerOf(out).snapshot);
    await publish(out);
  });

  test('are also kept if it is unknown how the output was built', async () => {
    await publish((await blogAt(address, { limits })).out);
    const { out } = await blogAt(address, { limits: DEFAULT_LIMITS });
    rmSync(join(out, 'state', 'last-build.json'));
    expect(expectOneLine(await publishCommand(out))).toContain('limits.day.user 5000 → 100');
  });

  test('can be reset to the defaults by a configuration', async () => {
    await publish((await blogAt(address, { limits })).out);
    const { out } = await blogAt(address, { limits: DEFAULT_LIMITS, configured: true });
    expect(await publishCommand(out)).toMatchObject({ code: 0 });
  });
});

test('a blog that gets a name keeps its bucket', async () => {
  const { db, out } = await blogAt('https://real.example');
  await publish(out);
  await build(db, out, { blog: 'mine' });
  await publish(out);
  expect(store.pointer(PREFIX).blog).toBe('mine');
});

test('rollback, release and prune of a bucket keep the blog', async () => {
  const { db, out } = await blogAt('https://real.example');
  const { snapshot } = await publish(out);
  editing(db, (open) => open.exec("UPDATE posts SET title = title || '!'"));
  await build(db, out);
  await publish(out);
  const expectBlog = (held: boolean) =>
    expect(store.pointer(PREFIX)).toMatchObject({ blog: 'real.example', snapshot, held });
  await inBucket(store.endpoint, TO, (bucket) => rollBackBucket(bucket, out, snapshot));
  expectBlog(true);
  await inBucket(store.endpoint, TO, (bucket) => releaseBucket(bucket, out));
  await inBucket(store.endpoint, TO, (bucket) => pruneBucket(bucket, out, 0));
  expectBlog(false);
});
