import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { importBlog } from '../../../data/imported/import.ts';
import { ExportMissing, FeedInvalid } from '../../../import/errors.ts';
import { readBlog } from '../../../import/formats.ts';
import { textCases } from '../../text-cases.ts';
import { emptyBlog, folderOf, NOW } from '../folder.ts';
import { atom, entry, item, jsonFeed, onlyPost, readPaths, readText, rss } from './feed.ts';

/** The same post in each format. */
const SAME: readonly (readonly [string, feed: string, more: object])[] = [
  [
    'JSON Feed',
    jsonFeed([
      {
        ...{ id: 'urn:1', url: '/2020/1/', title: 'One', content_html: '<p>Text</p>', summary: 'a < b' },
        ...{ image: '/a.png', tags: ['news', 'Two', 'two'], date_modified: '2021-01-01T00:00:00Z' },
        ...{ authors: [{ name: 'Bob', avatar: 'https://b.example/b.png' }, { name: 'Eve' }] },
        _offprint: { category: 'C++' },
      },
    ]),
    {
      tags: [
        { slug: 'news', name: 'news' },
        { slug: 'two', name: 'Two' },
      ],
      coAuthors: ['Eve'],
    },
  ],
  [
    'Atom',
    atom(
      entry(`<content type="html">&lt;p&gt;Text&lt;/p&gt;</content><summary>a &lt; b</summary>
        <category term="c-plus-plus" label="C++"/><category term="news"/><author><name>Bob</name></author><author><name>Eve</name></author><author><name>Bob</name></author>
        <link rel="enclosure" type="image/png" href="/a.png"/>`),
    ),
    {},
  ],
  [
    'RSS',
    rss(
      item(`<description>a &amp;lt; b</description><content:encoded><![CDATA[<p>Text</p>]]></content:encoded>
        <dc:creator>Bob</dc:creator><dc:creator>Eve</dc:creator><author>x@y.example</author><category domain="x"><![CDATA[C++]]></category><category>news</category>
        <media:content url="https://s.gravatar.com/avatar/1" medium="image"/>
        <media:group><media:content url="/a.png" type="image/png"/></media:group>`),
    ),
    { source: 'feed:1', updatedAt: null },
  ],
];

it.each(SAME)('%s gives all fields of a post', async (_, feed, more) => {
  const { avatar = null } = (await onlyPost(feed)).author ?? {};
  expect(await onlyPost(feed)).toEqual({
    ...{ source: 'feed:urn:1', slug: '1', language: null, title: 'One', body: '<p>Text</p>' },
    ...{ description: 'a < b', cover: 'https://blog.example/a.png', metaTitle: null, metaDescription: null },
    ...{ category: { slug: 'c-plus-plus', name: 'C++' }, tags: [{ slug: 'news', name: 'news' }] },
    ...{
      author: { username: 'bob', name: 'Bob', avatar },
      coAuthors: ['Eve'],
      status: 'published',
      views: null,
    },
    ...{ publishedAt: '2020-01-02T03:04:05+01:00', updatedAt: '2021-01-01T00:00:00+00:00' },
    ...{ url: 'https://blog.example/2020/1/', ...more },
  });
});

it.each([
  ['JSON Feed', jsonFeed([{}]), 'feed.json', 'A blog'],
  ['Atom', atom(entry('<content>x</content>')), 'atom.xml', 'A & B'],
])('%s gives the identity of the blog, and the number of entries', async (format, feed, self, name) => {
  const { items, notes } = await readText(feed);
  const site = { name, url: 'https://blog.example/' };
  const blog = { format: 'feed', key: `https://blog.example/${self}`, name, isComplete: false, site };
  expect(items[0]).toEqual({ kind: 'blog', blog });
  expect(notes).toEqual([expect.stringContaining(`${format} "${name}": 1 entry. `)]);
});

const WRAPPED: Readonly<Record<string, (text: string) => string>> = {
  'Atom, an entry': (text) => atom(entry(text)),
  'Atom, its entries': atom,
  'RSS, an item': (text) => rss(item(text)),
  'RSS, its items': rss,
  'RSS 1.0, with items next to the channel': (text) => text,
  'JSON Feed': (text) => {
    const { items, ...fields } = JSON.parse(text);
    return jsonFeed(items, fields);
  },
};

describe.each([...textCases(new URL('./feed.txt', import.meta.url))])('%s', (heading, cases) => {
  it.each(cases)('%s gives %s', async (text = '', expected = '') => {
    const feed = WRAPPED[heading]?.(text) ?? expect.fail('an unknown heading');
    expect(await readText(feed)).toMatchObject(parse(expected));
  });
});

describe('an Atom feed', () => {
  it('resolves addresses by xml:base', async () => {
    const feed = atom(
      `<entry xml:base="posts/"><id>urn:1</id><link href="one"/><title>One</title><published>2020-01-01</published>
       <content type="html" xml:base="files/">&lt;a href="a?x=1&amp;amp;y=2"&gt;&lt;/a&gt;&lt;img src='/b.png'&gt;&lt;a href="#c"&gt;</content></entry>`,
      ' xml:base="https://blog.example/en/"',
    );
    const post = await onlyPost(feed);
    expect(post.url).toBe('https://blog.example/en/posts/one');
    expect(post.body).toBe(
      '<a href="https://blog.example/en/posts/files/a?x=1&amp;y=2"></a><img src="https://blog.example/b.png"><a href="#c"></a>',
    );
  });

  it('may have any prefix, or lack its namespace', async () => {
    const plain = atom(entry('<content>x</content>'));
    const prefixed = plain
      .replaceAll(/<(\/?)(feed|title|id|link|author|name|entry|published|updated|content)\b/g, '<$1a:$2')
      .replace('xmlns=', 'xmlns:a=');
    for (const feed of [prefixed, plain.replace(/ xmlns="[^"]*"/, '')])
      expect((await onlyPost(feed)).body).toBe('<p>x</p>');
  });
});

describe('an RSS feed', () => {
  it('may have one guid at several addresses', async () => {
    const db = emptyBlog();
    const same = (name: string) => item('', name).replace(/>\w+<\/guid>/, '>blog</guid>');
    const slugs = async (...names: readonly string[]) => {
      const path = join(folderOf({ feed: rss(names.map(same).join('')) }), 'feed');
      const { skipped } = await importBlog({ db, items: readBlog('feed', [path], { now: NOW }) });
      expect(skipped).toEqual([]);
      return db.prepare('SELECT slug FROM posts ORDER BY slug').pluck().all();
    };
    expect(await slugs('b', 'a')).toEqual(['a', 'b']);
    expect(await slugs('c', 'b', 'a')).toEqual(['a', 'b', 'c']);
  });

  it('has full texts in descriptions if one of them is long; otherwise each may be a summary', async () => {
    const short = item('<description>Short</description>');
    const long = item(`<description>${'word '.repeat(700)}</description>`, '2');
    expect((await readText(rss(short + long))).lost).toEqual([]);
    expect((await readText(rss(short))).lost).toEqual([expect.stringMatching(/^only a summary/)]);
  });

  it('has tags and no categories if Ghost, Medium or Blogger wrote it', async () => {
    const entries = item(
      '<category>A</category><dc:creator>Unknown</dc:creator><description>x</description>',
    );
    for (const generator of ['Ghost 5.1', 'Medium', 'Blogger'])
      expect(await onlyPost(rss(entries, `<generator>${generator}</generator>`))).toMatchObject({
        category: null,
        tags: [{ name: 'A' }],
        author: null,
      });
  });
});

it.each([
  ['{"a":', FeedInvalid],
  ['[]', 'without a list of "items"'],
  ['{"version":"1.0","items":[]}', '"version"'],
  ['', 'neither XML nor JSON'],
  ['# Text', 'neither XML nor JSON'],
  ['<!doctype html><html><body>x</body></html>', 'it is a web page'],
  // Its drafts would be in no feed.
  [rss('<wp:wxr_version>1.2</wp:wxr_version>'), '"import wordpress"'],
])('%j is rejected, as it is no feed', async (content, reason) => {
  await expect(readText(content)).rejects.toThrow(reason);
});

it('a file that does not exist is rejected', async () => {
  await expect(readPaths('/nowhere/feed.json')).rejects.toThrow(ExportMissing);
});

describe('XML with faults', () => {
  const whole = rss(item('<description>a</description>') + item('<description>b</description>', '2'));
  const ids = ({ posts }: { posts: readonly { source: string }[] }) => posts.map(({ source }) => source);

  it('is read after text before its declaration, with a bare & and HTML’s entities', async () => {
    const warning = '<br />\n<b>Warning</b>: 1 < 2 in /a.php\n\n';
    const read = await readText(warning + whole.replace('One', 'A & B &nbsp; C'));
    expect(ids(read)).toEqual(['feed:1', 'feed:2']);
    expect(read.posts[0]?.title).toBe('A & B C');
    expect(read.skipped).toEqual([]);
  });

  it('may lack the end of an item', async () => {
    expect(ids(await readText(whole.replace('</item>', '')))).toEqual(['feed:1', 'feed:2']);
  });

  it('may be truncated anywhere: complete items are imported, and the cut is reported', async () => {
    for (let length = whole.indexOf('<item>'); length < whole.length - 6; length += 11) {
      const cut = whole.slice(0, length);
      const { posts, skipped, items } = await readText(cut);
      expect(posts).toHaveLength(cut.split('</item>').length - 1);
      expect(skipped, cut.slice(-20)).toEqual([expect.stringContaining('the feed is cut off after')]);
      expect(items.filter((read) => read.kind === 'skipped').map(({ kept }) => kept)).toEqual(['']);
    }
  });

  it('may have an entry that is too large: only that one is left out', async () => {
    const huge = item(`<description>${'x'.repeat(10_000_001)}</description>`, '3');
    const deep = item(`<description>${'<b>'.repeat(300)}x${'</b>'.repeat(300)}</description>`, '4');
    const { skipped, ...read } = await readText(
      whole.replace('</channel>', `${huge}${deep}${item('<description>c</description>', '5')}</channel>`),
    );
    expect(ids(read)).toEqual(['feed:1', 'feed:2', 'feed:5']);
    expect(skipped).toEqual([
      'entry 3 "One": is larger than the limit for posts',
      'entry 4 "One": is larger than the limit for posts',
    ]);
  });

  it.each([
    ['iso-8859-1', Buffer.from([0xe9]), 'é'],
    ['windows-1251', Buffer.from([0xe9]), 'й'],
    ['shift_jis', Buffer.from([0x93, 0xfa]), '日'],
  ])('may be in %s', async (encoding, bytes, title) => {
    const [before = '', after = ''] = whole
      .replace('<?xml version="1.0"?>', `<?xml version="1.0" encoding="${encoding}"?>`)
      .split('One', 2);
    const { posts } = await readText(
      Buffer.concat([Buffer.from(before), bytes, Buffer.from(`${after}</channel></rss>`)]),
    );
    expect(posts[0]?.title).toBe(title);
  });

  it('may be in UTF-16; an unknown encoding is rejected, and so is a compressed file', async () => {
    expect(ids(await readText(Buffer.from(`\uFEFF${whole}`, 'utf16le')))).toEqual(['feed:1', 'feed:2']);
    await expect(readText(whole.replace('?>', ' encoding="klingon"?>'))).rejects.toThrow(
      '"klingon" is unknown',
    );
    await expect(readText(Buffer.from('PK\x03\x04'))).rejects.toThrow('unpack it first');
  });
});
