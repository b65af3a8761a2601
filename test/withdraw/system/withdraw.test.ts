/** A withdrawn article disappears at once: from answers, from kept snapshots, from buckets. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { DEFAULT_LIMITS } from '../../../contract/policy.ts';
import { withdrawFromOutput } from '../../../build/withdraw/withdraw.ts';
import { withdrawPost } from '../../../data/withdrawals.ts';
import { FolderStorage } from '../../../build/history/folder-storage.ts';
import { verify } from '../../../build/history/verify.ts';
import { filesIn, pointerOf } from '../../build/output.ts';
import { buildOptions, editing, NOW, publish as buildOnce, shortBlog } from '../../build/publishing.ts';
import { blogPaths, temporaryFolder } from '../../build/temporary-folder.ts';
import { startMemoryStore } from '../../publish/memory-store.ts';
import { proxied } from '../../publish/proxy.ts';
import { publishTo } from '../../publish/publishing.ts';
import { storedFiles } from '../../publish/stored-files.ts';
import { send } from '../../service/client.ts';
import { readProblems } from '../../../cli/problems.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { type LocalBucket, startLocalBucket } from '../../service/local-bucket.ts';
import { offprint } from '../../service/command.ts';
import { changesBy, dyingBefore } from '../../service/dying.ts';
import { insertPost } from '../../service/odd-blog.ts';
import { startServer } from '../../service/server-process.ts';

/** Builds in this process, with the limits of a command without configuration. */
const publish = (db: string, out: string, options = {}) =>
  buildOnce(db, out, { limits: DEFAULT_LIMITS, now: new Date((clock += 60_000)), ...options });
let clock = NOW.getTime();

/** A time that no clock of this machine shows yet. */
const AHEAD = new Date('2100-01-01T00:00:00Z');

const SECRET = 'unmistakable-words-of-a-mistake';

/** A built blog of 12 posts, and one that was published by mistake. */
async function blogWithMistake() {
  const { folder, db, out } = blogPaths();
  shortBlog(db, 12, 7);
  await publish(db, out);
  const before = pointerOf(out).snapshot;
  const add = (slug: string) => insertPost(open, { slug, publishedAt: '2026-09-20T10:00:00Z' });
  const open = new Database(db);
  add('mistake');
  open
    .prepare("UPDATE posts SET title = ?, description = NULL, body = ? WHERE slug = 'mistake'")
    .run(`On ${SECRET}`, `<p>${SECRET}</p>`); // Its description is an excerpt, which the build remembers.
  open.close();
  await publish(db, out);
  const files = ['--db', db, '--out', out];
  return {
    folder,
    db,
    out,
    files,
    before,
    withdraw: (...more: string[]) => answerOf(['withdraw', 'mistake', ...files, ...more]),
    /** Edits the blog and publishes it; returns the new snapshot. */
    async edit(sql: string) {
      editing(db, (blog) => blog.exec(sql));
      await publish(db, out);
      return pointerOf(out).snapshot;
    },
  };
}

/** Files of an output that contain words of the mistake. */
function tracesIn(out: string): string[] {
  return filesIn(out).filter((path) => isTrace(path, readFileSync(join(out, path))));
}

function isTrace(path: string, bytes: Buffer): boolean {
  const isCompressed = path.startsWith('packs/articles/');
  return (isCompressed ? gunzipSync(bytes) : bytes).includes(SECRET);
}

/** Changes the mistake too, so that two kept snapshots have it. */
const EDIT = "UPDATE posts SET title = title || '!' WHERE id = 3 OR slug = 'mistake'";

async function expectGone(out: string): Promise<void> {
  expect(tracesIn(out)).toEqual([]);
  expect(pointerOf(out).previous).toEqual([]);
  await expectWhole(out);
}

async function expectWhole(out: string): Promise<void> {
  expect((await verify(new FolderStorage(out), pointerOf(out))).faults).toEqual([]);
}

describe('withdraw', () => {
  test('leaves nothing of the article in the output, until it is undone', async () => {
    const { out, db, edit, withdraw } = await blogWithMistake();
    const second = await edit(EDIT);
    expect(tracesIn(out)).not.toEqual([]);
    expect(await withdraw()).toMatchObject({
      slug: 'mistake',
      withdrawn: true,
      output: { posts: 12, dropped: expect.arrayContaining([second]) },
      buckets: [],
      not_reached: expect.arrayContaining([expect.stringContaining('browsers')]),
    });
    await expectGone(out);

    // A second run has nothing to do, and a rollback to removed snapshots is impossible.
    const pointer = readFileSync(join(out, 'snapshot.json'), 'utf8');
    expect(await withdraw()).toMatchObject({ output: { dropped: [], removed: 0 } });
    expect(readFileSync(join(out, 'snapshot.json'), 'utf8')).toBe(pointer);
    expect((await offprintInProcess(['snapshots', 'rollback', second, '--out', out])).stderr).toContain(
      `There is no kept snapshot "${second}"`,
    );

    expect(await withdraw('--undo')).toEqual({ slug: 'mistake', restored: true });
    expect(await withdraw('--undo')).toEqual({ slug: 'mistake', restored: false });
    await publish(db, out);
    expect(pointerOf(out).posts).toBe(13);
  });

  test('removes objects, also those of a clock that is ahead, after gateways have switched', async () => {
    const { out, db } = await blogWithMistake();
    const traces = tracesIn(out).filter((path) => path.startsWith('objects/'));
    for (const path of traces) utimesSync(join(out, path), AHEAD, AHEAD);
    const withdrawal = buildOptions(db, out, { limits: DEFAULT_LIMITS, now: new Date(clock) });
    editing(db, (blog) => withdrawPost(blog, 'mistake', new Date()));
    let waits = 0;
    const switched = async () => {
      waits += 1;
      expect(pointerOf(out)).toMatchObject({ posts: 12 });
      expect(tracesIn(out)).toEqual(expect.arrayContaining(traces));
    };
    const withdraw = () => withdrawFromOutput(withdrawal, 'mistake', switched);
    expect(await withdraw()).toMatchObject({ posts: 12 });
    await expectGone(out);
    expect(await withdraw()).toMatchObject({ removed: 0 });
    expect(waits).toBe(1);
  });

  test('waits only for a gateway that runs, which then answers 404', async () => {
    const { db, out, files } = await blogWithMistake();
    const server = await startServer(['serve', '--out', out, '--port', '0']);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    const path = `${PREFIX}/posts/mistake`;
    expect(await send(server.url, { path })).toMatchObject({ status: 200 });
    const command = ['withdraw', 'mistake', ...files];
    const waiting = 'waiting 2 seconds for gateways to switch to the new snapshot';
    expect((await offprintInProcess(command)).stdout).toContain(waiting);
    expect((await offprintInProcess(command)).stdout).not.toContain('waiting');
    await expect.poll(() => server.log).toContain('switched to snapshot');
    await expect.poll(async () => (await send(server.url, { path })).status).toBe(404);
    const list = await send(server.url, { path: `${PREFIX}/posts?per_page=50` });
    expect([list.status, list.text]).toEqual([200, expect.not.stringContaining(SECRET)]);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.log).not.toContain('build --full');

    await answerOf([...command, '--undo']);
    await publish(db, out);
    expect(tracesIn(out)).not.toEqual([]);
    const { code, stdout } = await offprintInProcess(command);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('waiting')]);
    await expectGone(out);
  });

  test('drops all earlier snapshots, and says so first', async () => {
    const { out, edit, files } = await blogWithMistake();
    // Under another slug, earlier snapshots have it too.
    await edit("UPDATE posts SET slug = 'renamed' WHERE slug = 'mistake'");
    const { code, stdout } = await offprintInProcess(['withdraw', 'renamed', ...files]);
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(
      `This removes all earlier snapshots from ${out}. You cannot roll back to them afterwards.`,
    );
    expect(lines[1]).toMatch(/^withdrawn "renamed" .*; \d+ objects removed .*, 2 earlier snapshots dropped/);
    await expectGone(out);
  });

  test.each([
    [
      'is inserted again',
      "INSERT INTO posts (slug, title, status, published_at, body) SELECT 'mistake', title, 'published', published_at, body FROM gone",
    ],
    ['is published by hand', "UPDATE posts SET status = 'published' WHERE slug = 'mistake'"],
  ])('a withdrawn article that %s stays out until --undo', async (how, sql) => {
    const { out, db, files, withdraw } = await blogWithMistake();
    await withdraw();
    editing(db, (blog) => {
      blog.exec("CREATE TEMP TABLE gone AS SELECT * FROM posts WHERE slug = 'mistake'");
      if (how === 'is inserted again') blog.exec("DELETE FROM posts WHERE slug = 'mistake'");
      blog.exec(sql);
    });
    for (const full of [[], ['--full']]) {
      const reason = expect.stringContaining('withdrawn');
      expect(await answerOf(['build', ...files, ...full])).toMatchObject({
        posts: 12,
        skipped: [{ table: 'posts', row: 'mistake', reason }],
      });
      await expectGone(out);
    }
    await withdraw('--undo');
    expect(await answerOf(['build', ...files])).toMatchObject({ posts: 13, skipped: [] });
  });

  test('an unknown slug is rejected', async () => {
    const { out, files } = await blogWithMistake();
    const before = readFileSync(join(out, 'snapshot.json'), 'utf8');
    const { code, stderr } = await offprintInProcess(['withdraw', 'mistaek', ...files]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: There is no article "mistaek" .*\n$/);
    expect(readFileSync(join(out, 'snapshot.json'), 'utf8')).toBe(before);
  });

  test('the only article of a blog can be withdrawn', async () => {
    const { db, out, withdraw } = await blogWithMistake();
    editing(db, (blog) => blog.exec("DELETE FROM posts WHERE slug <> 'mistake'"));
    await publish(db, out, { force: true });
    expect(await withdraw()).toMatchObject({ output: { posts: 0 } });
    await expectGone(out);
  });

  test('is refused while a rollback is held, and changes nothing', async () => {
    const { db, out, before, files } = await blogWithMistake();
    await answerOf(['snapshots', 'rollback', before, '--out', out]);
    const pointer = readFileSync(join(out, 'snapshot.json'), 'utf8');
    const { code, stdout, stderr } = await offprintInProcess(['withdraw', 'mistake', ...files]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/is held after a rollback, .* Run ".*snapshots release.*" to publish again/);
    expect(readFileSync(join(out, 'snapshot.json'), 'utf8')).toBe(pointer);
    const status = editing(db, (blog) =>
      blog.prepare<[], string>("SELECT status FROM posts WHERE slug = 'mistake'").pluck().get(),
    );
    expect([status, readProblems(out)]).toEqual(['published', []]);
  });

  test('killed at any moment, it leaves a valid output, and the next run completes it', async () => {
    const { out, files, edit, db } = await blogWithMistake();
    const withdrawUntil = (change: number) =>
      offprint(['withdraw', 'mistake', ...files], undefined, dyingBefore(change));
    /** Until the withdrawal is undone and the output has traces of the article again. @param title of another article */
    const undo = async (title: string) => {
      await answerOf(['withdraw', 'mistake', ...files, '--undo']);
      await publish(db, out);
      await edit(`UPDATE posts SET title = '${title}' WHERE id = 3`);
      expect(tracesIn(out).length).toBeGreaterThan(2);
    };
    const changes = changesBy((await withdrawUntil(Infinity)).stderr);
    await undo('First');
    let named = 0;
    for (const moment of [0.01, 0.25, 0.5, 0.75, 0.95]) {
      const { code } = await withdrawUntil(Math.ceil(moment * changes));
      expect(code, `killed before change ${moment} of ${changes}`).toBeNull();
      await expectWhole(out);
      if (readProblems(out).some(({ job }) => job === 'withdrawing')) {
        named += 1;
        const { stdout } = await offprintInProcess(['status', '--out', out]);
        expect(stdout).toMatch(/withdrawing mistake, .*Run .*withdraw mistake again/);
      }
      await answerOf(['withdraw', 'mistake', ...files]);
      await expectGone(out);
      expect(await offprintInProcess(['status', '--out', out])).toMatchObject({ code: 0 });
      await undo(`Edit ${moment}`);
    }
    expect(named).toBeGreaterThan(2);
  });
});

describe('withdraw from a bucket', () => {
  let local: LocalBucket;
  beforeAll(async () => void (local = await startLocalBucket()));
  afterAll(() => local.close());

  /** Paths of a bucket's files that contain words of the mistake. */
  async function traces(prefix: string): Promise<string[]> {
    const stored = storedFiles(local, prefix);
    const found: string[] = [];
    for (const path of [...(await stored.paths()), ...(await stored.packs())]) {
      const bytes = await stored.read(path);
      if (bytes && isTrace(path, bytes)) found.push(path);
    }
    return found;
  }

  test('a bucket with the article is named with the command for it, or cleaned at once', async () => {
    const { out, files, edit } = await blogWithMistake();
    const to = `s3://${local.bucket}/first`;
    await publishTo(local.endpoint, to, out);
    await edit(EDIT);
    await publishTo(local.endpoint, to, out);
    expect(await traces('first/')).not.toEqual([]);
    for (const folder of ['packs/', 'objects/']) {
      expect((await traces('first/')).some((path) => path.startsWith(folder))).toBe(true);
    }

    const without = await offprintInProcess(['withdraw', 'mistake', ...files, '--json']);
    expect(without.code).toBe(1);
    expect(JSON.parse(without.stdout)).toMatchObject({
      buckets: [
        {
          bucket: to,
          failure: expect.stringContaining('There are no credentials'),
          command: `npm run -s offprint -- withdraw mistake --to ${to} --endpoint ${local.endpoint} ${files.join(' ')}`,
        },
      ],
    });
    await expectGone(out); // The output does not wait for the bucket.
    const withBucket = await offprintInProcess(['status', '--out', out]);
    expect(withBucket).toMatchObject({ code: 1, stdout: expect.stringContaining('withdrawing mistake') });
    expect(await traces('first/')).not.toEqual([]);

    for (const withdrawn of [{ posts: 12 }, { dropped: [], removed: 0 }])
      expect(await answerOf(['withdraw', 'mistake', ...files], BUCKET_ENVIRONMENT)).toMatchObject({
        buckets: [{ bucket: to, failure: null, withdrawn }],
      });
    expect(await traces('first/')).toEqual([]);
    expect(await storedFiles(local, 'first/').faults()).toEqual([]);
  });

  test('a bucket held by a rollback is named, and cleaned after its release', async () => {
    const { out, files } = await blogWithMistake();
    const to = `s3://${local.bucket}/held`;
    await publishTo(local.endpoint, to, out);
    const bucket = ['--to', to, '--endpoint', local.endpoint];
    const { snapshot } = await storedFiles(local, 'held/').pointer();
    await answerOf(['snapshots', 'rollback', snapshot, '--out', out, ...bucket], BUCKET_ENVIRONMENT);
    const held = await offprintInProcess(['withdraw', 'mistake', ...files], BUCKET_ENVIRONMENT);
    expect(held).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/not withdrawn from .*held after a rollback/),
    });
    expect(held.stdout).toMatch(new RegExp(`snapshots release.* --to ${to} --endpoint`));
    await expectGone(out);
    await answerOf(['snapshots', 'release', '--out', out, ...bucket], BUCKET_ENVIRONMENT);
    await answerOf(['withdraw', 'mistake', ...files], BUCKET_ENVIRONMENT);
    expect(await storedFiles(local, 'held/').pointer()).toMatchObject({ posts: 12, previous: [] });
    expect(await traces('held/')).toEqual([]);
  });
});

test('a bucket that fails is tried three times, and named', async () => {
  const { out, files } = await blogWithMistake();
  const store = await startMemoryStore();
  onTestFinished(() => store.close());
  const proxy = await proxied(store.endpoint);
  const to = `s3://${store.bucket}/failing`;
  await publishTo(proxy.endpoint, to, out);
  proxy.seen.length = 0;
  proxy.fault = () => ({ status: 503 });
  const { code, stdout } = await offprintInProcess(['withdraw', 'mistake', ...files], BUCKET_ENVIRONMENT);
  expect([code, stdout]).toEqual([1, expect.stringContaining(`not withdrawn from ${to}: `)]);
  expect(proxy.seen).toHaveLength(3);
});

describe('a new or another database', () => {
  const SLUGS = ['brevity', 'clarity', 'gravity', 'levity'];

  /** A blog in Markdown that `offprint.json` follows; "brevity" is withdrawn. */
  async function followedBlog() {
    const folder = temporaryFolder();
    const posts = join(folder, 'posts');
    mkdirSync(posts);
    for (const slug of SLUGS)
      writeFileSync(
        join(posts, `${slug}.md`),
        `---\ntitle: ${slug}\ndate: 2026-01-02\n---\n${SECRET} ${slug}\n`,
      );
    const config = join(folder, 'offprint.json');
    const settings = { site: { url: 'https://blog.example' }, import: [{ format: 'markdown', path: posts }] };
    writeFileSync(config, JSON.stringify(settings));
    const out = join(folder, 'out');
    const run = (command: string, db: string, ...more: string[]) => {
      const files = ['--db', join(folder, db), '--out', out, '--config', config];
      return offprintInProcess([...command.split(' '), ...files, ...more]);
    };
    expect(await run('build', 'blog.db')).toMatchObject({ code: 0 });
    copyFileSync(join(folder, 'blog.db'), join(folder, 'before.db'));
    for (const slug of ['brevity', 'levity'])
      expect(await run(`withdraw ${slug}`, 'blog.db')).toMatchObject({ code: 0 });
    return { folder, out, run, posts };
  }
  const slugsIn = (out: string): string[] => {
    const bodies = filesIn(out).filter((path) => path.startsWith('objects/body/'));
    const texts = bodies.map((path) => readFileSync(join(out, path), 'utf8')).join();
    return SLUGS.filter((slug) => texts.includes(`${SECRET} ${slug}`));
  };

  test('gets no imports, and publishes nothing that was withdrawn', async () => {
    const { folder, out, run } = await followedBlog();
    const served = pointerOf(out).snapshot;
    expect(slugsIn(out)).toEqual(['clarity', 'gravity']);
    for (const db of ['new.db', 'other.db']) {
      if (db === 'other.db') shortBlog(join(folder, db), 3, 7);
      const before = db === 'other.db' ? readFileSync(join(folder, db)) : null;
      // `import` is also what a running service does when a file changes.
      for (const command of ['build', 'import']) {
        const { code, stderr } = await run(command, db);
        expect(code).toBe(1);
        expect(stderr).toMatch(
          db === 'new.db'
            ? /^error: .* was built from a database, but there is none at .*nothing was imported/
            : /^error: .* is not the database that .* was built/,
        );
      }
      expect(
        before === null ? existsSync(join(folder, db)) : readFileSync(join(folder, db)).equals(before),
      ).toBe(before !== null);
      expect(pointerOf(out).snapshot).toBe(served);
    }
  });

  test('takes its place when each is withdrawn there, or they are allowed again', async () => {
    const { folder, out, run, posts } = await followedBlog();
    const site = ['--site', 'https://blog.example'];
    expect(
      await offprintInProcess(['import', 'markdown', posts, '--db', join(folder, 'new.db'), ...site]),
    ).toMatchObject({ code: 0 });
    expect((await run('build', 'new.db', '--no-import')).stderr).toMatch(/such as "brevity"/);
    expect(await run('withdraw brevity', 'new.db')).toMatchObject({ code: 0 });
    expect((await run('build', 'new.db', '--no-import')).stderr).toMatch(/1 article was .* such as "levity"/);
    expect(await run('withdraw levity', 'new.db')).toMatchObject({ code: 0 });
    expect(await run('build', 'new.db', '--no-import')).toMatchObject({ code: 0 });
    expect(await run('build', 'new.db')).toMatchObject({ code: 0 });
    expect(slugsIn(out)).toEqual(['clarity', 'gravity']);
    // In the same database it may be undone.
    expect(await run('withdraw levity --undo', 'new.db')).toMatchObject({ code: 0 });
    expect(await run('build', 'new.db')).toMatchObject({ code: 0 });
    expect(slugsIn(out)).toEqual(['clarity', 'gravity', 'levity']);
    expect(await run('build', 'newer.db', '--force')).toMatchObject({ code: 0 });
    expect(slugsIn(out)).toEqual(SLUGS);
  });

  test('that was restored from an older backup publishes nothing that was withdrawn since', async () => {
    const { folder, out, run } = await followedBlog();
    copyFileSync(join(folder, 'before.db'), join(folder, 'blog.db'));
    const served = pointerOf(out).snapshot;
    for (const more of [[], ['--no-import']])
      expect((await run('build', 'blog.db', ...more)).stderr).toMatch(/2 articles were withdrawn/);
    expect(pointerOf(out).snapshot).toBe(served);
  });

  test('leaves no snapshot that a rollback would publish', async () => {
    const { out, run } = await followedBlog();
    const before = pointerOf(out).snapshot;
    expect(await run('build', 'blog.db', '--force')).toMatchObject({ code: 0 });
    expect(await run('build', 'second.db', '--force')).toMatchObject({ code: 0 });
    const published = pointerOf(out).snapshot;
    expect(published).not.toBe(before);
    expect(await run('build', 'blog.db', '--force')).toMatchObject({ code: 0 });
    expect(pointerOf(out).snapshot).toBe(before);
    const { code, stderr } = await offprintInProcess(['snapshots', 'rollback', published, '--out', out]);
    expect([code, pointerOf(out).snapshot]).toEqual([1, before]);
    expect(stderr).toMatch(/has the article "brevity", which is withdrawn\. .*"withdraw brevity" removes it/);
  });

  test('without the keys of the output imports and publishes nothing', async () => {
    const { folder, out, run } = await followedBlog();
    expect(await run('keys create --account ada --name first --json', 'blog.db')).toMatchObject({ code: 0 });
    const served = pointerOf(out).snapshot;
    const { code, stderr } = await run('build', 'new.db', '--force');
    expect([code, existsSync(join(folder, 'new.db'))]).toEqual([1, false]);
    expect(stderr).toMatch(/has 1 keys?, but this database has none of them/);
    expect(pointerOf(out).snapshot).toBe(served);
  });
});
