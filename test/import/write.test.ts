import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BlogDatabase } from '../../data/database.ts';
import { LossesFound, SiteUrlInvalid } from '../../data/imported/errors.ts';
import { FORMATS } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import { knownBlog } from '../../data/imported/origin.ts';
import { siteAddress } from '../../data/imported/site.ts';
import { SAMPLE } from '../../data/sample-origin.ts';
import type { ImportedBlog, ImportedItem, ImportedPost } from '../../import/imported-item.ts';
import type { ImportReport } from '../../data/imported/report.ts';
import { blogOf, itemsOf, made, POST } from './made-blog.ts';
import { addFiles, dump, emptyBlog, folderOf, NOW } from './folder.ts';

const page = (frontMatter: string, body = 'Text.') => `---\n${frontMatter}\n---\n${body}`;
const importFolder = (db: BlogDatabase, folder: string): Promise<ImportReport> =>
  importBlog({ db, items: FORMATS.markdown.read(folder, { now: NOW }) });
const slugs = (db: BlogDatabase) => db.prepare('SELECT source, slug FROM posts ORDER BY source').raw().all();

const FILES = {
  'a.md': page('date: 2020-01-01\ntitle: A\ncategories: [X, Y]\ntags: [c++, c]\nauthor: Ann\nviews: 3'),
  'b/index.md': page('date: 2020-01-02\ntitle: B\ncategory: x\ntags: [C, C++]'),
  'b/index.es.md': page('date: 2020-01-02\ntitle: B'),
  'old/b.md': page('date: 2019-01-01\ntitle: B'),
  'new/b.md': page('date: 2021-01-01\ntitle: B'),
  'draft.md': page('draft: true\ntitle: D'),
  'README.md': 'x',
};

describe('importBlog', () => {
  it('reports imported posts with their slugs, and what was left out', async () => {
    const db = emptyBlog();
    const folder = folderOf(FILES);
    expect(await importFolder(db, folder)).toEqual({
      origins: [{ format: 'markdown', name: basename(folder), new: true }],
      notes: [
        'Several spellings of the same categories were merged: "X", "x".',
        'Several spellings of the same tags were merged: "c++", "C++"; "c", "C".',
      ],
      replacedSample: false,
      site: { name: null, url: null },
      found: 7,
      posts: { published: 5, scheduled: 0, archived: 0 },
      hidden: { draft: 1 },
      imported: { posts: 5, categories: 1, tags: 3, authors: 1 },
      unchanged: 0,
      renamed: [
        { source: 'markdown:b/index.md', slug: 'b-2', wanted: 'b' },
        { source: 'markdown:new/b.md', slug: 'b-3', wanted: 'b' },
        { source: 'markdown:b/index.es.md', slug: 'b-es', wanted: 'b' },
      ],
      ...{ moved: [], gone: [], absent: [], withdrawn: [] },
      skipped: [{ source: 'README.md', reason: 'has no front matter with a date' }],
      ...{ notPosts: [], losses: [] },
    });
    expect(db.prepare('SELECT name FROM categories').pluck().all()).toEqual(['X']);
    const tags = db.prepare(
      'SELECT t.name FROM post_tags p JOIN tags t ON t.id = tag_id JOIN posts ON posts.id = post_id WHERE source = ? ORDER BY place',
    );
    expect(tags.pluck().all('markdown:a.md')).toEqual(['Y', 'c++', 'c']);
    expect(tags.pluck().all('markdown:b/index.md')).toEqual(['c', 'c++']);
  });

  it('changes nothing the second time', async () => {
    const [db, folder] = [emptyBlog(), folderOf(FILES)];
    const first = await importFolder(db, folder);
    const before = dump(db);
    expect(await importFolder(db, folder)).toEqual({
      ...{ ...first, origins: [{ ...first.origins[0], new: false }], unchanged: 5 },
      imported: { posts: 0, categories: 0, tags: 0, authors: 0 },
    });
    expect(dump(db)).toBe(before);
  });

  it('writes only what changed', async () => {
    const db = emptyBlog();
    const folder = folderOf(FILES);
    await importFolder(db, folder);
    const revisions = db.prepare<[], [string, number]>('SELECT source, revision FROM posts').raw();
    const before = new Map(revisions.all());
    addFiles(folder, { 'a.md': page('date: 2020-01-01\ntitle: A!\ntags: [c, c++]\nauthor: Ann') });
    expect(await importFolder(db, folder)).toMatchObject({ imported: { posts: 1 }, unchanged: 4 });
    const changed = revisions.all().filter(([source, revision]) => before.get(source) !== revision);
    expect(changed.map(([source]) => source)).toEqual(['markdown:a.md']);
    // The source has no views: the stored count stays.
    expect(db.prepare("SELECT title, category_id, views FROM posts WHERE slug = 'a'").get()).toEqual({
      title: 'A!',
      category_id: null,
      views: 3,
    });
  });

  it('keeps slugs when an older post arrives, and the slug of a post that moves', async () => {
    const db = emptyBlog();
    const folder = folderOf(FILES);
    await importFolder(db, folder);
    const before = slugs(db);
    addFiles(folder, { 'oldest/b.md': page('date: 2001-01-01\ntitle: B') });
    await importFolder(db, folder);
    expect(slugs(db)).toEqual([...before, ['markdown:oldest/b.md', 'b-4']]);
    rmSync(join(folder, 'old/b.md'));
    addFiles(folder, { 'moved/b.md': page('date: 2019-01-01\ntitle: B') });
    await importFolder(db, folder);
    expect(slugs(db)).toContainEqual(['markdown:moved/b.md', 'b']);
    expect(slugs(db)).toHaveLength(before.length + 1);
  });

  it('gives no post a slug that another one requests', async () => {
    const db = emptyBlog();
    await importBlog({
      db,
      items: itemsOf(
        { source: 'test:1', publishedAt: '2020-01-01T00:00:00+00:00' },
        { source: 'test:2', publishedAt: '2020-01-02T00:00:00+00:00' },
        { source: 'test:3', slug: 'one-2', publishedAt: '2020-01-03T00:00:00+00:00' },
        { source: 'test:4', language: 'es', publishedAt: '2019-01-01T00:00:00+00:00' },
        { source: 'test:5', language: 'es', publishedAt: '2019-01-02T00:00:00+00:00' },
      ),
    });
    expect(slugs(db)).toEqual([
      ['test:1', 'one'],
      ['test:2', 'one-3'],
      ['test:3', 'one-2'],
      ['test:4', 'one-es'],
      ['test:5', 'one-es-2'],
    ]);
  });

  it("does not change other blogs' posts, nor those missing in a partial source", async () => {
    const db = emptyBlog();
    db.exec("INSERT INTO posts (slug, title) VALUES ('one', 'By hand')");
    await importBlog({ db, items: itemsOf({ source: 'test:1' }, { source: 'test:2', slug: 'two' }) });
    await importBlog({ db, items: itemsOf({ source: 'test:1' }) });
    expect(db.prepare('SELECT source, slug, title FROM posts ORDER BY id').raw().all()).toEqual([
      [null, 'one', 'By hand'],
      ['test:1', 'one-2', 'One'],
      ['test:2', 'two', 'One'],
    ]);
  });

  const news = { slug: 'news', name: 'News' };
  const lateIn2019 = { category: news, publishedAt: '2019-12-31T23:00:00-05:00' };
  it.each<[pattern: string, post: Partial<ImportedPost>, url: string, isKept: boolean]>([
    ['/p/{slug}/', {}, '/p/one/', false],
    ['/p/{slug}/', {}, '/p/one', true],
    ['/p/{slug}/', {}, 'https://b.example/p/one/', false],
    ['/p/{slug}/', {}, '/P/one', true],
    ['/p/{slug}/', {}, 'https://c.example/p/one', true],
    ['/{category}/{year}/{month}/{slug}/', { category: news }, '/news/2020/01/one/', false],
    ['/{category}/{year}/{month}/{slug}/', lateIn2019, '/news/2019/12/one/', false],
    ['/{category}/{year}/{month}/{slug}/', { category: news }, '/2020/01/one/', true],
    ['/{category}/{year}/{month}/{slug}/', {}, 'https://b.example/2020/01/one/', false],
  ])(
    'stores an own address only if the site’s pattern gives another: %s %j %s',
    async (pattern, post, url, isKept) => {
      const db = emptyBlog();
      db.prepare("UPDATE site SET url = 'https://b.example', post_path = ?").run(pattern);
      await importBlog({ db, items: itemsOf({ url: '/before' }) });
      await importBlog({ db, items: itemsOf({ ...post, url }) });
      expect(db.prepare('SELECT url FROM posts').pluck().get()).toBe(isKept ? url : null);
    },
  );

  it('sets only the site’s address when one is given', async () => {
    const db = emptyBlog();
    db.exec("UPDATE site SET name = 'Mine', url = 'https://old.example'");
    const ofBlog = () => blogOf({}, made('1'));
    const site = db.prepare('SELECT name, url FROM site');
    await importBlog({ db, items: ofBlog() });
    expect(site.get()).toEqual({ name: 'Mine', url: 'https://old.example' });
    await importBlog({ db, items: ofBlog(), site: { url: 'https://New.example/blog/' } });
    expect(site.get()).toEqual({ name: 'Mine', url: 'https://new.example/blog' });
    const before = dump(db);
    await importBlog({ db, items: ofBlog(), site: { url: 'https://new.example/blog' } });
    expect(dump(db)).toBe(before);
    const invalid = 'new.example ftp://new.example https:// https://a:b@c.example https://a.example/?b';
    for (const url of invalid.split(' '))
      await expect(importBlog({ db, items: ofBlog(), site: { url } })).rejects.toThrow(SiteUrlInvalid);
  });

  it('of the first blog knows no address of the sample, which it replaces', async () => {
    const db = emptyBlog();
    db.prepare("INSERT INTO origins (format, name) VALUES ('markdown', ?)").run(SAMPLE.origin);
    db.prepare('UPDATE site SET url = ?').run(SAMPLE.url);
    expect(siteAddress(db, undefined)).toBeNull();
    expect(siteAddress(db, 'https://a.example')).toBe('https://a.example');
    await importBlog({ db, items: blogOf({}, made('1')) });
    expect(siteAddress(db, undefined)).toBeNull();
  });

  it('stores what the last import knows of an author, and never less than before', async () => {
    const db = emptyBlog();
    const author = db.prepare('SELECT username, name, avatar FROM authors').raw();
    const told = async (...authors: readonly { name: string; avatar: string | null }[]) => {
      const posts = authors.map((given, n) => ({
        source: `test:${n}`,
        slug: `s${n}`,
        author: { username: 'ann', ...given },
      }));
      const { imported } = await importBlog({ db, items: itemsOf(...posts) });
      return [imported.authors, ...author.all()];
    };
    expect(await told({ name: 'ann', avatar: null })).toEqual([1, ['ann', 'ann', null]]);
    expect(await told({ name: 'Ann Lee', avatar: '/a.png' })).toEqual([1, ['ann', 'Ann Lee', '/a.png']]);
    expect(await told({ name: 'ann', avatar: null })).toEqual([0, ['ann', 'Ann Lee', '/a.png']]);
    // Two spellings in one import: the first wins, now and the next time.
    const two = () => told({ name: 'Ann LEE', avatar: null }, { name: 'Ann Lee', avatar: '/b.png' });
    expect(await two()).toEqual([2, ['ann', 'Ann LEE', '/b.png']]);
    expect(await two()).toEqual([0, ['ann', 'Ann LEE', '/b.png']]);
  });

  it.each([
    ['was changed', 'updatedAt', 'updated_at'],
    ['expires', 'expiresAt', 'expires_at'],
  ] as const)('stores when a post %s, and updates it', async (_what, field, column) => {
    const db = emptyBlog();
    for (const date of ['2030-01-01T00:00:00+01:00', '2030-02-01T00:00:00+00:00', null]) {
      const run = () => importBlog({ db, items: itemsOf({ [field]: date }) });
      expect([(await run()).imported.posts, (await run()).imported.posts]).toEqual([1, 0]);
      expect(db.prepare(`SELECT ${column} FROM posts`).pluck().all()).toEqual([date]);
    }
  });

  it('leaves out posts that the database rejects, with all their rows', async () => {
    const db = emptyBlog();
    const report = await importBlog({
      db,
      items: itemsOf(
        { source: 'test:1', publishedAt: 'soon', category: { slug: 'x', name: 'X' } },
        { source: 'test:2', slug: 'two' },
        { source: 'test:2', slug: 'again' },
      ),
    });
    expect(report.imported).toEqual({ posts: 1, categories: 0, tags: 0, authors: 0 });
    expect(report.skipped).toEqual([
      { source: 'test:2', reason: 'appears twice in this import; the first was used' },
      {
        source: 'test:1',
        reason: expect.stringMatching(/^the database rejects it: CHECK constraint failed/),
      },
    ]);
    expect(db.prepare('SELECT count(*) FROM categories').pluck().get()).toBe(0);
  });

  it('writes nothing if the source fails', async () => {
    const db = emptyBlog();
    const before = dump(db);
    const breaking = async function* () {
      yield* itemsOf({});
      throw new Error('the disk is gone');
    };
    await expect(importBlog({ db, items: breaking() })).rejects.toThrow('the disk is gone');
    expect(dump(db)).toBe(before);
    expect(db.prepare('SELECT count(*) FROM temp.sqlite_schema').pluck().get()).toBe(0);
  });
});

describe('the site', () => {
  const siteOf = (db: BlogDatabase) => db.prepare('SELECT name, url FROM site').get();
  const run = (db: BlogDatabase, site: ImportedBlog['site'], url?: string) =>
    importBlog({ db, items: blogOf(site === undefined ? {} : { site }, made('1')), site: { url } });

  it('takes its name and address from the blog, and updates them', async () => {
    const db = emptyBlog();
    expect(await run(db, undefined)).toMatchObject({ notes: [], site: { name: null, url: null } });
    expect((await run(db, { name: ' A blog ', url: 'https://a.example/blog/' })).site).toEqual({
      name: 'A blog',
      url: 'https://a.example/blog',
    });
    const { notes } = await run(db, { name: 'Another name', url: '/' });
    expect(notes).toEqual([expect.stringContaining('is now named "Another name"')]);
    expect(siteOf(db)).toEqual({ name: 'Another name', url: 'https://a.example/blog' });
  });

  it('keeps values that its owner has set', async () => {
    const db = emptyBlog();
    await run(db, { name: 'A', url: 'https://a.example' });
    db.exec("UPDATE site SET name = 'Mine'");
    await run(db, { name: 'B', url: 'https://b.example' }, 'https://mine.example');
    expect(siteOf(db)).toEqual({ name: 'Mine', url: 'https://mine.example' });
    await run(db, { name: 'C', url: 'https://c.example' });
    expect(siteOf(db)).toEqual({ name: 'Mine', url: 'https://mine.example' });
  });
});

describe('other items of a format', () => {
  const loss = (what: string, source: string): ImportedItem => ({ kind: 'loss', loss: { what, source } });

  it('are counted: losses by kind, skipped items by reason', async () => {
    const db = emptyBlog();
    const noPost = (source: string, reason: string): ImportedItem => ({
      kind: 'skipped',
      skipped: { source, reason, noPost: true },
    });
    const items = blogOf(
      {},
      ...[loss('shortcode x', 'test:a'), loss('shortcode y', 'test:a'), loss('shortcode y', 'test:b')],
      ...[noPost('i', 'is a page'), noPost('j', 'is an image'), noPost('k', 'is an image'), made('a')],
      { kind: 'note', text: 'read by an engine' },
    );
    expect(await importBlog({ db, items })).toMatchObject({
      notes: ['read by an engine'],
      found: 4,
      losses: [
        { what: 'shortcode y', count: 2, first: 'test:a' },
        { what: 'shortcode x', count: 1, first: 'test:a' },
      ],
      notPosts: [
        { what: 'is an image', count: 2, first: 'j' },
        { what: 'is a page', count: 1, first: 'i' },
      ],
    });
  });

  it('stop a strict import, which then writes nothing', async () => {
    for (const item of [
      loss('shortcode x', 'test:a'),
      { kind: 'skipped', skipped: { source: 'test:b', reason: 'is broken' } } as const,
    ]) {
      const db = emptyBlog();
      const before = dump(db);
      await expect(importBlog({ db, items: blogOf({}, made('a'), item), strict: true })).rejects.toThrow(
        LossesFound,
      );
      expect(dump(db)).toBe(before);
    }
  });

  it('may be terms, with or without posts, whose names there count', async () => {
    const db = emptyBlog();
    const terms = (category: string, ...more: readonly ImportedItem[]) =>
      importBlog({
        db,
        items: blogOf(
          {},
          { kind: 'category', term: { slug: 'news', name: category } },
          { kind: 'tag', term: { slug: 'c', name: 'C++' } },
          { kind: 'author', author: { username: 'ada', name: 'Ada', avatar: '/ada.png' } },
          {
            kind: 'post',
            post: {
              ...{ ...POST, source: 'test:a', category: { slug: 'news', name: 'news!' } },
              ...{ tags: [{ slug: 'c', name: 'C' }], author: { username: 'ada', name: 'ada', avatar: null } },
            },
          },
          ...more,
        ),
      });
    const rows = () =>
      [
        'SELECT slug, name FROM categories',
        'SELECT slug, name FROM tags',
        'SELECT username, name, avatar FROM authors',
      ].map((sql) => db.prepare(sql).raw().all());
    await terms('Latest News');
    const both = await terms('Fresh News', { kind: 'category', term: { slug: 'empty', name: 'Empty' } });
    expect(both.imported).toMatchObject({ posts: 0, categories: 2, tags: 0, authors: 0 });
    expect(rows()).toEqual([
      [
        ['news', 'Fresh News'],
        ['empty', 'Empty'],
      ],
      [['c', 'C++']],
      [['ada', 'Ada', '/ada.png']],
    ]);
    const long = { kind: 'tag', term: { slug: 'x'.repeat(201), name: 'x' } } as const;
    expect(await terms('Fresh News', long)).toMatchObject({
      losses: [{ what: 'tag' }],
      imported: { tags: 0 },
    });
  });

  it('give a slug that was made of a name the name that posts have for it, and keep the owner’s', async () => {
    const db = emptyBlog();
    db.exec("INSERT INTO tags (slug, name) VALUES ('c', 'C')");
    const run = () => importBlog({ db, items: itemsOf({ tags: [{ slug: 'c', name: 'C++' }] }) });
    const names = db.prepare('SELECT name FROM tags').pluck();
    await run();
    expect(names.all()).toEqual(['C++']);
    db.exec("UPDATE tags SET name = 'The language C++'");
    expect((await run()).imported).toMatchObject({ posts: 0, tags: 0 });
    expect(names.all()).toEqual(['The language C++']);
  });

  it('may say at the end that the blog was complete', async () => {
    const db = emptyBlog();
    const part = (...items: readonly ImportedItem[]) => blogOf({ isComplete: false }, ...items);
    await importBlog({ db, items: part(made('a'), made('b')) });
    expect((await importBlog({ db, items: part(made('a')) })).absent).toHaveLength(1);
    const whole = await importBlog({ db, items: part(made('a'), { kind: 'complete' }) });
    expect(whole.gone).toEqual([{ source: 'test:b', slug: 'b' }]);
  });

  it('may be unchanged posts, and a state for the next import', async () => {
    const db = emptyBlog();
    expect(knownBlog(db, 'test', 'here')).toBeNull();
    await importBlog({
      db,
      items: blogOf({}, made('a'), made('b'), { kind: 'state', text: 'until now' }),
    });
    const known = knownBlog(db, 'test', 'here');
    expect([known?.state, known?.has('test:a'), known?.has('test:c')]).toEqual(['until now', true, false]);

    const report = await importBlog({ db, items: blogOf({}, { kind: 'unchanged', source: 'test:a' }) });
    expect(report).toMatchObject({
      ...{ found: 1, unchanged: 1, posts: { published: 1 } },
      gone: [{ source: 'test:b', slug: 'b' }],
    });
    expect(knownBlog(db, 'test', 'here')?.state).toBeNull();
  });

  describe('of a second blog', () => {
    const LINK = '<a href="/about/?a=1&amp;b=2">x</a>';
    const blogAt = (key: string, url: string | null, post: Partial<ImportedPost> = {}) =>
      blogOf(
        { key, name: key, ...(url === null ? {} : { site: { url } }) },
        made(key, { body: LINK, ...post }),
      );
    const rowOf = (db: BlogDatabase, slug: string) =>
      db.prepare('SELECT url, cover, body FROM posts WHERE slug = ?').get(slug);
    const urlOf = (db: BlogDatabase) => db.prepare('SELECT url FROM site').pluck().get();
    const SECOND = {
      url: 'https://b.example/blog/posts/b',
      cover: null,
      body: '<a href="https://b.example/about/?a=1&amp;b=2">x</a>',
    };

    it('is its own: its bodies, images and addresses are resolved against it', async () => {
      const db = emptyBlog();
      await importBlog({ db, items: blogAt('a', 'https://a.example') });
      const second = () =>
        importBlog({
          db,
          items: blogAt('b', 'https://b.example/blog', {
            cover: '/c.png',
            url: '/blog/2020/b/',
            author: { username: 'ada', name: 'Ada', avatar: '/ada.png' },
            body: `<p title='>'>Ж&nbsp;<a href=/about/>x</a> <a href="next#y">y</a> <a href="#z">z</a>
              <a href="https://c.example/">c</a> <a href="mailto:a@b.example">m</a><img src="i.png"></p>`,
          }),
        });
      await second();
      expect(rowOf(db, 'a')).toEqual({ url: null, cover: null, body: LINK });
      expect(rowOf(db, 'b')).toEqual({
        url: 'https://b.example/blog/2020/b/',
        cover: 'https://b.example/c.png',
        body: `<p title=">">Ж&nbsp;<a href="https://b.example/about/">x</a> <a href="https://b.example/blog/2020/b/next#y">y</a> <a href="#z">z</a>
              <a href="https://c.example/">c</a> <a href="mailto:a@b.example">m</a><img src="https://b.example/blog/2020/b/i.png"></p>`,
      });
      expect(db.prepare('SELECT avatar FROM authors').pluck().get()).toBe('https://b.example/ada.png');
      expect(urlOf(db)).toBe('https://a.example');
      const before = dump(db);
      expect(await second()).toMatchObject({ unchanged: 1, imported: { posts: 0 } });
      await importBlog({ db, items: blogAt('a', 'https://a.example') });
      expect(dump(db)).toBe(before);
    });

    it('may be given, with either import, and is kept', async () => {
      const db = emptyBlog();
      await importBlog({ db, items: blogAt('a', null), site: { url: 'https://a.example' } });
      await importBlog({ db, items: blogAt('b', null), site: { url: 'https://b.example/blog' } });
      expect(urlOf(db)).toBe('https://a.example');
      expect(rowOf(db, 'b')).toEqual(SECOND);
      await importBlog({ db, items: blogAt('b', 'https://wrong.example') });
      expect(rowOf(db, 'b')).toEqual(SECOND);
      expect(knownBlog(db, 'test', 'b')?.home).toBe('https://b.example/blog');
      expect(knownBlog(db, 'test', 'a')?.home).toBeNull();
    });

    it('keeps links within the text of a page whose own address is on another site', async () => {
      const db = emptyBlog();
      await importBlog({ db, items: blogAt('a', 'https://a.example') });
      const url = 'https://other.example/x';
      await importBlog({ db, items: blogAt('b', 'https://b.example/blog', { url }) });
      expect(rowOf(db, 'b')).toEqual({ ...SECOND, url });
    });

    it('is the site’s, if the owner has set one that no blog has, or both have the same', async () => {
      for (const set of [
        { db: 'https://own.example', configured: {} },
        { db: null, configured: { url: 'https://own.example' } },
      ]) {
        const db = emptyBlog();
        await importBlog({ db, items: blogAt('a', 'https://a.example') });
        if (set.db !== null) db.prepare('UPDATE site SET url = ?').run(set.db);
        await importBlog({ db, items: blogAt('b', 'https://b.example'), configured: set.configured });
        expect(rowOf(db, 'b')).toEqual({ url: null, cover: null, body: LINK });
      }
      const db = emptyBlog();
      await importBlog({ db, items: blogAt('a', 'https://a.example') });
      await importBlog({ db, items: blogAt('b', 'https://a.example/') });
      expect(rowOf(db, 'b')).toEqual({ url: null, cover: null, body: LINK });
    });

    it('leaves a post out whose text has too many elements for it', async () => {
      const db = emptyBlog();
      await importBlog({ db, items: blogAt('a', 'https://a.example') });
      const body = '<div>'.repeat(300);
      const { skipped } = await importBlog({ db, items: blogAt('b', 'https://b.example', { body }) });
      expect(skipped).toEqual([
        { source: 'test:b//b', reason: 'has more than 200 levels of nested elements' },
      ]);
    });
  });
});
