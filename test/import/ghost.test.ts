import { constants } from 'node:buffer';
import { truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ExportMissing, ExportTooLarge, ImportError } from '../../import/errors.ts';
import { readBlog } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import { siteAddress } from '../../data/imported/site.ts';
import type { BlogDatabase } from '../../data/database.ts';
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
const authors = (...ids: readonly string[]) =>
  ids.map((author_id, sort_order) => ({ post_id: GHOST_POST.id, author_id, sort_order }));
const rows = (...posts: readonly Readonly<Record<string, unknown>>[]): Tables => ({
  posts: posts.map((post, i) => ({ ...GHOST_POST, id: `p${i}`, uuid: null, slug: `s${i}`, ...post })),
});
const settings = (value: Readonly<Record<string, unknown>>): Tables => ({
  settings: Object.entries(value).map(([key, of]) => ({ key, value: of })),
});
const BLOG = { ...USERS, ...TAGS };
const A = 'https://a.example';

describe('a post of a Ghost export', () => {
  it('has the fields that Ghost shows', async () => {
    const fields = {
      title: ' A \n title ',
      custom_excerpt: 'In\nshort',
      updated_at: '2020-02-01T10:00:00.000Z',
      feature_image: '__GHOST_URL__/content/images/a.png',
    };
    const meta = { posts_meta: [{ post_id: GHOST_POST.id, meta_title: 'SEO', meta_description: null }] };
    expect(await readGhostPost(fields, { ...BLOG, posts_authors: authors('u1', 'u2'), ...meta })).toEqual({
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
      coAuthors: ['Bo'],
      status: 'published',
      publishedAt: '2020-01-01T10:00:00+00:00',
      updatedAt: '2020-02-01T10:00:00+00:00',
      url: '/one/',
      views: null,
    });
  });

  const author = (name: string) => ({ author: { username: name } });
  const OLD = { id: 1, image: '/a.png', page: 0, type: undefined, visibility: undefined, meta_title: 'Old' };
  const CY = { users: [{ id: 1, name: 'Cy', slug: 'cy', image: '/c.png' }] };
  const LINKS = '<a href="__GHOST_URL__/x/">x</a><img src="/a.png"><code>&lt;a href="/b"></code>';
  const ABSOLUTE = LINKS.replace('__GHOST_URL__', `${A}/blog`).replace('"/a', `"${A}/a`);
  const ONLY_MAIL = { posts_meta: [{ post_id: GHOST_POST.id, email_only: '0' }] };
  const permalinks = (pattern: string) => settings({ permalinks: pattern });

  const row = (
    what: string,
    fields: object,
    expected: object,
    others: Tables = {},
    site: string | null = null,
  ) => ({ what, fields, expected, others, site });

  it.each([
    row('old fields', { ...OLD, author_id: 1 }, { cover: '/a.png', metaTitle: 'Old', ...author('cy') }, CY),
    row('an author of old versions', { author_id: 'u2' }, author('bo'), BLOG),
    row('a missing author', {}, author('ann'), { ...BLOG, posts_authors: authors('x', 'u1') }),
    row('missing authors', {}, { author: null }, { ...BLOG, posts_authors: authors('x') }),
    row('no title', { title: '', slug: 'my-first_post' }, { title: 'My first post' }),
    row('no slug', { title: "C++ isn't C", slug: '' }, { slug: 'c-plus-plus-isn-t-c' }),
    row('no date', { published_at: null }, { publishedAt: '2020-01-01T09:00:00+00:00' }),
    row(
      'a date to come',
      { status: 'scheduled', published_at: '2026-06-01T12:00:01Z' },
      { status: 'scheduled' },
    ),
    row('a date that has come since', { status: 'scheduled' }, { status: 'published' }),
    row('e-mail besides', {}, { slug: 'one' }, ONLY_MAIL),
    row('permalinks', {}, { url: '/2020/01/one/' }, permalinks('/:year/:month/:slug/')),
    row(
      'permalinks with an author',
      { author_id: 'u2' },
      { url: '/bo/c/one/' },
      { ...BLOG, ...permalinks('/:author/:primary_tag/:slug/') },
    ),
    row('a blog in a folder', {}, { url: '/blog/one/' }, {}, `${A}/blog`),
    row('another address', { canonical_url: 'https://b.example/x' }, { url: 'https://b.example/x' }, {}, A),
    row('its address with a placeholder', { canonical_url: '__GHOST_URL__/x/' }, { url: `${A}/x/` }, {}, A),
    row('no web address', { canonical_url: 'javascript:alert(1)' }, { url: '/one/' }, {}, A),
    row('addresses within the site', { html: LINKS }, { body: ABSOLUTE }, {}, `${A}/blog`),
    row('addresses without a site', { html: '<a href="__GHOST_URL__/x/">' }, { body: '<a href="/x/">' }),
  ])('with $what is read', async ({ fields, expected, others, site }) => {
    expect(await readGhostPost({ ...fields }, others, site)).toMatchObject(expected);
  });

  it.each<readonly [status: unknown, visibility: unknown, reason: string]>([
    ['draft', 'public', 'draft'],
    [null, 'public', 'draft'],
    ['sent', 'public', 'members'],
    ...[null, 'members', 'paid', 'tiers', 'whatever', ['members'], { tiers: [] }, true, ''].map(
      (visibility) => ['published', visibility, 'members'] as const,
    ),
  ])('with the status %j, visible to %j, is hidden: %s', async (status, visibility, reason) => {
    const read = await readExportFile(exportOf({ posts: [{ ...GHOST_POST, status, visibility }] }));
    expect(read.items.slice(1)).toEqual([
      { kind: 'hidden', hidden: { source: `ghost:${GHOST_POST.uuid}`, reason } },
    ]);
  });

  it.each(['1', 'true', 1, true])('is hidden if it is sent only by e-mail: %j', async (email_only) => {
    const posts_meta = [{ post_id: GHOST_POST.id, email_only }];
    const read = await readExportFile(exportOf({ posts: [GHOST_POST], posts_meta }));
    expect(read.items.at(-1)).toMatchObject({ hidden: { reason: 'members' } });
  });

  it.each([
    ['2020-07-01T10:00:00.000Z', 'Europe/Paris', '2020-07-01T12:00:00+02:00'],
    ['2020-12-31 23:30:00', 'Europe/Paris', '2021-01-01T00:30:00+01:00'],
    ['2020-01-01 00:10:00', 'America/St_Johns', '2019-12-31T20:40:00-03:30'],
    [1388318310783, 'Asia/Kolkata', '2013-12-29T17:28:30+05:30'],
    ['1850-01-01T00:00:00.000Z', 'Europe/Paris', '1850-01-01T00:00:00+00:00'], // An offset of 9 min 21 s.
    ['2020-07-01T10:00:00.000+02:00', 'Nowhere/City', '2020-07-01T08:00:00+00:00'],
  ])('of %s in %s is dated %s', async (published_at, zone, expected) => {
    for (const key of ['timezone', 'active_timezone', 'activeTimezone'])
      expect((await readGhostPost({ published_at }, settings({ [key]: zone }))).publishedAt).toBe(expected);
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

describe('a Ghost export', () => {
  it.each([
    ['true', 1],
    [true, 1],
    ['false', 0],
    [undefined, 0],
  ])('of a site whose is_private is %j has %i note', async (is_private, count) => {
    const { items } = await readExportFile(exportOf({ posts: [GHOST_POST], ...settings({ is_private }) }));
    expect(items.filter(({ kind }) => kind === 'note')).toHaveLength(count);
  });

  it('names what it leaves out with its reason, and the rest is imported', async () => {
    const posts = [
      ...(rows({ type: 'page' }, { page: true }, { page: 1 }, { published_at: '00-00-0000 00:00:00' }, {})[
        'posts'
      ] ?? []),
      null,
      'text',
      { ...GHOST_POST, title: null, slug: ' ' },
      { ...GHOST_POST, id: 'p9', uuid: null, slug: 's9', html: ' ', lexical: '{"root":{}}' },
    ];
    const read = await readExportFile(exportOf({ posts, users: [null] }));
    expect(read.posts.map(({ slug }) => slug)).toEqual(['s4']);
    expect(read.skipped).toEqual([
      'posts[5]: is not a row',
      'posts[0] "s0": is a page',
      'posts[1] "s1": is a page',
      'posts[2] "s2": is a page',
      'posts[3] "s3": has a date that cannot be read: "00-00-0000 00:00:00" (write 2026-05-01 or 2026-05-01T09:30:00+02:00)',
      'posts[7]: has neither a title nor a slug',
      'posts[8] "s9": has no HTML in this export',
    ]);
  });

  it('may lack what its posts refer to', async () => {
    const posts_tags = ['p0', 'gone'].map((post_id) => ({ post_id, tag_id: 't9' }));
    const read = await readExportFile(exportOf({ ...rows({ author_id: 'u9' }), posts_tags }));
    expect(read).toMatchObject({ posts: [{ author: null, tags: [] }], skipped: [] });
    expect(read.lost).toEqual([
      'author or tag that is missing from the export: its author u9 is not in the export',
      'author or tag that is missing from the export: its tag t9 is not in the export',
    ]);
  });

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
    ['[]', 'has no tables'],
    ['null', 'has no tables'],
    ['{"posts":[{"id":"1","title":"x"}],"meta":{"pagination":{}}}', 'neither "db" nor "data"'],
    ['<?xml version="1.0"?><rss/>', 'is not valid JSON'],
    [Buffer.from([0x7b, 0xff, 0xfe]), 'not UTF-8 text'],
    ['PK\x03\x04and so on', 'is compressed'],
  ])('is not %s', async (content, reason) => {
    const path = fileOf(content);
    const failure: unknown = await readExportFile(path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ImportError);
    for (const part of [path, reason, 'Export the blog in Ghost']) expect(String(failure)).toContain(part);
  });

  it('must exist, be a file, and not exceed the maximum size of a string', async () => {
    await expect(readExportFile('/no/such/file.json')).rejects.toThrow(ExportMissing);
    await expect(readExportFile(folderOf({}))).rejects.toThrow(/is a folder/);
    const path = fileOf('{}');
    truncateSync(path, constants.MAX_STRING_LENGTH + 1); // A sparse file, which takes no space on the disk.
    await expect(readExportFile(path)).rejects.toThrow(ExportTooLarge);
  });
});

describe('importing a Ghost export', () => {
  const importFile = (db: BlogDatabase, path: string, site?: string) =>
    importBlog({
      db,
      items: readBlog('ghost', [path], { now: NOW, site: siteAddress(db, site) }),
      site: { url: site },
    });
  const TWO: Tables = { ...BLOG, ...rows({ uuid: GHOST_POST.uuid, author_id: 'u1' }, { slug: 'two' }) };

  it('changes nothing the second time, even if --site was given only the first time', async () => {
    const db = emptyBlog();
    const path = exportOf(TWO);
    await importFile(db, path, A);
    const before = dump(db);
    expect(await importFile(db, path)).toMatchObject({ imported: { posts: 0 }, unchanged: 2 });
    expect(dump(db)).toBe(before);
  });

  it('takes the site from the import, otherwise from the database, but not its initial value', () => {
    const db = emptyBlog();
    expect(siteAddress(db, undefined)).toBe(null);
    expect(siteAddress(db, `${A}/`)).toBe(A);
    db.exec("UPDATE site SET url = 'https://b.example/blog'");
    expect(siteAddress(db, undefined)).toBe('https://b.example/blog');
  });
});
