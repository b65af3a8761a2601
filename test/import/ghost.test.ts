import { constants } from 'node:buffer';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExportTooLarge, FileMissing, NotGhostExport, OnePathOnly } from '../../import/errors.ts';
import { readBlog } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import { siteAddress } from '../../data/imported/site.ts';
import { type BlogDatabase, openForReading } from '../../data/database.ts';
import { runOffprint } from '../build/offprint-process.ts';
import { dump, emptyBlog, folderOf, NOW } from './folder.ts';
import { exportOf, fileOf, GHOST_POST, readExportFile, readGhostPost, type Tables } from './ghost-export.ts';

const TAGS = {
  tags: [
    { id: 't1', name: 'C++', slug: 'c', visibility: 'public' },
    { id: 't2', name: 'Notes', slug: 'notes' },
    { id: 't3', name: '#newsletter', slug: 'hash-newsletter', visibility: 'internal' },
    { id: 't4', name: 'Hidden', slug: 'hidden', visibility: 'internal' },
  ],
  posts_tags: ['t4', 't3', 't2', 't1'].map((tag_id, i) => ({
    post_id: GHOST_POST.id,
    tag_id,
    sort_order: 3 - i,
  })),
};
const USERS = {
  users: [
    {
      id: 'u1',
      name: 'Ann Lee <ann@example.com>',
      slug: 'ann',
      email: 'ann@example.com',
      profile_image: '//img.example/a.png',
    },
    { id: 'u2', name: 'Bo', slug: 'bo', profile_image: '__GHOST_URL__/content/images/bo.png' },
  ],
};
const rows = (...posts: readonly Readonly<Record<string, unknown>>[]): Tables => ({
  posts: posts.map((post, i) => ({ ...GHOST_POST, id: `p${i}`, uuid: null, slug: `s${i}`, ...post })),
});
const importFile = (db: BlogDatabase, path: string, site?: string) =>
  importBlog({
    db,
    items: readBlog('ghost', [path], { now: NOW, site: siteAddress(db, site) }),
    site: { url: site },
  });

describe('a post of a Ghost export', () => {
  it('has the fields that Ghost shows', async () => {
    const fields = {
      title: ' A \n title ',
      custom_excerpt: 'In\nshort',
      updated_at: '2020-02-01T10:00:00.000Z',
      feature_image: '__GHOST_URL__/content/images/a.png',
    };
    const links = { posts_authors: [{ post_id: GHOST_POST.id, author_id: 'u1', sort_order: 0 }] };
    const meta = { posts_meta: [{ post_id: GHOST_POST.id, meta_title: 'SEO', meta_description: null }] };
    expect(await readGhostPost(fields, { ...USERS, ...TAGS, ...links, ...meta })).toEqual({
      source: 'ghost:32785e92-196e-4e2e-8159-189195e92fcc',
      slug: 'one',
      language: null,
      title: 'A title',
      body: '<p>1</p>',
      description: 'In short',
      cover: '/content/images/a.png',
      metaTitle: 'SEO',
      metaDescription: null,
      category: null,
      tags: [
        { slug: 'c', name: 'C++' },
        { slug: 'notes', name: 'Notes' },
      ],
      author: { username: 'ann', name: 'Ann Lee', avatar: 'https://img.example/a.png' },
      coAuthors: [],
      status: 'published',
      publishedAt: '2020-01-01T10:00:00+00:00',
      updatedAt: '2020-02-01T10:00:00+00:00',
      url: '/one/',
      views: null,
    });
  });

  it('can be read in the form of old versions', async () => {
    const old = {
      id: 1,
      html: null,
      markdown: 'Hello\nthere',
      image: '/content/images/a.png',
      page: 0,
      type: undefined,
      visibility: undefined,
      meta_title: 'Old SEO',
      author_id: 1,
      published_at: 1388318310783,
    };
    const others = { users: [{ id: 1, name: 'Cy', slug: 'cy', image: '/content/images/c.png' }] };
    expect(await readGhostPost(old, others)).toMatchObject({
      body: '<p>Hello<br>\nthere</p>',
      cover: '/content/images/a.png',
      metaTitle: 'Old SEO',
      author: { username: 'cy', name: 'Cy', avatar: '/content/images/c.png' },
      publishedAt: '2013-12-29T11:58:30+00:00',
    });
  });

  it('is by the first author that exists', async () => {
    const author = async (...authors: readonly [string, number][]) =>
      (
        await readGhostPost(
          { author_id: 'u2' },
          {
            ...USERS,
            posts_authors: authors.map(([author_id, sort_order]) => ({
              post_id: GHOST_POST.id,
              author_id,
              sort_order,
            })),
          },
        )
      ).author?.username ?? null;
    expect(await author(['u2', 1], ['u1', 0])).toBe('ann');
    expect(await author(['gone', 0], ['u1', 1])).toBe('ann');
    expect(await author(['gone', 0])).toBe(null);
    expect(await author()).toBe('bo');
  });

  it.each([
    ['draft', 'public', 'draft'],
    ['published', 'public', 'published'],
    ['published', undefined, 'published'],
    ['published', null, 'draft'],
    ['scheduled', 'public', 'published'], // Its time has come since it was exported.
    ['published', 'members', 'draft'],
    ['published', 'paid', 'draft'],
    ['published', 'tiers', 'draft'],
    ['published', 'whatever', 'draft'],
    ['sent', 'public', 'draft'],
    [null, 'public', 'draft'],
    ['whatever', 'public', 'draft'],
    ['published', ['members'], 'draft'],
    ['published', { tiers: [] }, 'draft'],
    ['published', true, 'draft'],
    ['published', '', 'draft'],
  ])('with the status %s, visible to %s, is a %s', async (status, visibility, expected) => {
    expect((await readGhostPost({ status, visibility })).status).toBe(expected);
  });

  it('reports each card that cannot be rendered as a loss', async () => {
    const cards = [{ type: 'new-card' }, { type: 'new-card' }, { type: 'horizontalrule' }];
    const lexical = JSON.stringify({ root: { children: cards } });
    const path = exportOf({ posts: [{ ...GHOST_POST, html: null, lexical }] });
    const losses = (await readExportFile(path)).items.flatMap((item) =>
      item.kind === 'loss' ? item.loss : [],
    );
    const loss = { what: 'card new-card', source: `ghost:${GHOST_POST.uuid}` };
    expect(losses).toEqual([loss, loss]);
  });

  it.each([
    ['true', true],
    [true, true],
    ['false', false],
    [undefined, false],
  ])('of a site whose is_private is %j has the note: %j', async (value, isNoted) => {
    const path = exportOf({ posts: [GHOST_POST], settings: [{ key: 'is_private', value }] });
    const notes = (await readExportFile(path)).items.filter(({ kind }) => kind === 'note');
    expect(notes).toEqual(
      isNoted ? [{ kind: 'note', text: expect.stringContaining('with a password') }] : [],
    );
  });

  it('is a draft if it is sent only by e-mail', async () => {
    for (const [email_only, expected] of [
      ['1', 'draft'],
      ['true', 'draft'],
      ['0', 'published'],
      [0, 'published'],
      [1, 'draft'],
      [true, 'draft'],
    ] as const) {
      const posts_meta = [{ post_id: GHOST_POST.id, email_only }];
      expect((await readGhostPost({ status: 'scheduled' }, { posts_meta })).status).toBe(expected);
    }
  });

  it('is scheduled if its date is in the future', async () => {
    const published_at = '2026-06-01T12:00:01.000Z';
    expect((await readGhostPost({ status: 'scheduled', published_at })).status).toBe('scheduled');
  });

  it.each([
    ['2020-07-01T10:00:00.000Z', 'Europe/Paris', '2020-07-01T12:00:00+02:00'],
    ['2020-12-31 23:30:00', 'Europe/Paris', '2021-01-01T00:30:00+01:00'],
    ['2020-01-01 00:10:00', 'America/St_Johns', '2019-12-31T20:40:00-03:30'],
    [1388318310783, 'Asia/Kolkata', '2013-12-29T17:28:30+05:30'],
    ['1850-01-01T00:00:00.000Z', 'Europe/Paris', '1850-01-01T00:00:00+00:00'], // An offset of 9 min 21 s.
    ['2020-07-01T10:00:00.000+02:00', 'Nowhere/City', '2020-07-01T08:00:00+00:00'],
  ])('of %s in %s is dated %s', async (published_at, zone, expected) => {
    for (const key of ['timezone', 'active_timezone', 'activeTimezone']) {
      const post = await readGhostPost({ published_at }, { settings: [{ key, value: zone }] });
      expect(post.publishedAt).toBe(expected);
    }
  });

  it('has its creation date if it has none; a draft may lack a date', async () => {
    expect((await readGhostPost({ published_at: null })).publishedAt).toBe('2020-01-01T09:00:00+00:00');
    expect((await readGhostPost({ published_at: null, status: 'draft' })).publishedAt).toBe(null);
    expect((await readGhostPost({ published_at: 'soon', status: 'draft' })).publishedAt).toBe(null);
  });

  it('has the address that Ghost gives it', async () => {
    const url = async (fields: object, permalinks?: string, site?: string) =>
      (
        await readGhostPost(
          { ...fields },
          { ...USERS, ...TAGS, settings: [{ key: 'permalinks', value: permalinks }] },
          site,
        )
      ).url;
    expect(await url({})).toBe('/one/');
    expect(await url({}, '/:year/:month/:day/:slug/')).toBe('/2020/01/01/one/');
    expect(await url({ author_id: 'u2' }, '/:author/:primary_tag/:slug/')).toBe('/bo/c/one/');
    expect(await url({ status: 'draft', published_at: null }, '/:year/:slug/')).toBe(null);
    expect(await url({}, '/:slug/', 'https://a.example/blog')).toBe('/blog/one/');
    expect(await url({ canonical_url: 'https://b.example/first' })).toBe('https://b.example/first');
    expect(await url({ canonical_url: '__GHOST_URL__/two/' }, '', 'https://a.example')).toBe(
      'https://a.example/two/',
    );
    expect(await url({ canonical_url: 'javascript:alert(1)' })).toBe('/one/');
  });

  it("has the site's address instead of Ghost's placeholder", async () => {
    const html =
      '<p><a href="__GHOST_URL__/two/">x</a> <img src="/content/images/a.png"> <code>&lt;a href="/b"></code></p>';
    expect((await readGhostPost({ html }, {}, 'https://a.example/blog')).body).toBe(
      '<p><a href="https://a.example/blog/two/">x</a> <img src="https://a.example/content/images/a.png"> <code>&lt;a href="/b"></code></p>',
    );
    expect((await readGhostPost({ html })).body).toContain('<a href="/two/">x</a> <img src="/content/');
  });

  it('is named by its slug without a title, and gets a slug from its title', async () => {
    expect((await readGhostPost({ title: '', slug: 'my-first_post' })).title).toBe('My first post');
    expect((await readGhostPost({ title: "C++ isn't C", slug: '' })).slug).toBe('c-plus-plus-isn-t-c');
  });

  it('is recognised by its id', async () => {
    const uuid = GHOST_POST.uuid;
    const sources = async (...posts: readonly Readonly<Record<string, unknown>>[]) =>
      (await readExportFile(exportOf(rows(...posts)))).posts.map(({ source }) => source);
    expect(await sources({ uuid })).toEqual([`ghost:${uuid}`]);
    expect(await sources({ uuid }, { uuid })).toEqual(['ghost:id-p0', 'ghost:id-p1']);
    expect(await sources({ uuid: 'x', id: 1 }, { id: 1 })).toEqual(['ghost:slug-s0', 'ghost:slug-s1']);
    expect(await sources({ id: 1, slug: 'a' }, { id: 1, slug: 'a' })).toEqual(
      Array(2).fill('ghost:id-1/slug-a'),
    );
  });
});

describe('what is left out of a Ghost export', () => {
  it('is named with its reason, and the rest is imported', async () => {
    const posts = [
      ...(rows({ type: 'page' }, { page: true }, { page: 1 }, { published_at: '00-00-0000 00:00:00' }, {})[
        'posts'
      ] ?? []),
      null,
      'text',
      { ...GHOST_POST, title: null, slug: ' ' },
      { ...GHOST_POST, id: 'p9', uuid: null, slug: 's9', html: '', lexical: '{"root":' },
    ];
    const read = await readExportFile(exportOf({ posts, users: [null] }));
    expect(read.posts.map(({ slug }) => slug)).toEqual(['s4']);
    expect(read.skipped).toEqual([
      'posts[5]: is null instead of a row',
      'posts[6]: is a plain value instead of a row',
      'users[0]: is null instead of a row',
      'posts[0] "s0": is a page',
      'posts[1] "s1": is a page',
      'posts[2] "s2": is a page',
      'posts[3] "s3": has a date that cannot be read: "00-00-0000 00:00:00"',
      'posts[7]: has neither a title nor a slug',
      'posts[8] "s9": has a text that cannot be read: its "lexical" cannot be read as JSON (Unexpected end of JSON input)',
    ]);
  });

  it('may be the target of a link', async () => {
    const { posts, skipped, lost } = await readExportFile(
      exportOf({
        ...rows({ author_id: 'u9' }),
        posts_tags: [
          { post_id: 'p0', tag_id: 't9' },
          { post_id: 'gone', tag_id: 't9' },
        ],
      }),
    );
    expect(posts).toMatchObject([{ author: null, tags: [] }]);
    expect(skipped).toEqual([]);
    expect(lost).toEqual([
      'author or tag that the export lacks: its author u9 is not among the users of the export',
      'author or tag that the export lacks: its tag t9 is not among the tags of the export',
    ]);
  });
});

describe('an export', () => {
  it('may be wrapped or not', async () => {
    const tables = rows({});
    for (const json of [
      { db: [{ meta: {}, data: tables }] },
      { db: { meta: {}, data: tables } },
      { meta: {}, data: tables },
      { data: tables },
      { data: { meta: {}, data: tables } },
    ]) {
      expect((await readExportFile(fileOf(`\uFEFF${JSON.stringify(json)}`))).posts).toHaveLength(1);
    }
    const two = { db: [{ data: rows({}) }, { data: rows({ slug: 'other' }) }] };
    expect((await readExportFile(fileOf(JSON.stringify(two)))).posts).toHaveLength(2);
  });

  it.each([
    ['', 'is empty'],
    ['{"db":[{"data":{"posts":[', 'is not valid JSON'],
    ['{"db":[]}', 'neither "db" nor "data"'],
    ['[]', 'holds no tables'],
    ['null', 'holds no tables'],
    ['{"posts":[{"id":"1","title":"x"}],"meta":{"pagination":{}}}', "an answer of Ghost's API"],
    ['{"posts":[{"url":"https://x.example","data":{"title":"x"}}]}', "Ghost's migration tools"],
    ['<?xml version="1.0"?><rss/>', 'is not valid JSON'],
    [Buffer.from([0x7b, 0xff, 0xfe]), 'not UTF-8 text'],
    ['PK\x03\x04and so on', 'is compressed'],
  ])('is not %s', async (content, reason) => {
    const path = fileOf(content);
    const failure: unknown = await readExportFile(path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NotGhostExport);
    expect(String(failure)).toContain(path);
    expect(String(failure)).toContain(reason);
    expect(String(failure)).toContain('Export the blog in Ghost');
  });

  it('with a document that is nested too deep names the post', async () => {
    const deep = (depth: number, part: string) => part.repeat(depth) + ']}'.repeat(depth);
    const lexical = `{"root":${deep(10_000, '{"type":"list","children":[')}}`;
    const path = exportOf({
      posts: [
        { ...GHOST_POST, html: null, lexical },
        { ...GHOST_POST, id: '2', uuid: null, slug: 'two' },
      ],
    });
    const { posts, skipped } = await readExportFile(path);
    expect(posts.map(({ slug }) => slug)).toEqual(['two']);
    expect(skipped).toEqual([
      'posts[0] "one": has a text that cannot be read: its "lexical" cannot be read as JSON (it nests more than 500 levels deep)',
    ]);
  });

  it('must exist, and be a file', async () => {
    await expect(readExportFile('/no/such/file.json')).rejects.toThrow(FileMissing);
    await expect(readExportFile(folderOf({}))).rejects.toThrow(/is a folder/);
  });

  it('must not exceed the maximum size of a string', async () => {
    const path = fileOf('{}');
    truncateSync(path, constants.MAX_STRING_LENGTH + 1); // A sparse file, which takes no space on the disk.
    await expect(readExportFile(path)).rejects.toThrow(ExportTooLarge);
  });

  it('may consist of several files, but not of a folder', () => {
    const one = fileOf('{}');
    expect(() => readBlog('markdown', [one, one], { now: NOW })).toThrow(OnePathOnly);
    expect(() => readBlog('ghost', [one, one], { now: NOW })).not.toThrow();
  });
});

describe('importing a Ghost export', () => {
  const BLOG: Tables = {
    ...USERS,
    ...TAGS,
    ...rows({ uuid: GHOST_POST.uuid, author_id: 'u1' }, { slug: 'two' }),
  };

  it('changes nothing the second time, even if --site was given only the first time', async () => {
    const db = emptyBlog();
    const path = exportOf(BLOG);
    await importFile(db, path, 'https://a.example');
    const before = dump(db);
    expect(await importFile(db, path)).toMatchObject({ imported: { posts: 0 }, unchanged: 2 });
    expect(dump(db)).toBe(before);
  });

  it('applies edits of a later export, and removes posts that became members-only', async () => {
    const db = emptyBlog();
    await importFile(db, exportOf(BLOG));
    const [one, two] = BLOG['posts'] ?? [];
    const posts = [
      { ...(one as object), id: 'new', title: 'Edited' },
      { ...(two as object), visibility: 'paid' },
    ];
    expect(await importFile(db, exportOf({ ...BLOG, posts }))).toMatchObject({ imported: { posts: 2 } });
    expect(db.prepare('SELECT slug, title, status FROM posts ORDER BY id').raw().all()).toEqual([
      ['s0', 'Edited', 'published'],
      ['two', 'One', 'draft'],
    ]);
  });

  it("gives posts of an earlier version Ghost's tags, and slugs from names", async () => {
    const db = emptyBlog();
    await importFile(db, exportOf(BLOG));
    db.exec(`UPDATE tags SET slug = 'c-plus-plus' WHERE slug = 'c';
      INSERT INTO tags (slug, name) VALUES ('c', 'C')`);
    const links = TAGS.posts_tags.map((link) => ({ ...link, post_id: 'p0' }));
    const path = exportOf({ ...BLOG, posts_tags: links });
    await importFile(db, path);
    const shown = () =>
      db.prepare('SELECT slug, name FROM tags JOIN post_tags ON tag_id = tags.id ORDER BY place').raw().all();
    expect(shown()).toEqual([
      ['c', 'C++'],
      ['notes', 'Notes'],
    ]);
    // The owner's own name stays.
    db.exec("UPDATE tags SET name = 'The language C++' WHERE slug = 'c'");
    expect(await importFile(db, path)).toMatchObject({ imported: { posts: 0 }, unchanged: 2 });
    expect(shown()).toEqual([
      ['c', 'The language C++'],
      ['notes', 'Notes'],
    ]);
  });

  it('gives the same as the same blog in Markdown', async () => {
    const [viaGhost, viaMarkdown] = [emptyBlog(), emptyBlog()];
    const settings = [{ key: 'timezone', value: 'Europe/Berlin' }];
    const posts = rows({
      id: GHOST_POST.id,
      title: 'A — “B”',
      slug: 'a-b',
      published_at: '2020-07-01T10:00:00.000Z',
    });
    // A slug that is not derived from the name is only known to Ghost.
    const tags = TAGS.tags.map((tag) => (tag.id === 't1' ? { ...tag, slug: 'c-plus-plus' } : tag));
    await importFile(viaGhost, exportOf({ ...TAGS, tags, ...posts, settings }));
    const page =
      '---\ntitle: A — “B”\nslug: a-b\ndate: 2020-07-01T12:00:00+02:00\ntags: [C++, Notes]\n---\n1';
    await importBlog({
      db: viaMarkdown,
      items: readBlog('markdown', [folderOf({ 'a.md': page })], { now: NOW }),
    });
    const shown = (db: BlogDatabase) => [
      db.prepare('SELECT slug, title, published_at, status, category_id FROM posts').all(),
      db
        .prepare('SELECT slug, name, place FROM tags JOIN post_tags ON tag_id = tags.id ORDER BY place')
        .all(),
    ];
    expect(shown(viaGhost)).toEqual(shown(viaMarkdown));
  });

  it('takes the site from the import, otherwise from the database, but not its initial value', () => {
    const db = emptyBlog();
    expect(siteAddress(db, undefined)).toBe(null);
    expect(siteAddress(db, 'https://a.example/')).toBe('https://a.example');
    db.exec("UPDATE site SET url = 'https://b.example/blog'");
    expect(siteAddress(db, undefined)).toBe('https://b.example/blog');
  });
});

describe('offprint import ghost', () => {
  it('accepts several files, and reports what it left out', async () => {
    const [one, two] = [
      exportOf(rows({ uuid: GHOST_POST.uuid, html: '<img src="__GHOST_URL__/a.png">' }, { type: 'page' })),
      exportOf(rows({ id: 'other', slug: 'other' })),
    ];
    const db = join(folderOf({}), 'blog.db');
    const args = ['import', 'ghost', one, two, '--db', db, '--site', 'https://a.example'];
    const { code, stdout } = await runOffprint(args);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^not a post posts\[1\] "s1": is a page\nnew blog "ghost"\nno name [^\n]*\nfound 3: 2 published, 1 not a post, 0 left out\nimported 2 posts, /,
      ),
    });
    const blog = openForReading(db);
    expect(blog.prepare("SELECT body FROM posts WHERE slug = 's0'").pluck().get()).toBe(
      '<img src="https://a.example/a.png">',
    );
    blog.close();
    const refused = await runOffprint(['import', 'ghost', fileOf('{"posts":[]}'), '--db', db]);
    expect(refused.stderr).toMatch(
      /^error: .*an answer of Ghost's API, not an export\. Export the blog in Ghost/,
    );
    expect(refused.code).toBe(1);
  });
});
