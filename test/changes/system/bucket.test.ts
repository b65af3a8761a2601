/**
 * A bucket has its own record of changes, independent of the output that is published to it.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { release, rollBack } from '../../../build/history/rollback.ts';
import { prune } from '../../../build/history/prune.ts';
import { BucketStorage } from '../../../build/publish/bucket-storage.ts';
import { objectPath } from '../../../contract/object-name.ts';
import { pointerOf } from '../../build/output.ts';
import { editing, publish, shortBlog } from '../../build/publishing.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { snapshotsIn, startMemoryStore } from '../../publish/memory-store.ts';
import { inBucket, publishTo } from '../../publish/publishing.ts';
import { Copy } from '../copy.ts';
import { gatewayOf, sorted } from '../service.ts';

/** A blog that is published to a bucket, each time from a new, empty output, as in CI. */
async function withoutState(posts = 30) {
  const store = await startMemoryStore();
  onTestFinished(() => store.close());
  const folder = temporaryFolder();
  const path = join(folder, 'blog.db');
  const out = join(folder, 'out');
  const to = `s3://${store.bucket}/ci`;
  shortBlog(path, posts, 4);
  const read: string[] = [];
  const run = async (sql: string, options: Parameters<typeof publishTo>[3] = {}) => {
    rmSync(out, { recursive: true, force: true });
    editing(path, (blog) => blog.exec(sql));
    await publish(path, out, { force: true });
    return publishTo(store.endpoint, to, out, options);
  };
  await run('');
  const service = await gatewayOf(snapshotsIn(store, 'ci', (kind) => read.push(kind)));
  const copy = new Copy();
  const step = (perPage = 50) => copy.step(perPage, (query) => service.ask('/changes', query));
  const expectCurrent = async () => {
    expect(sorted(copy.articles.values())).toEqual(sorted(await service.everything()));
  };
  const pointer = () => store.pointer(`${store.bucket}/ci`);
  return { store, path, out, to, run, service, step, copy, read, pointer, expectCurrent };
}

test('a CI job without state continues the record of the bucket', async () => {
  const { run, service, step, read, pointer, expectCurrent, out } = await withoutState();
  expect(await step()).toMatchObject({ whole: true, cursor: null });
  const { epoch } = pointer().changes ?? {};
  await run("UPDATE posts SET title = 'Changed' WHERE id = 3");
  await run('DELETE FROM posts WHERE id = 5');
  expect(pointer().changes).toMatchObject({ epoch, number: 3 });
  expect(pointerOf(out).changes).toMatchObject({ number: 1 });
  await service.refresh();
  read.length = 0;
  expect(await step()).toMatchObject({
    whole: false,
    items: [{ title: 'Changed' }],
    removed: [expect.any(String)],
  });
  expect(read.filter((kind) => kind === 'body')).toHaveLength(1);
  await expectCurrent();
});

test('a walk continues while such jobs publish, and after a rollback of the bucket', async () => {
  const { store, run, service, step, copy, pointer, expectCurrent, to, out } = await withoutState();
  await step(7);
  await run("UPDATE posts SET title = title || '!', slug = 'other-' || id WHERE id % 4 = 0");
  await run('DELETE FROM posts WHERE id % 5 = 0');
  await inBucket(store.endpoint, to, (bucket) => prune(new BucketStorage(bucket, out), 0));
  await service.refresh();
  await step(7);
  const [last] = pointer().previous;
  await inBucket(store.endpoint, to, (bucket) =>
    rollBack(new BucketStorage(bucket, out), last?.snapshot ?? ''),
  );
  await inBucket(store.endpoint, to, (bucket) => release(new BucketStorage(bucket, out)));
  await run("UPDATE posts SET title = title || '?' WHERE id % 7 = 0");
  await service.refresh();
  while (copy.isWalking) expect(await step(7)).toMatchObject({ whole: true, hasBegunAgain: false });
  await expectCurrent();
  expect(await step()).toMatchObject({ whole: false, items: [], removed: [] });
});

test('a record with a missing object starts again with publish --full', async () => {
  const { store, run, pointer, step, service, expectCurrent } = await withoutState();
  await run("UPDATE posts SET title = 'Changed' WHERE id = 3");
  await step();
  const { epoch } = pointer().changes ?? {};
  const parts = pointer().changes?.parts.map(({ hash }) => objectPath('lines', hash)) ?? [];
  expect(parts.length).toBeGreaterThan(0);
  for (const key of store.files.keys()) if (parts.some((path) => key.endsWith(path))) store.files.delete(key);
  await run('', { full: true });
  expect(pointer().changes?.epoch).not.toBe(epoch);
  await service.refresh();
  await run("UPDATE posts SET title = 'Changed again' WHERE id = 3");
  await service.refresh();
  expect(await step()).toMatchObject({ whole: true });
  await expectCurrent();
});

test('a record with a damaged object starts again, so copies miss no change', async () => {
  const { store, run, pointer, step, service, expectCurrent } = await withoutState();
  await step();
  await run("UPDATE posts SET title = 'Changed' WHERE id = 3");
  const part = pointer().changes?.parts[0]?.hash ?? '';
  const key = `${store.bucket}/ci/${objectPath('lines', part)}`;
  const text = String(store.files.get(key));
  // It can still be decoded, but has another slug.
  const damaged = text.replace(/.(?="\]$)/m, '~');
  expect(damaged).not.toBe(text);
  store.files.set(key, Buffer.from(damaged));
  await run("UPDATE posts SET title = 'Changed' WHERE id = 4");
  await service.refresh();
  expect(await step()).toMatchObject({ whole: true });
  await expectCurrent();
});
