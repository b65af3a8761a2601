/**
 * Publishing by the command line to Wrangler's local R2, which checks signatures and conditions.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { COUNTS } from '../../../bench/cost/usage.ts';
import { prune } from '../../../build/history/prune.ts';
import { BucketStorage } from '../../../build/publish/bucket-storage.ts';
import { objectPath } from '../../../contract/object-name.ts';
import { splitBucketPointer } from '../../../contract/bucket-pointer.ts';
import { packPath } from '../../../contract/pack.ts';
import type { Pointer } from '../../../contract/pointer.ts';
import { filesIn, objectsIn, pointerOf, namedBySnapshot } from '../../build/output.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { createdKeySchema } from '../../service/key-commands.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { type LocalBucket, startLocalBucket } from '../../service/local-bucket.ts';
import { startMemoryStore } from '../memory-store.ts';
import { beforeFirst, proxied, type Seen } from '../proxy.ts';
import { builtBlog, inBucket, publishTo } from '../publishing.ts';
import { storedFiles } from '../stored-files.ts';

vi.setConfig({ testTimeout: 120_000 });

let local: LocalBucket;
beforeAll(async () => void (local = await startLocalBucket()));
afterAll(() => local.close());

const reportSchema = z
  .object({
    uploaded: z.number(),
    bytes: z.number(),
    keys: z.strictObject({ put: z.number(), removed: z.number() }),
  })
  .loose();

/** `s3://BUCKET/PREFIX`, and what is below it. */
function at(prefix: string) {
  return { to: `s3://${local.bucket}/${prefix}`, stored: storedFiles(local, `${prefix}/`) };
}

/**
 * A store in memory with all objects of a large blog, as after an interrupted first publish; a real one takes long.
 */
async function largeInMemory(out: string, prefix: string) {
  const store = await startMemoryStore();
  onTestFinished(() => store.close());
  const proxy = await proxied(store.endpoint);
  const keyOf = (path: string) => `memory/${prefix}/${path}`;
  for (const path of namedBySnapshot(out)) store.files.set(keyOf(path), readFileSync(join(out, path)));
  return {
    proxy,
    to: `s3://memory/${prefix}`,
    has: (path: string) => store.files.has(keyOf(path)),
    /** The paths of the bucket's record of changes. */
    record: () =>
      store.pointer(`memory/${prefix}`).changes?.parts.map(({ hash }) => objectPath('lines', hash)) ?? [],
    /** Served paths that differ from the output or are missing. */
    faults: () => [
      ...namedBySnapshot(out).filter(
        (path) => store.files.get(keyOf(path))?.equals(readFileSync(join(out, path))) !== true,
      ),
      ...(store.pointer(`memory/${prefix}`).snapshot === pointerOf(out).snapshot ? [] : ['snapshot.json']),
    ],
  };
}

/** The pointer of a bucket after a first publish: with a record of changes of its own. */
function withRecord({ changes, ...pointer }: Pointer) {
  return { ...pointer, changes: { ...changes, epoch: expect.any(String) } };
}

async function publishCommand(out: string, to: string, ...more: string[]) {
  const args = ['publish', '--out', out, '--to', to, '--endpoint', local.endpoint, ...more];
  return reportSchema.parse(await answerOf(args, BUCKET_ENVIRONMENT));
}

describe('publish', () => {
  test('uploads everything that is published, byte for byte, and nothing else', async () => {
    const { db, out } = await builtBlog(10);
    await answerOf(['keys', 'create', '--db', db, '--out', out, '--account', 'ada', '--name', 'site']);
    writeFileSync(join(out, 'objects', 'body', 'stray'), '{}');
    const { to, stored } = at('whole');

    const report = await publishCommand(out, to);
    const named = namedBySnapshot(out);
    const keys = filesIn(out).filter((path) => path.startsWith('keys/'));
    expect(keys.length).toBe(1);
    expect(await stored.paths()).toEqual([...keys, ...named, 'snapshot.json'].sort());
    for (const path of [...keys, ...named]) {
      expect((await stored.read(path))?.equals(readFileSync(join(out, path))), path).toBe(true);
    }
    expect(await stored.pointer()).toEqual(withRecord(pointerOf(out)));
    const { snapshot, posts } = pointerOf(out);
    const counts = { uploaded: named.length, skipped: 0, keys: { put: 1, removed: 0 }, retries: 0 };
    expect(report).toMatchObject({ snapshot, posts, ...counts });
    expect(report.bytes).toBe(named.reduce((sum, path) => sum + readFileSync(join(out, path)).length, 0));

    const object = await stored.headers(named[0] ?? '');
    expect(object.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(object.get('content-type')).toBe('application/octet-stream');
    const pointer = await stored.headers('snapshot.json');
    expect(pointer.get('cache-control')).toBe('no-cache');
    expect(pointer.get('content-type')).toBe('application/json');
    expect((await stored.headers(keys[0] ?? '')).get('cache-control')).toBe('private, no-store');
  });

  test('accepts a bucket without a prefix, and an endpoint that ends with the bucket', async () => {
    const { out } = await builtBlog(5);
    const other = await startLocalBucket('other-bucket');
    onTestFinished(() => other.close());
    const args = ['--out', out, '--to', 's3://other-bucket', '--endpoint', `${other.endpoint}/other-bucket/`];
    await answerOf(['publish', ...args], BUCKET_ENVIRONMENT);
    const stored = storedFiles(other, '');
    expect(await stored.paths()).toEqual([...namedBySnapshot(out), 'snapshot.json'].sort());
    expect(await stored.faults()).toEqual([]);
  });

  test('uploads only what one new post changed, within a limit, and the pointer last', async () => {
    const blog = await builtBlog(1000);
    const { proxy, to, has, record, faults } = await largeInMemory(blog.out, 'one-post');
    await publishTo(proxy.endpoint, to, blog.out);
    proxy.seen.length = 0;
    await blog.addPost('the-news');
    const changed = namedBySnapshot(blog.out).filter((path) => !has(path));

    const { uploaded, skipped } = await publishTo(proxy.endpoint, to, blog.out);
    const puts = proxy.puts().map((path) => path.replace('one-post/', ''));
    expect([...puts].sort()).toEqual(
      [...changed, ...record(), packPath(pointerOf(blog.out).snapshot), 'snapshot.json'].sort(),
    );
    expect(puts.slice(-4)).toEqual([
      expect.stringMatching(/^objects\/directory\//),
      ...record(),
      expect.stringMatching(/^packs\//),
      'snapshot.json',
    ]);
    expect(puts.length).toBeLessThanOrEqual(COUNTS.publish.puts);
    expect({ uploaded, skipped }).toEqual({
      uploaded: changed.length,
      skipped: namedBySnapshot(blog.out).length - changed.length,
    });
    // Further costs: one read of the pointer, and one listing of the keys.
    const others = proxy.seen.filter(({ method }) => method !== 'PUT');
    expect(others.map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect(others.length).toBe(COUNTS.publish.gets + COUNTS.publish.lists);
    expect(faults()).toEqual([]);
  });

  test('downloads the names of a snapshot that this machine lacks, and nothing else', async () => {
    const blog = await builtBlog(2200);
    const { proxy, to, has, record, faults } = await largeInMemory(blog.out, 'another-machine');
    await publishTo(proxy.endpoint, to, blog.out);
    await blog.addPost('the-news');
    const named = new Set(namedBySnapshot(blog.out));
    for (const path of objectsIn(blog.out)) if (!named.has(path)) rmSync(join(blog.out, path));
    const changed = [...named].filter((path) => !has(path));

    proxy.seen.length = 0;
    await publishTo(proxy.endpoint, to, blog.out);
    const puts = proxy
      .puts()
      .map((path) => path.replace('another-machine/', ''))
      .filter((path) => !path.startsWith('probe-'));
    expect(puts.sort()).toEqual([...changed, ...record(), 'snapshot.json'].sort());
    const gets = proxy.seen.filter(({ method, url }) => method === 'GET' && url.includes('/objects/'));
    expect(gets.length).toBeGreaterThan(0);
    expect(gets.length).toBeLessThan(12);
    expect(faults()).toEqual([]);
  });

  test('with --full repairs objects that are missing or of the wrong size', async () => {
    const { out } = await builtBlog(5);
    const { to, stored } = at('repaired');
    await publishTo(local.endpoint, to, out);
    const [gone = '', short = ''] = namedBySnapshot(out).filter((path) => path.startsWith('objects/body/'));
    await stored.remove(gone);
    await stored.write(short, '{');
    expect((await publishCommand(out, to)).uploaded).toBe(0);
    expect((await stored.faults()).length).toBe(2);
    expect((await publishCommand(out, to, '--full')).uploaded).toBe(2);
    expect(await stored.faults()).toEqual([]);
  });

  test('publishes nothing damaged', async () => {
    const blog = await builtBlog(5);
    const { to, stored } = at('damaged');
    await publishTo(local.endpoint, to, blog.out);
    const { snapshot } = await stored.pointer();
    await blog.addPost('the-news');
    const added = objectsIn(blog.out).find(
      (path) =>
        path.startsWith('objects/body/') &&
        readFileSync(join(blog.out, path), 'utf8').startsWith('{"success":true,"data":{"slug":"the-news"'),
    );
    writeFileSync(join(blog.out, added ?? ''), '{"success":false}');
    await expect(publishTo(local.endpoint, to, blog.out)).rejects.toThrow('is missing or damaged');
    expect((await stored.pointer()).snapshot).toBe(snapshot);
    expect(await stored.paths()).not.toContain(added);
    expect(await stored.faults()).toEqual([]);
  });

  test('rejects a body that is damaged on its way', async () => {
    const { out } = await builtBlog(3);
    const { to } = at('broken-body');
    const proxy = await proxied(local.endpoint);
    // The same request, with one byte of the body changed.
    proxy.corrupt = (body) => Buffer.from(body.toString().replace('true', 'tru3'));
    const path = namedBySnapshot(out)[0] ?? '';
    const put = (endpoint: string) =>
      inBucket(endpoint, to, (bucket) => bucket.put(path, Buffer.from('{"whole":true}'), 'no-cache'));
    expect(await put(local.endpoint)).toBeDefined();
    await expect(put(proxy.endpoint)).rejects.toThrow('400, XAmzContentSHA256Mismatch');
  });
});

describe('each fault is reported in one line', () => {
  const wrong: [string, Record<string, string>, string[], number, string][] = [
    ['a wrong secret', { AWS_SECRET_ACCESS_KEY: 'wrong-secret' }, [], 1, '403, SignatureDoesNotMatch'],
    ['a wrong access key', { AWS_ACCESS_KEY_ID: 'wrong' }, [], 1, '401, Unauthorized'],
    ['no access key', { AWS_ACCESS_KEY_ID: '' }, [], 1, 'AWS_ACCESS_KEY_ID is not set'],
    ['no secret', { AWS_SECRET_ACCESS_KEY: '' }, [], 1, 'AWS_SECRET_ACCESS_KEY is not set'],
    ['a bucket that is not there', {}, ['--to', 's3://no-such-bucket'], 1, 'NoSuchBucket. Create the bucket'],
    ['no address of a bucket', {}, ['--to', 'local-bucket'], 2, 'is not a bucket address'],
    ['a prefix that leads out', {}, ['--to', 's3://local-bucket/../x'], 2, 'is not a bucket address'],
    ['no endpoint', {}, ['--endpoint', ''], 2, '--endpoint is empty'],
    ['nothing published', {}, ['--out', '/nowhere/at/all'], 1, 'Nothing is published in /nowhere/at/all'],
  ];
  test.each([
    ['start', '--port', '0', '--publish-to'],
    ['keys', 'create', '--account', 'a', '--name', 'n', '--json', '--to'],
  ])('a wrong bucket for %s %s', async (...command) => {
    const { db, out } = await builtBlog(3);
    const files = ['--db', db, '--out', out, '--endpoint', local.endpoint];
    const wrongly = await offprintInProcess([...command, 's3:/typo', ...files], BUCKET_ENVIRONMENT);
    expect(wrongly).toMatchObject({ code: 2, stdout: '' });
    expect(wrongly.stderr).toContain('is not a bucket address');
    const without = await offprintInProcess([...command, 's3://blog', ...files]);
    expect(without.stderr).toContain('AWS_ACCESS_KEY_ID is not set');
    expect(await answerOf(['keys', 'list', '--db', db])).toEqual([]);
  });

  test.each(wrong)('%s', async (_, environment, options, code, message) => {
    const { out } = await builtBlog(3);
    const { to, stored } = at('wrong');
    const args = ['publish', '--out', out, '--to', to, '--endpoint', local.endpoint, ...options];
    const result = await offprintInProcess(args, { ...BUCKET_ENVIRONMENT, ...environment });
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(message);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
    expect(result.stderr).not.toContain(BUCKET_ENVIRONMENT['AWS_SECRET_ACCESS_KEY']);
    expect(result.stderr).not.toContain('wrong-secret');
    expect(await stored.paths()).toEqual([]);
  });

  test("a pointer in the bucket that is not Offprint's", async () => {
    const { out } = await builtBlog(3);
    const { to, stored } = at('foreign');
    await stored.write('snapshot.json', '{"hello":1}');
    await expect(publishTo(local.endpoint, to, out)).rejects.toThrow('snapshot.json in s3://');
    expect(await stored.paths()).toEqual(['snapshot.json']);
    await publishCommand(out, to, '--full');
    expect(await stored.pointer()).toEqual(withRecord(pointerOf(out)));
    expect(await stored.faults()).toEqual([]);
  });
});

describe('keys', () => {
  const command = (blog: { db: string; out: string }, to: string, ...args: string[]) =>
    answerOf(
      ['keys', ...args, '--db', blog.db, '--out', blog.out, '--to', to, '--endpoint', local.endpoint],
      BUCKET_ENVIRONMENT,
    );
  const recordsIn = async (prefix: string) => {
    const { stored } = at(prefix);
    const paths = (await stored.paths()).filter((path) => path.startsWith('keys/'));
    return Promise.all(
      paths.map(async (path): Promise<{ prefix: string; revoked: boolean }> => {
        return JSON.parse((await stored.read(path))?.toString() ?? '');
      }),
    );
  };

  test('are uploaded, revoked and rotated in the bucket at once', async () => {
    const blog = await builtBlog(3);
    const { to } = at('keys');
    const first = createdKeySchema.parse(await command(blog, to, 'create', '--account', 'a', '--name', 'n'));
    const states = async () =>
      Object.fromEntries((await recordsIn('keys')).map(({ prefix, revoked }) => [prefix, revoked]));
    expect(await states()).toEqual({ [first.prefix]: false });
    const second = createdKeySchema.parse(await command(blog, to, 'rotate', first.prefix));
    expect(await states()).toEqual({ [first.prefix]: true, [second.prefix]: false });
    await command(blog, to, 'revoke', second.prefix);
    expect(await states()).toEqual({ [first.prefix]: true, [second.prefix]: true });
  });

  test('are printed even if the bucket could not be updated, and "publish" updates it', async () => {
    const blog = await builtBlog(3);
    const { to } = at('keys-later');
    const files = ['--db', blog.db, '--out', blog.out, '--to', to, '--endpoint', local.endpoint];
    const create = ['keys', 'create', '--account', 'a', '--name', 'n', ...files, '--json'];
    const environment = { ...BUCKET_ENVIRONMENT, AWS_SECRET_ACCESS_KEY: 'wrong' };
    const { code, stdout, stderr } = await offprintInProcess(create, environment);
    expect(code).toBe(1);
    expect(stderr).toContain('SignatureDoesNotMatch');
    const { prefix } = createdKeySchema.parse(JSON.parse(stdout));
    const status = async () => (await offprintInProcess(['status', '--out', blog.out])).stdout;
    expect(await status()).toMatch(/^failed +publishing s3:\S+, for .*but not in s3/m);
    expect(await publishCommand(blog.out, to)).toMatchObject({ keys: { put: 1, removed: 0 } });
    expect((await recordsIn('keys-later')).map((record) => record.prefix)).toEqual([prefix]);
    expect(await status()).not.toContain('failed');
  });

  test('missing in the output are removed, unless the output has no keys', async () => {
    const { out } = await builtBlog(3);
    const { to } = at('keys-gone');
    mkdirSync(join(out, 'keys'));
    const path = (digit: string) => join(out, 'keys', `${digit.repeat(64)}.json`);
    for (const digit of ['1', '2']) writeFileSync(path(digit), `{"prefix":"${digit}"}`);
    expect((await publishCommand(out, to)).keys).toEqual({ put: 2, removed: 0 });
    expect((await publishCommand(out, to)).keys).toEqual({ put: 0, removed: 0 });
    rmSync(path('1'));
    writeFileSync(path('2'), '{"prefix":"changed"}');
    expect((await publishCommand(out, to)).keys).toEqual({ put: 1, removed: 1 });
    expect(await recordsIn('keys-gone')).toEqual([{ prefix: 'changed' }]);
    rmSync(path('2'));
    expect((await publishCommand(out, to)).keys).toEqual({ put: 0, removed: 0 });
    expect(await recordsIn('keys-gone')).toHaveLength(1);
  });

  test('created during a publish stay in the bucket', async () => {
    const blog = await builtBlog(3);
    const { to } = at('made');
    await command(blog, to, 'create', '--account', 'a', '--name', 'first');
    const proxy = await proxied(local.endpoint);
    const isListing = ({ url }: Seen) => url.includes('prefix=made%2Fkeys');
    const isCreated = beforeFirst(proxy, isListing, () =>
      command(blog, to, 'create', '--account', 'a', '--name', 'second'),
    );
    await publishTo(proxy.endpoint, to, blog.out);
    expect(isCreated()).toBe(true);
    expect(await recordsIn('made')).toHaveLength(2);
  });

  test('revoked during a publish stay revoked', async () => {
    const blog = await builtBlog(3);
    const { to } = at('keys-race');
    const files = ['--db', blog.db, '--out', blog.out];
    const created = await answerOf(['keys', 'create', ...files, '--account', 'a', '--name', 'n']);
    const { prefix } = createdKeySchema.parse(created);
    const proxy = await proxied(local.endpoint);
    // The record is being uploaded as it was: active.
    const isUpload = ({ method, url }: Seen) => method === 'PUT' && url.includes('/keys/');
    const isRevoked = beforeFirst(proxy, isUpload, () => command(blog, to, 'revoke', prefix));
    await publishTo(proxy.endpoint, to, blog.out);
    expect(isRevoked()).toBe(true);
    expect(await recordsIn('keys-race')).toMatchObject([{ prefix, revoked: true }]);
  });
});

describe('snapshots --to', () => {
  const snapshots = (to: string, out: string, ...args: string[]) =>
    offprintInProcess(
      ['snapshots', ...args, '--to', to, '--out', out, '--endpoint', local.endpoint],
      BUCKET_ENVIRONMENT,
    );

  test('rolls back, holds, releases', async () => {
    const blog = await builtBlog(5);
    const { to, stored } = at('rollback');
    const old = (await publishTo(local.endpoint, to, blog.out)).snapshot;
    await blog.addPost('bad-news');
    const bad = (await publishTo(local.endpoint, to, blog.out)).snapshot;

    expect(await snapshots(to, '/no/output/here', 'rollback', old.slice(0, 5))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        ` snapshots release --out /no/output/here --to ${to} --endpoint ${local.endpoint}\n`,
      ),
    });
    const hasPack = async () =>
      splitBucketPointer((await stored.read('snapshot.json')) ?? Buffer.alloc(0)).pack !== null;
    expect(await hasPack()).toBe(false);
    expect(await stored.pointer()).toMatchObject({
      snapshot: old,
      held: true,
      previous: [{ snapshot: bad }],
    });
    expect((await snapshots(to, blog.out, 'list')).stdout).toMatch(new RegExp(`^${old}.*served, held$`, 'm'));
    await expect(publishTo(local.endpoint, to, blog.out)).rejects.toThrow(
      `"snapshots release --to ${to} --endpoint ${local.endpoint}" to publish again`,
    );
    expect((await stored.pointer()).snapshot).toBe(old);

    expect((await snapshots(to, blog.out, 'release')).stdout).toContain('released');
    expect((await snapshots(to, blog.out, 'release')).stdout).toContain('No snapshot is held');
    await publishTo(local.endpoint, to, blog.out);
    expect(await stored.pointer()).toMatchObject({
      snapshot: bad,
      held: false,
      previous: [{ snapshot: old }],
    });
    expect(await hasPack()).toBe(true);
    await snapshots(to, blog.out, 'prune');
    expect(await hasPack()).toBe(true);
    expect(await stored.faults()).toEqual([]);
    expect(pointerOf(blog.out).held).toBe(false);
  });

  test('never rolls back to an incomplete snapshot, and verify reports it', async () => {
    const blog = await builtBlog(5);
    const { to, stored } = at('broken-rollback');
    const old = (await publishTo(local.endpoint, to, blog.out)).snapshot;
    const before = new Set(namedBySnapshot(blog.out));
    await blog.addPost('more-news');
    await publishTo(local.endpoint, to, blog.out);
    const lost = [...before].find(
      (path) => !namedBySnapshot(blog.out).includes(path) && !path.includes('directory'),
    );
    await stored.remove(lost ?? '');
    expect((await snapshots(to, blog.out, 'rollback', old)).stderr).toContain(`${lost} is missing`);
    expect(await snapshots(to, blog.out, 'verify')).toMatchObject({ code: 0 });

    const [post = '', other = ''] = namedBySnapshot(blog.out).filter((path) =>
      path.startsWith('objects/body/'),
    );
    await stored.remove(post);
    await stored.write(other, '{}');
    const { code, stderr } = await snapshots(to, blog.out, 'verify');
    expect(code).toBe(1);
    expect(stderr).toContain(`${post} is missing`);
    expect(stderr).toContain(`${other} does not match the hash in its name`);
  });

  test('keeps five earlier snapshots, and prunes objects of no other, once they are old enough', async () => {
    const blog = await builtBlog(10);
    const { to, stored } = at('pruned');
    const served: string[] = [];
    for (let i = 1; i <= 9; i++) {
      await blog.addPost(`fresh-${i}`);
      // The bucket has a history of its own: one snapshot is never published there.
      if (i !== 8) served.unshift((await publishTo(local.endpoint, to, blog.out)).snapshot);
    }
    await stored.write(`objects/body/aa/${'a'.repeat(26)}`, '{}');
    await stored.write(`objects/post/aa/${'a'.repeat(26)}.json`, '{}'); // Of an earlier format.
    const foreign = ['objects/readme.txt', 'objects/other/aa/readme.txt', 'logo.svg'];
    for (const path of foreign) await stored.write(path, 'not ours');
    const before = await stored.paths();
    const packs = await stored.packs();
    expect(packs).toHaveLength(8);
    expect((await snapshots(to, blog.out, 'prune')).stdout).toContain('pruned 0 objects');
    expect(await stored.paths()).toEqual(before);

    const { code, stdout } = await snapshots(to, blog.out, 'prune', '--now', '--json');
    expect(code).toBe(0);
    const { removed, kept }: { removed: number; kept: number } = JSON.parse(stdout);
    const after = await stored.paths();
    expect(removed).toBeGreaterThan(5);
    expect(after.length).toBe(before.length - (removed - packs.length + 6));
    const now = await stored.pointer();
    expect([now, ...now.previous].map(({ snapshot }) => snapshot)).toEqual(served.slice(0, 6));
    expect(await stored.packs()).toEqual(served.slice(0, 6).map(packPath).sort());
    expect(after).toEqual(expect.arrayContaining(foreign));
    expect(after.length).toBe(kept + foreign.length + 1);
    for (const { snapshot } of now.previous) {
      expect(await snapshots(to, '/no/output/here', 'rollback', snapshot)).toMatchObject({ code: 0 });
      expect(await stored.faults()).toEqual([]);
    }
  });

  test('prunes more than one request can remove', async () => {
    const { out } = await builtBlog(3);
    const store = await startMemoryStore();
    onTestFinished(() => store.close());
    const to = `s3://${store.bucket}/many`;
    await publishTo(store.endpoint, to, out);
    const before = [...store.files.keys()];
    for (let i = 0; i < 1100; i++) {
      const hash = Array.from(String(i).padStart(26, '0'), (digit) => 'abcdefghij'[Number(digit)]).join('');
      store.files.set(`${store.bucket}/many/objects/lines/${hash.slice(0, 2)}/${hash}`, Buffer.from('[]'));
    }
    await inBucket(store.endpoint, to, (bucket) => prune(new BucketStorage(bucket, out), 0));
    expect([...store.files.keys()].sort()).toEqual(before.sort());
    expect(store.seen.filter((request) => request.startsWith('POST'))).toHaveLength(2);
  });

  test('reports that nothing is published', async () => {
    const { to } = at('empty');
    for (const args of [['list'], ['release'], ['prune'], ['verify'], ['rollback', 'abc']]) {
      expect(await snapshots(to, '/nowhere', ...args)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          `^error: Nothing is published in ${to}\\. Run "publish" first, or choose`,
        ),
      });
    }
  });
});
