/** What happens to an output or a bucket whose snapshot has an earlier format. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { objectHash } from '../../common/object-hash.ts';
import { PREFIX } from '../../contract/api.ts';
import { splitBucketPointer } from '../../contract/bucket-pointer.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { DEFAULT_LIMITS } from '../../contract/policy.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import { serve } from '../../cli/serving.ts';
import { prune } from '../../build/history/prune.ts';
import { verifySnapshot } from '../../build/history/verify.ts';
import { inBucket, publishTo } from '../publish/publishing.ts';
import { type MemoryStore, startMemoryStore } from '../publish/memory-store.ts';
import { releaseBucket } from '../../build/publish/bucket-snapshots.ts';
import { BUCKET_ENVIRONMENT } from '../service/bucket-credentials.ts';
import { send } from '../service/client.ts';
import { answerOf, offprintInProcess } from '../service/in-process.ts';
import { directoryOf, filesIn, namesOf, objectsIn, pointerOf, reachableIn } from './output.ts';
import { editing, publish as buildOnce, shortBlog } from './publishing.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { expectOneLine } from './untouched.ts';

const isCreated = z.object({ key: z.string() });
const isMe = z.object({ data: z.object({ quota: z.object({ used: z.number() }) }) });

const EARLIER = FORMAT - 1;
const POSTS = 20;
const ADDRESS = 'https://real.example';
const build = (db: string, out: string, options = {}) =>
  buildOnce(db, out, { limits: DEFAULT_LIMITS, now: new Date(), ...options });

/** A blog, and a folder without a snapshot for it. */
function place() {
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, POSTS, 4);
  editing(db, (blog) => blog.prepare('UPDATE site SET url = ?').run(ADDRESS));
  return { folder, db, out, files: ['--db', db, '--out', out] };
}

function put(out: string, kind: string, text: string): string {
  const hash = objectHash(text);
  const path = join(out, 'objects', kind, hash.slice(0, 2), `${hash}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return hash;
}

/** The text of an object that no current snapshot names. */
const UNUSED = '[]';

/** Replaces all objects and the pointer by those of an earlier version. @returns the snapshot */
function writeEarlier(out: string, more: object = {}, limits = DEFAULT_LIMITS): string {
  rmSync(join(out, 'objects'), { recursive: true, force: true });
  const page = put(out, 'page', UNUSED);
  const directory = {
    ...{ format: EARLIER, posts: POSTS, viewed: 0, authors: 0, policy: { limits, permissions: [] } },
    ...{ overview: 'a', categories: 'a', tags: 'a', pages: ['a'], author_pages: [], views: ['a'] },
    ...{ popular: [], search: [[page]], names: { post: { inline: [] }, author: { inline: [] } } },
  };
  const snapshot = put(out, 'directory', JSON.stringify(directory));
  const pointer = {
    ...{
      format: EARLIER,
      snapshot,
      built_at: '2026-01-01T00:00:00Z',
      posts: POSTS,
      built_by: 'offprint 0.1.0',
    },
    ...{
      blog: null,
      held: false,
      previous: [{ snapshot, built_at: '2026-01-01T00:00:00Z', posts: POSTS }],
      ...more,
    },
  };
  writeFileSync(join(out, POINTER_PATH), JSON.stringify(pointer));
  return snapshot;
}

function expectCurrent(out: string): void {
  expect(pointerOf(out)).toMatchObject({ format: FORMAT, previous: [] });
  expect(verifySnapshot(out, pointerOf(out)).faults).toEqual([]);
}

describe('an output', () => {
  test.each([
    ['serve', '--port', '0'],
    ['snapshots', 'verify'],
    ['snapshots', 'rollback', 'a'],
    ['snapshots', 'prune', '--now'],
    ['export', 'exported'],
  ])('is not readable for %s %s, which names the command that helps', async (...args) => {
    const { folder, out } = place();
    writeEarlier(out);
    const before = filesIn(out).filter((path) => !path.startsWith('state/'));
    const words = args.map((word) => (word === 'exported' ? join(folder, word) : word));
    expect(expectOneLine(await offprintInProcess([...words, '--out', out]))).toBe(
      `error: The pointer snapshot.json cannot be read: it has format ${EARLIER}, and this version reads ` +
        `format ${FORMAT}. Run "npm run -s offprint -- build --out ${out}" to make a new snapshot; for a bucket, then "publish".`,
    );
    expect(filesIn(out).filter((path) => !path.startsWith('state/'))).toEqual(before);
  });

  test('is served by nobody for status and doctor, which say why', async () => {
    const { db, out, files } = place();
    await build(db, out);
    writeEarlier(out);
    const status = ['status', '--out', out];
    expect(await offprintInProcess(status)).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^Nothing is served from \S+\.\n.*has format \d+, .*Run "build"/),
    });
    expect(JSON.parse((await offprintInProcess([...status, '--json'])).stdout)).toMatchObject({
      ...{ served: null, problems: [{ message: expect.stringContaining(`it has format ${EARLIER}`) }] },
    });
    const doctor = (await offprintInProcess(['doctor', ...files])).stdout;
    expect(doctor).toContain(`it has format ${EARLIER}`);
    expect(doctor).toContain('the last build was');
    expect(doctor).not.toContain('nothing waits');
  });

  test.each([['serve', '--port', '0'], ['status'], ['doctor'], ['snapshots', 'list']])(
    'that is held asks for its release in %s',
    async (...args) => {
      const { out } = place();
      writeEarlier(out, { held: true });
      const { stdout, stderr } = await offprintInProcess([...args, '--out', out]);
      expect(stdout + stderr).toMatch(/run "(?:npm .* )?snapshots release(?: --out \S+)?", then "build"/);
    },
  );

  test('is rebuilt as a whole; keys and counts go on, and prune removes the earlier objects', async () => {
    const { db, out, files } = place();
    await build(db, out);
    const { key } = isCreated.parse(
      await answerOf(['keys', 'create', ...['--account', 'ada', '--name', 'site'], ...files]),
    );
    const keyFiles = () =>
      filesIn(out)
        .filter((path) => path.startsWith('keys/'))
        .map((path) => readFileSync(join(out, path), 'utf8'));
    const keys = keyFiles();
    expect(keys).toHaveLength(1);
    const used = async () => {
      const { url, close } = await served(out);
      const me = await send(url, { path: `${PREFIX}/me`, headers: { authorization: `Bearer ${key}` } });
      await close();
      return isMe.parse(me.json).data.quota.used;
    };
    expect([await used(), await used()]).toEqual([1, 2]);

    const earlier = writeEarlier(out, { blog: 'real.example' });
    await build(db, out);
    expectCurrent(out);
    expect([await used(), keyFiles()]).toEqual([3, keys]);
    const unused = [earlier, objectHash(UNUSED)];
    expect(objectsIn(out).filter((path) => unused.some((hash) => path.includes(hash)))).toHaveLength(2);
    expect(prune(out, new Date(), 0).removed).toBe(2);
    expect(objectsIn(out)).toEqual(reachableIn(out));
  });

  test('does not end a running gateway', async () => {
    const { db, out } = place();
    await build(db, out);
    const gateway = await served(out);
    const list = async () => (await send(gateway.url, { path: `${PREFIX}/posts` })).text;
    const before = await list();
    writeEarlier(out);
    await gateway.refresh();
    expect(gateway.faults.join()).toMatch(/it has format \d+, .* Run "build" to make a new snapshot/);
    expect(await list()).toBe(before);
  });
});

describe('a build that replaces an earlier format', () => {
  test.each([
    ['another blog', { blog: 'other.example' }, {}, /serves the blog "other.example"/],
    ['posts that are gone', { posts: 3 * POSTS }, {}, /20 of 60/],
    ['other limits', {}, { configured: false }, /limits.minute 7 → 30/],
  ])('stops at %s', async (_, more, options, fault) => {
    const { db, out } = place();
    const limits = { ...DEFAULT_LIMITS, minute: 7 };
    writeEarlier(out, more, limits);
    await expect(build(db, out, options)).rejects.toThrow(fault);
    expect(pointerOf(out).format).toBe(EARLIER);
    await build(db, out, { ...options, force: true });
    expectCurrent(out);
  });

  test('waits until a held snapshot is released', async () => {
    const { db, out } = place();
    writeEarlier(out, { held: true });
    await expect(build(db, out)).rejects.toThrow('held');
    expect(await offprintInProcess(['snapshots', 'release', '--out', out])).toMatchObject({ code: 0 });
    await build(db, out);
    expectCurrent(out);
  });

  test('is also made by a withdrawal', async () => {
    const { db, out, files } = place();
    await build(db, out);
    const [[slug] = ['']] = namesOf(out, directoryOf(out).names.post);
    writeEarlier(out);
    expect(await offprintInProcess(['withdraw', slug, ...files])).toMatchObject({ code: 0 });
    expectCurrent(out);
    expect(pointerOf(out).posts).toBeGreaterThan(0);
    expect(objectsIn(out)).toEqual(reachableIn(out));
  });
});

describe('a bucket', () => {
  const TO = 's3://blog/here';
  let store: MemoryStore;
  beforeAll(async () => void (store = await startMemoryStore()));
  afterAll(() => store.close());
  beforeEach(() => store.files.clear());

  const publish = (out: string, more = {}) => publishTo(store.endpoint, TO, out, more);
  /** Puts all files of an output into the bucket, as an earlier version did. */
  function upload(out: string): void {
    const files = [POINTER_PATH, ...objectsIn(out)];
    for (const path of files) store.files.set(`blog/here/${path}`, readFileSync(join(out, path)));
  }
  const command = (...args: readonly string[]) =>
    offprintInProcess([...args, '--to', TO, '--endpoint', store.endpoint], BUCKET_ENVIRONMENT);

  test('gets a new snapshot from publish, with its guards and without the earlier history', async () => {
    const { db, out } = place();
    writeEarlier(out, { blog: 'other.example', held: true });
    upload(out);
    for (const args of [['verify'], ['rollback', 'a'], ['prune']])
      expect(expectOneLine(await command('snapshots', ...args, '--out', out))).toContain('then "publish"');
    expect(expectOneLine(await command('publish', '--out', out))).toContain('then "build"');
    await build(db, out, { force: true, withdrawing: true });
    await expect(publish(out)).rejects.toThrow('held');
    await inBucket(store.endpoint, TO, (bucket) => releaseBucket(bucket, out));
    await expect(publish(out)).rejects.toThrow('other.example');
    await publish(out, { force: true });

    const served = JSON.parse(
      splitBucketPointer(store.files.get(`blog/here/${POINTER_PATH}`) ?? new Uint8Array()).text,
    );
    expect(served).toMatchObject({ format: FORMAT, snapshot: pointerOf(out).snapshot, previous: [] });
    expect(await command('snapshots', 'verify', '--out', out)).toMatchObject({ code: 0 });
    expect(await command('snapshots', 'prune', '--now', '--out', out)).toMatchObject({ code: 0 });
    expect([...store.files.keys()].filter((path) => path.includes(objectHash(UNUSED)))).toEqual([]);
  });
});

/** A gateway in this process. */
async function served(out: string) {
  const faults: unknown[] = [];
  const fault = (error: unknown) => void faults.push(error);
  const gateway = await serve({
    ...{ out, host: '127.0.0.1', port: 0, trustedProxies: 0 },
    reporter: {
      ...{ failed: fault, notCounted: fault, unexpected: fault, crowded: fault, switched: () => undefined },
      ...{ notSwitched: fault, countsRestored: fault, countsNotRestored: fault },
    },
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await gateway.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { url: gateway.url, refresh: () => gateway.refresh(), close, faults };
}
