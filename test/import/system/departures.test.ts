/**
 * Posts that are gone from a blog, have moved in it, or only cannot be read.
 */
import { renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BlogDatabase } from '../../../data/database.ts';
import { BlogNameInvalid, NothingToImport, TooManyPostsMissing } from '../../../data/imported/errors.ts';
import { FORMATS, readBlog } from '../../../import/formats.ts';
import { importBlog, type ImportRules } from '../../../data/imported/import.ts';
import { HIDDEN_REASONS, type ImportedItem } from '../../../import/imported-item.ts';
import { blogOf, hidden, made } from '../made-blog.ts';
import { restorePost, withdrawPost } from '../../../data/withdrawals.ts';
import { jsonFeed } from '../feed/feed.ts';
import { addFiles, dump, emptyBlog, folderOf, NOW } from '../folder.ts';
import { exportOf, fileOf, GHOST_POST } from '../ghost-export.ts';
import { item, type ItemFields, wxr } from '../wordpress/export.ts';

const page = (day: string, title: string, more = '') =>
  `---\ndate: 2020-01-${day}\ntitle: ${title}${more}\n---\nText of ${title}.`;
const markdown = (db: BlogDatabase, folder: string, rules: ImportRules = {}) =>
  importBlog({ db, items: FORMATS.markdown.read(folder, { now: NOW }), ...rules });
const posts = (db: BlogDatabase) =>
  db.prepare<[], [string, string]>('SELECT slug, status FROM posts ORDER BY slug').raw().all();
const numbered = (n: number, fields: ItemFields = {}) =>
  item({ title: `Post ${n}`, 'wp:post_id': String(n), 'wp:post_name': `post-${n}`, ...fields });
const rows = (...given: readonly object[]) => ({
  posts: given.map((row, n) => ({ ...GHOST_POST, id: `id${n}`, slug: `s${n}`, title: `Post ${n}`, ...row })),
});
const FOUR = {
  'a.md': page('01', 'A'),
  'b.md': page('02', 'B'),
  'c.md': page('03', 'C'),
  'd/d.md': page('04', 'D'),
};

describe('what its blog hides', () => {
  const PUBLIC = [made('a'), made('b'), made('c')];
  const run = (
    db: BlogDatabase,
    items: readonly ImportedItem[],
    rules: ImportRules = {},
    isComplete = true,
  ) => importBlog({ db, items: blogOf({ isComplete }, ...items), ...rules });

  it.each(HIDDEN_REASONS)('is archived at once, and counted as %s', async (reason) => {
    const hide = ['a', 'b', 'c'].map((name) => hidden(name, reason));
    const ways: readonly [ImportRules, boolean][] = [
      [{}, true],
      [{}, false],
      [{ keep: true }, true],
    ];
    for (const [rules, isComplete] of ways) {
      const db = emptyBlog();
      await run(db, PUBLIC);
      const report = await run(db, [...hide, hidden('new', reason)], rules, isComplete);
      expect(report).toMatchObject({ found: 4, hidden: { [reason]: 4 }, absent: [], imported: { posts: 0 } });
      expect(report.gone.map(({ slug }) => slug)).toEqual(['a', 'b', 'c']);
      expect(posts(db)).toEqual(['a', 'b', 'c'].map((slug) => [slug, 'archived']));
      expect((await run(db, hide)).gone).toEqual([]);
    }
  });

  it('is archived although it could not be read, came twice, or belongs to a second blog', async () => {
    const db = emptyBlog();
    const other = (...items: readonly ImportedItem[]) =>
      importBlog({ db, items: blogOf({ key: 'there' }, ...items), name: 'there' });
    await run(db, PUBLIC);
    await other(made('a'), made('d'));
    const unread = { kind: 'skipped', skipped: { source: 'test:', reason: 'unread' }, kept: '' } as const;
    await other(hidden('a', 'private'), unread, made('a'));
    expect(posts(db)).toEqual([
      ['a', 'published'],
      ['a-2', 'archived'],
      ...['b', 'c', 'd'].map((slug) => [slug, 'published']),
    ]);
  });

  it('gives its row to no other post, and returns with its row', async () => {
    const db = emptyBlog();
    const rows = () => db.prepare('SELECT id, source, slug, status FROM posts ORDER BY id').raw().all();
    await run(db, PUBLIC);
    const copy = made('copy', { slug: 'a', title: 'a' });
    expect(await run(db, [hidden('a', 'draft'), ...PUBLIC.slice(1), copy])).toMatchObject({ moved: [] });
    expect(rows()).toEqual([
      [1, 'test:a', 'a', 'archived'],
      ...['b', 'c'].map((name, n) => [n + 2, `test:${name}`, name, 'published']),
      [4, 'test:copy', 'a-2', 'published'],
    ]);
    await run(db, [...PUBLIC, copy]);
    expect(rows()[0]).toEqual([1, 'test:a', 'a', 'published']);
  });
});

describe('a folder of Markdown', () => {
  it('keeps the rows of files that moved: by slug, by date and title, by text', async () => {
    const db = emptyBlog();
    const folder = folderOf(FOUR);
    await markdown(db, folder);
    db.exec('UPDATE posts SET views = id');
    const before = db.prepare('SELECT id, views, body FROM posts ORDER BY id').all();
    addFiles(folder, {
      'x/a.md': page('21', 'A, edited'),
      'bee.md': page('02', 'B'),
      'sea.md': '---\ndate: 2020-01-23\ntitle: Sea\n---\nText of C.',
    });
    for (const old of ['a.md', 'b.md', 'c.md']) rmSync(join(folder, old));
    const report = await markdown(db, folder);
    expect(report.moved.map(({ from, to, slug }) => [from, to, slug].join(' ')).sort()).toEqual([
      'markdown:a.md markdown:x/a.md a',
      'markdown:b.md markdown:bee.md bee',
      'markdown:c.md markdown:sea.md sea',
    ]);
    expect(report).toMatchObject({ gone: [], imported: { posts: 3 }, unchanged: 1 });
    const after = db.prepare('SELECT id, views FROM posts ORDER BY id').all();
    expect(after).toEqual(before.map((row) => ({ ...(row as object), body: undefined })));
  });

  it('keeps posts whose file was emptied, saved in part, or says twice what it is', async () => {
    const db = emptyBlog();
    const folder = folderOf(FOUR);
    await markdown(db, folder);
    const twice = page('02', 'B', '\ndraft: true\ndraft: false');
    addFiles(folder, { 'a.md': '', 'b.md': twice, 'c.md': page('03', 'C').slice(0, 20) });
    const report = await markdown(db, folder);
    expect(report.skipped.map(({ source, reason }) => `${source} ${reason}`)).toEqual([
      'a.md is empty',
      'b.md its YAML is broken in line 5: Map keys must be unique',
      'c.md has front matter without an end: a line "---"',
    ]);
    expect(report).toMatchObject({ gone: [], unchanged: 1 });
    expect(posts(db)).toEqual([
      ['a', 'published'],
      ['b', 'published'],
      ['c', 'published'],
      ['d', 'published'],
    ]);
  });

  it('ignores texts that are empty or shared by several posts', async () => {
    const db = emptyBlog();
    const bare = (day: string, title: string) => `---\ndate: 2020-01-${day}\ntitle: ${title}\n---\n`;
    const folder = folderOf({ 'a.md': bare('01', 'A'), 'b.md': bare('02', 'B'), 'k.md': page('09', 'K') });
    await markdown(db, folder);
    rmSync(join(folder, 'a.md'));
    addFiles(folder, { 'new.md': bare('11', 'New') });
    expect(await markdown(db, folder)).toMatchObject({ moved: [], gone: [{ slug: 'a' }] });
  });

  it('restores the row of a post that returns', async () => {
    const db = emptyBlog();
    const folder = folderOf(FOUR);
    await markdown(db, folder);
    const before = posts(db);
    rmSync(join(folder, 'a.md'));
    expect((await markdown(db, folder)).gone).toEqual([{ source: 'markdown:a.md', slug: 'a' }]);
    expect((await markdown(db, folder)).gone).toEqual([]);
    addFiles(folder, { 'elsewhere/a.md': FOUR['a.md'] });
    expect((await markdown(db, folder)).moved).toHaveLength(1);
    expect(posts(db)).toEqual(before);
  });

  it('archives posts that became drafts, and keeps those that cannot be read', async () => {
    const db = emptyBlog();
    const folder = folderOf({ ...FOUR, 'e.md': page('05', 'E') });
    await markdown(db, folder);
    addFiles(folder, {
      'a.md': page('01', 'A', '\ndraft: true'),
      'c.md': 'no front matter any more',
      'e.md': Buffer.from([0xff, 0xfe]),
    });
    const { gone, skipped } = await markdown(db, folder);
    expect(gone.map(({ slug }) => slug).sort()).toEqual(['a']);
    expect(skipped.map(({ source }) => source).sort()).toEqual(['c.md', 'e.md']);
  });

  it('keeps the posts of a folder that it does not read', async () => {
    const db = emptyBlog();
    const folder = folderOf(FOUR);
    await markdown(db, folder);
    const elsewhere = folderOf({});
    renameSync(join(folder, 'd'), join(elsewhere, 'd'));
    symlinkSync(join(elsewhere, 'd'), join(folder, 'd'));
    expect((await markdown(db, folder)).gone).toEqual([]);
    unlinkSync(join(folder, 'd'));
    expect((await markdown(db, folder)).gone).toHaveLength(1);
  });

  it('stops and changes nothing if more than half of the posts, or all, are gone', async () => {
    const db = emptyBlog();
    const folder = folderOf(FOUR);
    await markdown(db, folder);
    const before = dump(db);
    for (const gone of ['a.md', 'b.md', 'c.md']) rmSync(join(folder, gone));
    await expect(markdown(db, folder)).rejects.toThrow(TooManyPostsMissing);
    rmSync(join(folder, 'd'), { recursive: true });
    await expect(markdown(db, folder)).rejects.toThrow(NothingToImport);
    await expect(markdown(db, folder)).rejects.toMatchObject({
      output: expect.stringMatching(/A post needs a date.*:\n---\ndate: \d{4}-\d\d-\d\d\n---$/),
    });
    expect(dump(db)).toBe(before);
    expect((await markdown(db, folder, { keep: true, force: true })).absent).toHaveLength(4);
    expect((await markdown(db, folder, { force: true })).gone).toHaveLength(4);
  });

  it('is recognised by its name', async () => {
    const db = emptyBlog();
    const folder = folderOf(FOUR);
    await markdown(db, folder);
    const copy = folderOf({ 'a.md': FOUR['a.md'], 'b.md': FOUR['b.md'] });
    const { origins, gone } = await markdown(db, copy, { name: 'excerpts' });
    expect({ origins, gone }).toEqual({
      origins: [{ format: 'markdown', name: 'excerpts', new: true }],
      gone: [],
    });
    for (const name of ['', ' ', 'a/b', 'a\nb', 'x'.repeat(101)])
      await expect(markdown(db, copy, { name })).rejects.toThrow(BlogNameInvalid);
    renameSync(copy, `${copy}-moved`);
    expect((await markdown(db, `${copy}-moved`, { name: 'excerpts' })).unchanged).toBe(2);
    rmSync(`${copy}-moved`, { recursive: true });
    addFiles(copy, { 'a.md': '' });
  });
});

it('keeps the blog of a post whose row another program replaced', async () => {
  const db = emptyBlog();
  const folder = folderOf(FOUR);
  await markdown(db, folder);
  db.exec(`REPLACE INTO posts (id, slug, title, status, published_at, source)
    SELECT id, slug, 'Replaced', status, published_at, source FROM posts WHERE slug = 'a'`);
  addFiles(folder, { 'b.md': page('02', 'B, edited') });
  await markdown(db, folder);
  rmSync(join(folder, 'a.md'));
  expect((await markdown(db, folder)).gone).toEqual([{ source: 'markdown:a.md', slug: 'a' }]);
});

it.each([
  ['wordpress', wxr(item() + numbered(2)), wxr(item()), 'post-2'],
  ['feed', jsonFeed([{}, { id: 'b', url: 'https://blog.example/b', title: 'B' }]), jsonFeed([{}]), 'b'],
] as const)(
  '%s may be partial: missing posts are named, and archived only with --complete',
  async (format, both, one, slug) => {
    const db = emptyBlog();
    const run = (text: string, complete = false) =>
      importBlog({ db, items: readBlog(format, [fileOf(text, 'a.xml')], { now: NOW }), complete });
    expect(await run(both)).toMatchObject({ posts: { published: 2 }, imported: { posts: 2 } });
    expect(await run(both)).toMatchObject({ unchanged: 2, imported: { posts: 0 } });
    expect(await run(one)).toMatchObject({ gone: [], absent: [{ slug }] });
    expect(await run(one, true)).toMatchObject({ gone: [{ slug }], absent: [] });
  },
);

it('an export of WordPress that is truncated archives nothing', async () => {
  const db = emptyBlog();
  const run = (text: string, rules: ImportRules = {}) =>
    importBlog({ db, items: readBlog('wordpress', [fileOf(text, 'a.xml')], { now: NOW }), ...rules });
  await run(wxr(item() + numbered(2) + numbered(3)));
  const whole = wxr(item() + numbered(2));
  const cut = whole.slice(0, whole.lastIndexOf('</item>') - 5);
  expect((await run(cut, { complete: true, force: true })).gone).toEqual([]);
});

describe('a Ghost export', () => {
  const run = (db: BlogDatabase, ...given: object[]) =>
    importBlog({ db, items: FORMATS.ghost.read(exportOf(rows(...given)), { now: NOW }) });
  const uuid = (n: number) => GHOST_POST.uuid.replace(/.$/, String(n));

  it('is the whole blog: missing posts are archived, and so are posts that became pages', async () => {
    const db = emptyBlog();
    const given = [0, 1, 2, 3].map((n) => ({ uuid: uuid(n) }));
    await run(db, ...given);
    const { gone } = await run(db, { uuid: uuid(0) }, { uuid: uuid(1), type: 'page' }, { uuid: uuid(2) });
    expect(gone.map(({ source }) => source)).toEqual([`ghost:${uuid(1)}`, `ghost:${uuid(3)}`]);
  });
});

describe('a withdrawn post', () => {
  it('is not published by an import, also under another path and slug, until the withdrawal is lifted', async () => {
    const db = emptyBlog();
    const folder = folderOf(FOUR);
    await markdown(db, folder);
    expect(withdrawPost(db, 'a', NOW)).toBe(true);
    expect(withdrawPost(db, 'a', NOW)).toBe(false);
    addFiles(folder, { 'a.md': page('01', 'A, edited') });
    expect((await markdown(db, folder)).withdrawn).toEqual([{ source: 'markdown:a.md', slug: 'a' }]);
    renameSync(join(folder, 'a.md'), join(folder, 'again.md'));
    expect((await markdown(db, folder)).withdrawn).toEqual([{ source: 'markdown:again.md', slug: 'again' }]);
    expect(posts(db)).toContainEqual(['again', 'archived']);
    // Nor another row that requests its slug, for example from another blog.
    await markdown(db, folderOf({ 'x/a.md': page('17', 'Copy') }), { name: 'other' });
    expect(posts(db).filter((row) => String(row).startsWith('a,'))).toEqual([['a', 'archived']]);

    expect(restorePost(db, 'a')).toBe(true);
    expect(restorePost(db, 'a')).toBe(false);
    expect(posts(db)).toContainEqual(['again', 'published']);
    expect((await markdown(db, folder)).withdrawn).toEqual([]);
  });
});
