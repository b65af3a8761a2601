import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBloggerExport } from '../../../import/blogger/read.ts';
import { importBlog } from '../../../data/imported/import.ts';
import { emptyBlog, folderOf, NOW } from '../folder.ts';
import { collected, type ReadArchive, zipOf } from './archive.ts';

const SCHEMES = { kind: 'http://schemas.google.com/g/2005#kind', label: 'http://www.blogger.com/atom/ns#' };

/** The format of Blogger's own backup, until 2024. */
function classic(entries: string): string {
  return `<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom' xmlns:app='http://purl.org/atom/app#'>
<id>tag:blogger.com,1999:blog-7.archive</id><title type='text'>A &amp; B</title>
<link rel='alternate' type='text/html' href='http://ada.blogspot.com/'/><author><name>Ada</name></author>
${entries}</feed>`;
}

function entry(id: string, kind: string, more = ''): string {
  return `<entry><id>tag:blogger.com,1999:blog-7.${id}</id><published>2020-01-02T03:04:05.678+01:00</published><updated>2021-01-01T00:00:00Z</updated>
<category scheme='${SCHEMES.kind}' term='http://schemas.google.com/blogger/2008/kind#${kind}'/>
<title type='text'>Title ${id}</title><content type='html'>&lt;p&gt;Text&lt;/p&gt;</content>
<link rel='replies' type='text/html' href='http://ada.blogspot.com/x#comment-form'/>
<link rel='alternate' type='text/html' href='http://ada.blogspot.com/2020/01/${id}.html'/>
<author><name>Ada L.</name></author>${more}</entry>\n`;
}

/** The format of Google Takeout. */
function takeout(entries: string): string {
  return `<?xml version='1.0' encoding='utf-8'?><feed xmlns='http://www.w3.org/2005/Atom' xmlns:blogger='http://schemas.google.com/blogger/2018'>
<id>tag:blogger.com,1999:blog-7</id><title>A blog</title>${entries}</feed>`;
}

function taken(id: string, status: string, more = '', type = 'POST'): string {
  return `<entry><id>tag:blogger.com,1999:blog-7.${id}</id><blogger:type>${type}</blogger:type><blogger:status>${status}</blogger:status>
<author><name>Ada</name></author><title>Title &amp;#39;${id}&amp;#39;</title><content type='html'>&lt;p&gt;Text&lt;/p&gt;</content>
<blogger:metaDescription>For search</blogger:metaDescription><blogger:created>2019-01-01T00:00:00Z</blogger:created>
<published>2020-01-02T03:04:05.678Z</published><category scheme='tag:blogger.com,1999:blog-7' term='News'/><category/>
<blogger:filename>/2020/01/${id}.html</blogger:filename><link/><enclosure/><blogger:trashed/>${more}</entry>\n`;
}

function readFile(content: string): Promise<ReadArchive> {
  return collected(readBloggerExport(join(folderOf({ 'blog.xml': content }), 'blog.xml'), { now: NOW }));
}

const statuses = ({ posts }: ReadArchive) =>
  posts.map(({ source, status }) => [source.split('.')[1], status]);

describe('an export of Blogger', () => {
  it('gives all fields of a post', async () => {
    const label = (term: string) => `<category scheme='${SCHEMES.label}' term='${term}'/>`;
    const { posts, items } = await readFile(classic(entry('post-1', 'post', label('News') + label('C++'))));
    expect(items[0]).toEqual({
      kind: 'blog',
      blog: {
        ...{ format: 'blogger', key: 'blog-7', name: 'A & B', isWhole: true, owns: 'blogger:blog-7.' },
        site: { name: 'A & B', url: 'http://ada.blogspot.com/' },
      },
    });
    expect(posts).toEqual([
      {
        source: 'blogger:blog-7.post-1',
        slug: 'post-1',
        language: null,
        title: 'Title post-1',
        body: '<p>Text</p>',
        description: null,
        cover: null,
        metaTitle: null,
        metaDescription: null,
        category: null,
        tags: [
          { slug: 'news', name: 'News' },
          { slug: 'c-plus-plus', name: 'C++' },
        ],
        author: { username: 'ada-l', name: 'Ada L.', avatar: null },
        status: 'published',
        publishedAt: '2020-01-02T03:04:05+01:00',
        updatedAt: '2021-01-01T00:00:00+00:00',
        url: 'http://ada.blogspot.com/2020/01/post-1.html',
        views: null,
      },
    ]);
  });

  it('gives the same post from Google Takeout', async () => {
    const { posts } = await readFile(takeout(taken('post-1', 'LIVE')));
    expect(posts[0]).toMatchObject({
      source: 'blogger:blog-7.post-1',
      slug: 'post-1',
      title: "Title 'post-1'",
      body: '<p>Text</p>',
      metaDescription: 'For search',
      tags: [{ name: 'News' }],
      url: '/2020/01/post-1.html',
      publishedAt: '2020-01-02T03:04:05+00:00',
    });
  });

  it('publishes no draft, nothing before its time, and nothing from the trash', async () => {
    const draft = '<app:control><app:draft>yes</app:draft></app:control>';
    const future = entry('post-3', 'post').replace('2020-', '2030-');
    expect(
      statuses(await readFile(classic(entry('post-1', 'post') + entry('post-2', 'post', draft) + future))),
    ).toEqual([
      ['post-1', 'published'],
      ['post-2', 'draft'],
      ['post-3', 'scheduled'],
    ]);
    const read = await readFile(
      takeout(
        taken('post-1', 'LIVE') +
          taken('post-2', 'DRAFT') +
          taken('post-3', 'SCHEDULED').replaceAll('2020-01-02T', '2030-01-02T') +
          taken('post-4', 'SOFT_TRASHED') +
          taken('post-5', 'LIVE').replace(
            '<blogger:trashed/>',
            '<blogger:trashed>2024-01-01T00:00:00Z</blogger:trashed>',
          ) +
          taken('post-6', 'SOMETHING_NEW'),
      ),
    );
    expect(statuses(read)).toEqual([
      ['post-1', 'published'],
      ['post-2', 'draft'],
      ['post-3', 'scheduled'],
      ['post-6', 'draft'],
    ]);
    expect(read.skipped).toEqual([
      'blogger:blog-7.post-4: is in the trash',
      'blogger:blog-7.post-5: is in the trash',
    ]);
  });

  it('leaves out pages, comments, settings and the template', async () => {
    const { posts, items } = await readFile(
      classic(
        entry('settings.BLOG_NAME', 'settings') +
          entry('layout', 'template') +
          entry('page-1', 'page') +
          entry('post-1.comment-1', 'comment') +
          entry('post-1.comment-2', 'comment'),
      ),
    );
    expect(posts).toEqual([]);
    expect(
      items.flatMap((item) => (item.kind === 'skipped' ? [[item.skipped.reason, item.skipped.noPost]] : [])),
    ).toEqual([
      ['is a page, not a post', true],
      ['1 entry of the kind "settings" is no post', true],
      ['1 entry of the kind "template" is no post', true],
      ['2 entries of the kind "comment" are no post', true],
    ]);
  });

  it('may be an archive with several blogs', async () => {
    const other = takeout(taken('post-1', 'LIVE')).replaceAll('blog-7', 'blog-8');
    const zip = await zipOf({
      'Takeout/Blogger/Blogs/A/feed.atom': takeout(taken('post-1', 'LIVE')),
      'Takeout/Blogger/Blogs/A/theme-layouts.xml': '<layouts/>',
      'Takeout/Blogger/Blogs/B/feed.atom': other,
      'Takeout/Blogger/Albums/a.jpg': 'x',
    });
    const { posts } = await collected(readBloggerExport(zip, { now: NOW }));
    expect(posts.map(({ source }) => source)).toEqual(['blogger:blog-7.post-1', 'blogger:blog-8.post-1']);
    const report = await importBlog({ db: emptyBlog(), items: readBloggerExport(zip, { now: NOW }) });
    expect(report).toMatchObject({ posts: { published: 2 }, skipped: [] });
  });

  it('that is truncated archives nothing', async () => {
    const db = emptyBlog();
    const whole = classic(entry('post-1', 'post') + entry('post-2', 'post'));
    const run = (content: string) =>
      importBlog({
        db,
        items: readBloggerExport(join(folderOf({ 'a.xml': content }), 'a.xml'), { now: NOW }),
      });
    await run(whole);
    const cut = await run(whole.slice(0, whole.lastIndexOf('<link')));
    expect(cut.skipped).toEqual([
      { source: 'a.xml', reason: expect.stringContaining('breaks off after 1 whole entry') },
    ]);
    expect(cut.gone).toEqual([]);
    expect(await run(classic(entry('post-1', 'post')))).toMatchObject({ gone: [{ slug: 'post-2' }] });
  });

  it('is rejected if it is a feed or something else', async () => {
    const feed = classic(entry('post-1', 'post')).replace(/<category[^>]*kind[^>]*>/, '');
    await expect(readFile(feed)).rejects.toThrow('A feed is read by "import feed"');
    await expect(readFile('<html></html>')).rejects.toThrow('is not an export of Blogger');
    await expect(
      collected(readBloggerExport(folderOf({ 'a.txt': '', 'b.txt': '' }), { now: NOW })),
    ).rejects.toThrow('it has no file feed.atom');
  });
});
