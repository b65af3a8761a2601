/**
 * A publish never overwrites a bucket of another blog, empties it, or drops its limits, without --force.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BuildOptions } from '../../../build/build.ts';
import { DEFAULT_LIMITS } from '../../../contract/policy.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { pointerOf } from '../../build/output.ts';
import { editing, publish as build, shortBlog } from '../../build/publishing.ts';
import { blogPaths, temporaryFolder } from '../../build/temporary-folder.ts';
import { expectOneLine } from '../../build/untouched.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { type MemoryStore, startMemoryStore } from '../memory-store.ts';
import { publishTo } from '../publishing.ts';

const [TO, PREFIX] = ['s3://blog/here', 'blog/here'];

let store: MemoryStore;
beforeAll(async () => void (store = await startMemoryStore()));
afterAll(() => store.close());
beforeEach(() => store.files.clear());

/** A blog of 20 posts with an address, built into its own output. */
async function blogAt(address: string, options: Partial<BuildOptions> = {}) {
  const { db, out } = blogPaths();
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
  const { db } = await blogAt('https://real.example');
  editing(db, (open) => open.exec('DELETE FROM posts WHERE id > 5'));
  const out = join(temporaryFolder(), 'out');
  await build(db, out);
  const left = pointerOf(out).posts;
  expect(left).toBeLessThan(posts / 2);

  const line = expectOneLine(await publishCommand(out));
  expect(line).toContain(`would leave only ${left} of ${posts} published posts in ${TO}`);
  expect(store.pointer(PREFIX).posts).toBe(posts);
  await publish(out, { force: true });
  expect(store.pointer(PREFIX).posts).toBe(left);
});

describe('limits', () => {
  const limits = { day: { ...DEFAULT_LIMITS.day, user: 5000 }, minute: 30 };
  const address = 'https://real.example';

  // The last build knows whether there was a configuration.
  test.each([
    ['without a configuration are kept', { configured: false }, false, false],
    ['are kept if it is unknown how the output was built', {}, true, false],
    ['can be reset by a configuration', { configured: true }, false, true],
  ])('of a bucket %s', async (_, options, isForgotten, isPublished) => {
    await publish((await blogAt(address, { limits })).out);
    const { out } = await blogAt(address, { limits: DEFAULT_LIMITS, ...options });
    if (isForgotten) rmSync(join(out, 'state', 'results.db'));
    const { code, stderr } = await publishCommand(out);
    expect(code).toBe(isPublished ? 0 : 1);
    if (isPublished) return;
    expect(stderr).toContain(`${TO} would fall back to the default limits: limits.day.user 5000 → 100`);
    expect(store.pointer(PREFIX).snapshot).not.toBe(pointerOf(out).snapshot);
    await publish(out, { force: true });
    expect(store.pointer(PREFIX).snapshot).toBe(pointerOf(out).snapshot);
  });
});

test('a blog that gets a name keeps its bucket', async () => {
  const { db, out } = await blogAt('https://real.example');
  await publish(out);
  await build(db, out, { blog: 'mine' });
  await publish(out);
  expect(store.pointer(PREFIX).blog).toBe('mine');
});
