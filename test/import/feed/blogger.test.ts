import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importBlog } from '../../../data/imported/import.ts';
import { readBlog } from '../../../import/formats.ts';
import { emptyBlog, folderOf, NOW } from '../folder.ts';
import {
  atom,
  classic,
  classicEntry as entry,
  entry as feedEntry,
  label,
  readPaths,
  readText,
  serverOf,
  taken,
  takeout,
} from './feed.ts';

/** Imports a file with this content. */
const importsInto = (db: ReturnType<typeof emptyBlog>) => (content: string) =>
  importBlog({ db, items: readBlog('feed', [join(folderOf({ 'a.xml': content }), 'a.xml')], { now: NOW }) });

describe('an export of Blogger', () => {
  it('of both kinds gives the same post of the same blog', async () => {
    const old = await readText(classic(entry('post-1', 'post', label('News') + label('C++'))));
    const taking = await readText(takeout(taken('post-1', 'LIVE', { more: label('C++') })));
    for (const { items, posts } of [old, taking]) {
      const blog = { format: 'feed', key: 'tag:blogger.com,1999:blog-7', isComplete: true };
      expect(items[0]).toMatchObject({ kind: 'blog', blog });
      expect(posts).toMatchObject([
        {
          source: 'feed:tag:blogger.com,1999:blog-7.post-1',
          slug: 'post-1',
          body: '<p>Text</p>',
          category: null,
          tags: [{ name: 'News' }, { name: 'C++', slug: 'c-plus-plus' }],
          cover: null,
        },
      ]);
    }
    expect(old.posts[0]).toMatchObject({
      title: 'Title post-1',
      author: { name: 'Ada L.' },
      publishedAt: '2020-01-02T03:04:05+01:00',
      updatedAt: '2021-01-01T00:00:00+00:00',
      url: 'http://ada.blogspot.com/2020/01/post-1.html',
    });
    expect(taking.posts[0]).toMatchObject({
      title: "Title 'post-1'",
      metaDescription: 'For search',
      url: '/2020/01/post-1.html',
      publishedAt: '2020-01-02T03:04:05+00:00',
    });
  });

  it('says which posts are drafts, and which are in the trash', async () => {
    const trashed = '<blogger:trashed>2024-01-01T00:00:00Z</blogger:trashed>';
    const posts = [
      taken('a.1', 'DRAFT'),
      taken('a.2', 'SOFT_TRASHED'),
      taken('a.3', 'LIVE', { more: trashed }),
    ];
    const { hidden } = await readText(takeout(posts.join('') + taken('a.4', 'SOMETHING_NEW')));
    expect(hidden.map((line) => line.split('.').at(-1))).toEqual([
      '1: draft',
      '2: trashed',
      '3: trashed',
      '4: draft',
    ]);
  });

  it('that is truncated archives nothing; a whole one archives what it lacks', async () => {
    const run = importsInto(emptyBlog());
    const whole = classic(entry('post-1', 'post') + entry('post-2', 'post'));
    await run(whole);
    const cut = await run(whole.slice(0, whole.lastIndexOf('<link')));
    expect(cut.skipped).toEqual([
      {
        source: 'entry 2 "Title post-2"',
        reason: 'is missing: the feed is cut off after 1 complete entry',
      },
    ]);
    expect(cut.gone).toEqual([]);
    // The same blog and the same posts by both kinds of export.
    expect(await run(takeout(taken('post-1', 'LIVE')))).toMatchObject({ gone: [{ slug: 'post-2' }] });
  });

  it('is followed by the feed of the blog, which archives nothing', async () => {
    const run = importsInto(emptyBlog());
    await run(takeout(taken('post-1', 'LIVE') + taken('post-2', 'LIVE')));
    const id = 'tag:blogger.com,1999:blog-7';
    const feed = atom(feedEntry('<content>New</content>', `${id}.post-2`)).replace('urn:feed', id);
    expect(await run(feed)).toMatchObject({
      origins: [{ new: false }],
      imported: { posts: 1 },
      gone: [],
      renamed: [],
    });
  });

  it('at an address may be a part of the blog', async () => {
    const url = await serverOf({ '/feed': takeout(taken('post-1', 'LIVE')) });
    const { items } = await readPaths(`${url}/feed`);
    expect(items[0]).toMatchObject({ blog: { isComplete: false } });
  });

  it('has whole texts, and images of 72 pixels that are no covers', async () => {
    const thumbnail =
      "<media:thumbnail xmlns:media='http://search.yahoo.com/mrss/' url='https://blog.example/s72-c/a.png'/>";
    const bare = entry('post-1', 'post', thumbnail).replace('&lt;p&gt;Text&lt;/p&gt;', '');
    const { posts, lost } = await readText(classic(bare));
    expect(posts).toMatchObject([{ body: '', cover: null }]);
    expect(lost).toEqual([]);
  });

  it('has no author without a public profile', async () => {
    for (const name of ['Unknown', 'Anonymous', 'noreply@blogger.com']) {
      const { posts } = await readText(classic(entry('post-1', 'post').replace('Ada L.', name)));
      expect(posts[0]?.author).toBeNull();
    }
  });
});
