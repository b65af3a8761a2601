import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BlogDatabase } from '../../data/database.ts';
import { LossesFound } from '../../data/imported/errors.ts';
import { importBlog, type ImportRules } from '../../data/imported/import.ts';
import { readBlog } from '../../import/formats.ts';
import { MAX_LINE } from '../../import/items/lines.ts';
import { dump, emptyBlog, folderOf, NOW } from './folder.ts';

type Line = object | string | Buffer;
const textOf = (line: Line): Buffer | string =>
  typeof line === 'string' || Buffer.isBuffer(line) ? line : JSON.stringify(line);
const fileOf = (lines: readonly Line[], newline = '\n'): string => {
  const path = join(folderOf({}), 'posts.ndjson');
  writeFileSync(path, '');
  for (const line of lines)
    appendFileSync(path, Buffer.concat([Buffer.from(textOf(line)), Buffer.from(newline)]));
  return path;
};
const run = (db: BlogDatabase, lines: readonly Line[], rules: ImportRules = {}) =>
  importBlog({
    db,
    items: readBlog('items', [fileOf([BLOG, ...lines])], { now: NOW, complete: rules.complete }),
    ...rules,
  });

const BLOG = { kind: 'blog', name: 'My blog', url: 'https://my.example' };
const post = (id: string | number, more: object = {}) => ({
  ...{ kind: 'post', id, slug: `s${id}`, title: `Title ${id}`, content: `<p>${id}</p>` },
  ...{ published_at: '2026-05-01T09:30:00+02:00', ...more },
});
const end = (posts: number) => ({ kind: 'end', posts });
const statuses = (db: BlogDatabase) =>
  Object.fromEntries(
    db.prepare<[], [string, string]>('SELECT slug, status FROM posts ORDER BY slug').raw().all(),
  );

describe('items', () => {
  it('come in with all their fields', async () => {
    const db = emptyBlog();
    const report = await run(db, [
      { kind: 'category', name: 'News', slug: 'news' },
      { kind: 'category', name: 'Nothing yet', slug: 'nothing' },
      { kind: 'tag', name: 'C++', slug: 'cpp' },
      { kind: 'author', name: 'Ada Lovelace', username: 'ada', avatar: '/ada.png' },
      post(7, {
        ...{
          description: 'In short',
          cover: '/c.png',
          views: 9,
          url: 'https://other.example/7',
          language: 'ES',
        },
        ...{
          category: { name: 'news', slug: 'news' },
          tags: ['Machine Learning', { name: 'C', slug: 'cpp' }, 'machine learning'],
        },
        ...{ author: { name: 'ada', username: 'ada' }, meta_title: 'For engines', meta_description: 'Also' },
        ...{
          updated_at: '2026-05-02T00:00:00Z',
          expires_at: '2030-01-01T00:00:00.5+00:00',
          status: 'published',
        },
      }),
      post('soon', {
        ...{ published_at: '2026-07-01T00:00:00Z', tags: null },
        ...{ title: null, content: '<img src="/a.png" alt="A door">' },
      }),
      end(2),
    ]);
    expect(report).toMatchObject({
      posts: { published: 1, scheduled: 1 },
      losses: [],
      skipped: [],
      notes: [],
    });
    expect(report.site).toEqual({ name: 'My blog', url: 'https://my.example' });
    const sql = `SELECT p.source, p.slug, p.title, p.body, p.description, p.cover, p.views, p.url, p.meta_title,
      p.meta_description, p.published_at, p.updated_at, p.expires_at, p.status, c.name AS category, a.name AS author,
      (SELECT group_concat(t.name ORDER BY place) FROM post_tags JOIN tags t ON t.id = tag_id WHERE post_id = p.id) AS tags
      FROM posts p LEFT JOIN categories c ON c.id = category_id LEFT JOIN authors a ON a.id = author_id ORDER BY p.id`;
    expect(db.prepare(sql).all()).toEqual([
      expect.objectContaining({
        ...{ source: 'items:soon', slug: 'ssoon', status: 'scheduled', tags: null, title: 'A door' },
      }),
      {
        ...{ source: 'items:7', slug: 's7', title: 'Title 7', body: '<p>7</p>', description: 'In short' },
        ...{ cover: '/c.png', views: 9, url: 'https://other.example/7', meta_title: 'For engines' },
        ...{ meta_description: 'Also', published_at: '2026-05-01T09:30:00+02:00' },
        ...{ updated_at: '2026-05-02T00:00:00+00:00', expires_at: '2030-01-01T00:00:00+00:00' },
        ...{ status: 'published', category: 'News', author: 'Ada Lovelace', tags: 'Machine Learning,C++' },
      },
    ]);
    expect(db.prepare('SELECT name FROM categories ORDER BY id').pluck().all()).toEqual([
      'News',
      'Nothing yet',
    ]);
  });

  it('change nothing the second time, and belong to one blog wherever the file is', async () => {
    const db = emptyBlog();
    const lines = [post(1), post(2), end(2)];
    await run(db, lines);
    const before = dump(db);
    expect(await run(db, lines)).toMatchObject({ unchanged: 2, origins: [{ name: 'My blog', new: false }] });
    expect(dump(db)).toBe(before);
  });

  it('of a known name at another address are refused, since they may be a part of the same blog', async () => {
    const db = emptyBlog();
    await run(db, [post(1), post(2), end(2)]);
    const before = dump(db);
    const moved = (name?: string) => {
      const blog = { ...BLOG, url: 'https://new.example' };
      const items = readBlog('items', [fileOf([blog, post(2), post(3)])], { now: NOW });
      return importBlog({ db, items, name });
    };
    await expect(moved()).rejects.toThrow(
      'The database has a blog "My blog" of https://my.example, and this one is of https://new.example',
    );
    expect(dump(db)).toBe(before);
    await moved('My blog');
    expect(statuses(db)).toEqual({ s1: 'published', s2: 'published', s3: 'published' });
  });

  const known = [post('a'), post('b'), post('c')];
  it.each<[what: string, lines: readonly Line[], archived: readonly string[]]>([
    ['with an end', [...known.slice(1), end(2)], ['sa']],
    ['without an end', known.slice(1), []],
    ['with a wrong end', [...known.slice(1), end(3)], []],
    ['with posts after the end', [known[1] ?? '', end(1), known[2] ?? ''], []],
    ['of two files', [known[1] ?? '', end(1), known[2] ?? '', end(2)], []],
    ['that break off', [...known.slice(1), '{"kind":"post","id":"a","sl'], []],
    ['with a bad line', [...known.slice(1), post('a', { title: 5 }), end(3)], []],
    ['with a line of which nothing is known', [...known.slice(1), 'Warning: x', end(2)], []],
    ['with a bad line of another kind', [{ kind: 'tag', name: 'x' }, ...known.slice(1), end(2)], ['sa']],
  ])('%s archive only what is gone, also with --complete', async (_what, lines, archived) => {
    for (const complete of [false, true]) {
      const db = emptyBlog();
      await run(db, [...known, end(3)]);
      const report = await run(db, lines, { complete });
      expect(report.gone.map(({ slug }) => slug)).toEqual(archived);
      expect(statuses(db)).toMatchObject({ sb: 'published', sc: 'published' });
      const isReported = report.notes.length + report.skipped.length > 0;
      expect(isReported).toBe(archived.length === 0 || lines.length > 3);
    }
  });

  it.each<[line: Line, source: string, reason: RegExp]>([
    [post('x', { slug: undefined }), 'line 2 (x)', /^slug: is missing$/],
    [{ ...post('x'), id: undefined }, 'line 2', /^id: is missing$/],
    [{ kind: 'post', status: 'draft' }, 'line 2', /^id: is missing$/],
    [post('x', { title: 5 }), 'line 2 (x)', /^title: must be a string, or null for a post without one$/],
    [post('x', { title: undefined }), 'line 2 (x)', /^title: is missing$/],
    [post('x', { content: null }), 'line 2 (x)', /^content: must be a string$/],
    [post('x', { published_at: '2026-05-01 09:30' }), 'line 2 (x)', /^published_at: must be a valid date/],
    [
      post('x', { published_at: '2026-02-30T09:30:00Z' }),
      'line 2 (x)',
      /^published_at: must be a valid date/,
    ],
    [post('x', { tags: ['ok', 5] }), 'line 2 (x)', /^tags\.1: must be a name, or an object/],
    [post('x', { category: 'News' }), 'line 2 (x)', /^category: must be an object with a name and a slug$/],
    [post('x', { author: { name: 'Ada' } }), 'line 2 (x)', /^author\.username: is missing$/],
    [post('x', { views: -1 }), 'line 2 (x)', /^views: must be a whole number, at least 0$/],
    [post('x', { status: null }), 'line 2 (x)', /^status: must be a string$/],
    [post('x', { slug: 'a/b' }), 'items:x', /^its slug cannot be used: it contains a slash$/],
    [post('x\ny'), 'line 2', /^id: must be a whole number, or a string in one line/],
    [{ ...post('x'), kind: 'page' }, 'line 2', /^kind: must be blog, category/],
    [{ kind: 'blog', name: 'Again' }, 'line 2', /^kind: only the first line can be "blog"$/],
    ['[]', 'line 2', /^is not a JSON object$/],
    [Buffer.from('{"kind":"post","id":"\xE9"}', 'latin1'), 'line 2', /^is not valid UTF-8$/],
    [`"${'x'.repeat(MAX_LINE)}`, 'line 2', /^has more than 16 MB$/],
  ])('name a bad line, number %#, and stop with --strict', async (line, source, reason) => {
    const db = emptyBlog();
    const lines = [line, post('y')];
    expect((await run(db, lines)).skipped).toEqual([{ source, reason: expect.stringMatching(reason) }]);
    expect(statuses(db)).toEqual({ sy: 'published' });
    const before = dump(db);
    await expect(run(db, [...lines, post('z')], { strict: true })).rejects.toThrow(LossesFound);
    expect(dump(db)).toBe(before);
  });

  it('may have a byte order mark, Windows line ends, blank lines and no last line end', async () => {
    const db = emptyBlog();
    const lines = ['\uFEFF', BLOG, '\r\n', post(1), '\r\n \t\r\n\n', post(2), '\r\n', end(2)];
    const path = fileOf(lines, '');
    await importBlog({ db, items: readBlog('items', [path], { now: NOW }), strict: true });
    expect(statuses(db)).toEqual({ s1: 'published', s2: 'published' });
  });

  it.each<[first: Line]>([[post(1)], [end(0)], ['{'], [{ kind: 'blog', url: 'https://my.example' }]])(
    'are refused without their blog in the first line, as in %j',
    async (first) => {
      const items = readBlog('items', [fileOf([first, BLOG, post(2)])], { now: NOW });
      await expect(importBlog({ db: emptyBlog(), items })).rejects.toThrow(
        /posts\.ndjson does not say which blog its items are from\. Begin it with a line such as/,
      );
    },
  );

  it('name fields that are not known, and ids that come twice', async () => {
    const db = emptyBlog();
    const report = await run(db, [
      post(1, { body: 'x' }),
      post('1', { slug: 'other' }),
      post(2, { body: 'x' }),
      end(3),
    ]);
    expect(report.losses).toEqual([{ what: 'field "body"', count: 2, first: 'line 2' }]);
    expect(report.skipped).toEqual([{ source: 'items:1', reason: expect.stringMatching(/twice/) }]);
    expect(statuses(db)).toEqual({ s1: 'published', s2: 'published' });
  });

  it('count posts that are not public by their status, of which only the id is read, and end them', async () => {
    const db = emptyBlog();
    await run(db, [post(1), post(2), post(3), end(3)]);
    const hide = (id: number, status: string) => ({ kind: 'post', id, status, title: 5 });
    const all = ['private', 'members', 'pending', 'draft'].map((status, n) => hide(n + 1, status));
    expect(await run(db, [...all, post(5)])).toMatchObject({
      ...{ found: 5, hidden: { private: 1, members: 1, draft: 2 }, skipped: [] },
      losses: [{ what: 'status "pending"', count: 1, first: 'line 4' }],
      gone: [{ slug: 's1' }, { slug: 's2' }, { slug: 's3' }],
    });
    expect(statuses(db)).toEqual({ s1: 'archived', s2: 'archived', s3: 'archived', s5: 'published' });
  });
});
