/**
 * A publish uploads nothing that a symbolic link in the output leads to.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectsIn } from '../../build/output.ts';
import { type MemoryStore, startMemoryStore } from '../memory-store.ts';
import { builtBlog, publishTo } from '../publishing.ts';

let store: MemoryStore;
beforeAll(async () => void (store = await startMemoryStore()));
afterAll(() => store.close());

const SECRET = 'a-secret-of-this-machine';

function linkToSecret(out: string, path: string): void {
  const secret = join(out, '..', 'secret');
  writeFileSync(secret, SECRET);
  rmSync(join(out, path), { force: true });
  mkdirSync(dirname(join(out, path)), { recursive: true });
  symlinkSync(secret, join(out, path));
}

function expectNoSecret(): void {
  for (const [key, bytes] of store.files) {
    const content = bytes.readUInt16BE(0) === 0x1f8b ? gunzipSync(bytes) : bytes;
    expect(content.includes(SECRET), key).toBe(false);
  }
}

test.each(['body', 'lines', 'numbers', 'positions', 'directory'])(
  'in place of an object (%s) that the bucket already has',
  async (kind) => {
    const blog = await builtBlog(5);
    const to = `s3://${store.bucket}/${kind}`;
    await publishTo(store.endpoint, to, blog.out);
    const linked = objectsIn(blog.out).filter((path) => path.startsWith(`objects/${kind}/`));
    expect(linked.length).toBeGreaterThan(0);
    await blog.addPost('the-news');
    for (const path of linked) linkToSecret(blog.out, path);
    await publishTo(store.endpoint, to, blog.out).catch(() => undefined);
    expectNoSecret();
  },
);

test('in place of the record of a key', async () => {
  const blog = await builtBlog(5);
  linkToSecret(blog.out, `keys/${'a'.repeat(64)}.json`);
  await publishTo(store.endpoint, `s3://${store.bucket}/keys`, blog.out);
  expectNoSecret();
});
