/**
 * A build never replaces another blog's output, or drops limits, without --force.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BuildOptions } from '../../../build/build.ts';
import { blogIds, idFromAddress } from '../../../build/output/identity.ts';
import { FolderStorage } from '../../../build/history/folder-storage.ts';
import { prune } from '../../../build/history/prune.ts';
import { release, rollBack } from '../../../build/history/rollback.ts';
import { parsePointer } from '../../../contract/pointer.ts';
import { DEFAULT_LIMITS } from '../../../contract/policy.ts';
import { FORMAT } from '../../../contract/snapshot.ts';
import { blogUid } from '../../../data/database.ts';
import { createSampleBlog } from '../../../cli/sample-blog.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { directoryOf, pointerOf } from '../output.ts';
import { editing, publish, shortBlog } from '../publishing.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { expectOneLine } from '../untouched.ts';

function place() {
  const folder = temporaryFolder();
  const [path, out] = [(name: string) => join(folder, name), join(folder, 'out')];
  const build = (db: string, options: Partial<BuildOptions> = {}) => publish(db, out, options);
  return {
    path,
    out,
    build,
    /** A blog of 12 posts with the address of its site; without one, the address is unknown. */
    blog(name: string, address = 'https://blog.example'): string {
      shortBlog(path(name), 12, 3);
      editing(path(name), (db) => db.prepare('UPDATE site SET url = ?').run(address));
      return path(name);
    },
    /** The message of a build that is refused. */
    async refused(db: string, options?: Partial<BuildOptions>): Promise<string> {
      const before = readFileSync(join(out, 'snapshot.json'), 'utf8');
      const message = await build(db, options).then(
        () => 'It was not refused.',
        (error: unknown) => String(error),
      );
      expect(readFileSync(join(out, 'snapshot.json'), 'utf8')).toBe(before);
      return message;
    },
  };
}

describe('the ids of a blog', () => {
  const nothing = { configured: null, site: {}, url: null, uid: null };

  test('are the setting, the address, and the id of the database, in this order', () => {
    const [url, other] = ['https://a.example', 'https://b.example'];
    const all = blogIds({ configured: 'mine', site: {}, url, uid: 'f00' });
    expect(all).toEqual(['mine', 'a.example', 'f00']);
    expect(blogIds({ ...nothing, url, site: { url: other } })).toEqual(['b.example']);
    expect(blogIds(nothing)).toEqual([]);
  });

  test.each([
    ['https://Blog.Example', 'blog.example'],
    ['http://blog.example/', 'blog.example'],
    ['https://blog.example:8443/en//', 'blog.example:8443/en'],
    ['https://bücher.example', 'xn--bcher-kva.example'],
    ['https://[', null],
  ])('%s is %s', (address, id) => expect(idFromAddress(address)).toBe(id));
});

test('a pointer names its blog, or none', () => {
  const text = (blog: unknown) =>
    JSON.stringify({
      format: FORMAT,
      snapshot: 'lfyaxzk2mehuq2nlmz6hfnw6oq',
      built_at: '2026-11-21T01:16:40.482Z',
      posts: 1,
      built_by: 'offprint 0.2.0',
      held: false,
      previous: [],
      blog,
    });
  for (const blog of [null, 'mine']) expect(parsePointer(text(blog)).blog).toBe(blog);
  for (const blog of [7, undefined])
    expect(() => parsePointer(text(blog))).toThrow('a field is missing or has another type');
});

describe('build into the output of another blog', () => {
  test('stops, says what differs, and continues with --force', async () => {
    const { blog, build, out, path } = place();
    const options = { limits: DEFAULT_LIMITS };
    await build(blog('real.db', 'https://real.example'), options);
    const before = readFileSync(join(out, 'snapshot.json'), 'utf8');
    await createSampleBlog(path('sample.db'), new Date());

    const command = ['build', '--db', path('sample.db'), '--out', out];
    const line = expectOneLine(await offprintInProcess(command));
    expect(line).toMatch(/ \([1-9]\d* posts\)\. Nothing was published\./);
    expect(line).toContain(`${out} serves the blog "real.example" (12 posts), but this is "press.example" (`);
    expect(line).toContain('"blog": "real.example"');
    expect(line).toContain('build --force');
    expect(readFileSync(join(out, 'snapshot.json'), 'utf8')).toBe(before);

    expect(await offprintInProcess([...command, '--force'])).toMatchObject({ code: 0 });
    expect(pointerOf(out).blog).toBe('press.example');
    await build(path('sample.db'), options);
  });

  test('stops without an address, by the random ids of the databases', async () => {
    const { blog, build, out, refused } = place();
    const [one, two] = [blog('one.db'), blog('two.db')];
    await build(one);
    expect(pointerOf(out).blog).toBe(editing(one, blogUid));
    expect(await refused(two)).toContain(`but this is "${editing(two, blogUid)}"`);
  });
});

describe('a blog whose address changes', () => {
  test('is refused at first, and continues under its old id with the setting blog', async () => {
    const { blog, build, out, refused } = place();
    const db = blog('blog.db', 'https://old.example');
    await build(db);
    editing(db, (open) => open.exec("UPDATE site SET url = 'https://new.example'"));
    expect(await refused(db)).toContain(
      'serves the blog "old.example" (12 posts), but this is "new.example" (12 posts)',
    );
    await build(db, { blog: 'old.example' });
    expect(pointerOf(out).blog).toBe('old.example');
  });

  test('is recognised by the id of its database, if it had no address before', async () => {
    const { blog, build, out } = place();
    const db = blog('blog.db');
    await build(db);
    editing(db, (open) => open.exec("UPDATE site SET url = 'https://said.example'"));
    await build(db);
    expect(pointerOf(out).blog).toBe('said.example');
  });

  test('can be given an id at any time: the pointer changes, the snapshot stays', async () => {
    const { blog, build, out } = place();
    const db = blog('blog.db', 'https://real.example');
    await build(db);
    const { snapshot, built_at } = pointerOf(out);
    await build(db, { blog: 'mine', now: new Date() });
    expect(pointerOf(out)).toMatchObject({ snapshot, built_at, blog: 'mine', previous: [] });
  });
});

test('rollback, release and prune keep the blog', async () => {
  const { blog, build, out } = place();
  const db = blog('blog.db', 'https://real.example');
  await build(db);
  const first = pointerOf(out).snapshot;
  editing(db, (open) => open.exec("UPDATE posts SET title = title || '!'"));
  await build(db);
  expect(pointerOf(out).snapshot).not.toBe(first);
  await rollBack(new FolderStorage(out), first);
  expect(pointerOf(out)).toMatchObject({ snapshot: first, blog: 'real.example', held: true });
  await release(new FolderStorage(out));
  await prune(new FolderStorage(out), 0);
  expect(pointerOf(out)).toMatchObject({ snapshot: first, blog: 'real.example', held: false });
});

describe('a build without a configuration', () => {
  const limits = { day: { ...DEFAULT_LIMITS.day, user: 5000 }, minute: 60 };

  test('stops if other limits are published, and continues with --force', async () => {
    const { blog, build, out } = place();
    const db = blog('blog.db', 'https://real.example');
    await build(db, { limits });
    const command = ['build', '--db', db, '--out', out];
    const line = expectOneLine(await offprintInProcess(command));
    expect(line).toContain('limits.day.user 5000 → 100, limits.minute 60 → 30');
    expect(line).toContain('--config');
    expect(directoryOf(out).policy.limits).toEqual(limits);
    expect(await offprintInProcess([...command, '--force'])).toMatchObject({ code: 0 });
    expect(directoryOf(out).policy.limits).toEqual(DEFAULT_LIMITS);
  });

  test.each([
    ['the published limits are the defaults', DEFAULT_LIMITS, false],
    ['there is a configuration without limits', limits, true],
  ])('does not stop if %s', async (_, published, configured) => {
    const { blog, build, out } = place();
    const db = blog('blog.db', 'https://real.example');
    await build(db, { limits: published });
    await build(db, { limits: DEFAULT_LIMITS, configured, full: true });
    expect(directoryOf(out).policy.limits).toEqual(DEFAULT_LIMITS);
  });
});

test('a pointer of a newer version is never replaced, even with --force', async () => {
  const { blog, out, build } = place();
  const db = blog('blog.db');
  await build(db);
  const pointer = join(out, 'snapshot.json');
  const written = JSON.stringify({ ...pointerOf(out), format: FORMAT + 1 });
  writeFileSync(pointer, written);
  for (const more of [[], ['--force'], ['--full']]) {
    const outcome = await offprintInProcess(['build', '--db', db, '--out', out, ...more]);
    expect(expectOneLine(outcome)).toContain('Upgrade Offprint');
    expect(readFileSync(pointer, 'utf8')).toBe(written);
  }
});
