import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importBlog } from '../../../data/imported/import.ts';
import { readBlog } from '../../../import/formats.ts';
import { emptyBlog, folderOf, NOW } from '../folder.ts';
import { atom, entry, item, jsonFeed, onlyPost, readText, rss } from './feed.ts';

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

describe('an Atom feed', () => {
  it.each([
    ['<content>a &lt; b\n\nc</content>', '<p>a &lt; b</p>\n<p>c</p>'],
    ['<content type="text">&lt;p&gt;</content>', '<p>&lt;p&gt;</p>'],
    ['<content type="html"><![CDATA[<p>a &amp; b</p>]]></content>', '<p>a &amp; b</p>'],
    [
      '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p title="&quot;">a &amp; b<br/></p><a id="x"/></div></content>',
      '<p title="&quot;">a &amp; b<br></p><a id="x"></a>',
    ],
    [
      '<content type="xhtml" xmlns:h="http://www.w3.org/1999/xhtml"><h:div><h:p>a</h:p></h:div></content>',
      '<p>a</p>',
    ],
    ['<content type="text/html" mode="escaped">&lt;p&gt;a&lt;/p&gt;</content>', '<p>a</p>'],
  ])('has text of each type: %s', async (content, body) => {
    expect((await onlyPost(atom(entry(content)))).body).toBe(body);
  });

  it('has the address of its page, not of another form of it', async () => {
    const links =
      '<link rel="alternate" type="application/json" href="https://blog.example/one.json"/>' +
      '<link rel="alternate" type="text/html" href="https://blog.example/one/"/>';
    const written = `<entry><id>urn:1</id><title>One</title><published>2020-01-01</published>${links}</entry>`;
    expect((await onlyPost(atom(written))).url).toBe('https://blog.example/one/');
    expect((await onlyPost(atom(written.replace(/<link[^>]*html[^>]*>/, '')))).url).toBe(
      'https://blog.example/one.json',
    );
  });

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

  it.each([
    ['<link>https://blog.example/2020/one</link>', 'urn:1'],
    ['', 'https://blog.example/2020/one'],
  ])('may have its address as text or as its id: %s %s', async (link, id) => {
    const date = '<published>2020-01-02T03:04:05+01:00</published>';
    const post = await onlyPost(atom(`<entry><id>${id}</id><title>One</title>${link}${date}</entry>`));
    expect(post).toMatchObject({ slug: 'one', url: 'https://blog.example/2020/one' });
  });

  it('leaves out comments', async () => {
    const comment = '<thr:in-reply-to xmlns:thr="http://purl.org/syndication/thread/1.0" ref="urn:9"/>';
    const { items } = await readText(atom(entry(comment)));
    expect(items[1]).toMatchObject({ kind: 'skipped', skipped: { noPost: true }, removed: 'feed:urn:1' });
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
  it('keeps a title that is text, and shows one that is HTML as text', async () => {
    const { posts } = await readText(
      rss(
        item('<description>x</description>').replace(
          'One',
          '&lt;em&gt;Vec&lt;/em&gt; &amp;amp; Vec&lt;T&gt;',
        ) + item('<description>&lt;h2&gt;Head&lt;/h2&gt;</description>', '2').replace('One', ''),
      ),
    );
    expect(posts.map(({ title }) => title)).toEqual(['Vec & Vec<T>', 'Head']);
  });

  it('may have its address in its guid', async () => {
    const post = await onlyPost(
      rss(
        '<item><guid>https://blog.example/a</guid><title>A</title><pubDate>2 Jan 1999 03:04 EST</pubDate><description>x</description></item>',
      ),
    );
    expect(post).toMatchObject({ url: 'https://blog.example/a', publishedAt: '1999-01-02T03:04:00-05:00' });
  });

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

  it.each([
    ['<description>&lt;![CDATA[&lt;p&gt;Text&lt;/p&gt;]]&gt;</description>', {}],
    ['<content><![CDATA[<p>Text</p>]]></content><description>Short</description>', { description: 'Short' }],
    [
      '<description>&lt;p&gt;Text&lt;/p&gt;</description><pubDate>1714204800</pubDate>',
      { publishedAt: '2024-04-27T08:00:00+00:00' },
    ],
  ])('is read as common readers do: %s', async (more, expected) => {
    const own = item(more).replace(more.includes('<pubDate>') ? /<pubDate>Thu[^<]*<\/pubDate>/ : /$^/, '');
    expect(await onlyPost(rss(own))).toMatchObject({ body: '<p>Text</p>', ...expected });
  });

  it('reports an additional text as a loss', async () => {
    const text = (written: string) => `<content:encoded>${written}</content:encoded>`;
    const { posts, lost } = await readText(
      rss(item(text('one') + text('two') + text('three')) + item(text('') + text('one') + text('one'), '2')),
    );
    expect(posts.map(({ body }) => body)).toEqual(['one', 'one']);
    expect(lost).toEqual(['further content:encoded: only the first is read']);
  });

  it('has full texts in descriptions if one of them is long; otherwise each may be a summary', async () => {
    const short = item('<description>Short</description>');
    const long = item(`<description>${'word '.repeat(700)}</description>`, '2');
    expect((await readText(rss(short + long))).lost).toEqual([]);
    expect((await readText(rss(short))).lost).toEqual([expect.stringMatching(/^only a summary/)]);
  });

  it('drops what WordPress adds only in feeds', async () => {
    const footer =
      '<p>The post <a href="https://blog.example/1">One</a> appeared first on <a href="https://blog.example">A blog</a>.</p>\n';
    const post = await onlyPost(
      rss(item(`<content:encoded><![CDATA[<p>Text</p>\n${footer}]]></content:encoded>`)),
    );
    expect(post.body).toBe('<p>Text</p>');
    const quoted = await onlyPost(
      rss(item(`<content:encoded><![CDATA[${footer}<p>Text</p>]]></content:encoded>`)),
    );
    expect(quoted.body).toContain('appeared first on');
  });

  it('has emoji as text, and no images that count its readers', async () => {
    const images =
      'Hi <img src="https://s.w.org/images/core/emoji/1f642.png" alt="🙂" class="wp-smiley" style="height: 1em" />' +
      '<img class="emoji" alt="☕" src="/c.png"><img class="emoji" alt=":octocat:" src="/o.png">' +
      '<img src="https://medium.com/_/stat?event=post.clientViewed" alt="">' +
      '<img alt="" border="0" src="https://pixel.wp.com/b.gif?host=a"/><img src="/1.gif" height="1" width="1"/>' +
      '<img src="/2.gif" style="width:1px;height: 1px"><img src="/3.png" style="max-width:1px;height:1px">' +
      '<img src="/wide.png" width="100" height="1">';
    const { body, description } = await onlyPost(
      rss(
        item(
          `<description><![CDATA[A ${images}]]></description><content:encoded><![CDATA[${images}]]></content:encoded>`,
        ),
      ),
    );
    expect(body).toBe(
      'Hi 🙂☕<img class="emoji" alt=":octocat:" src="/o.png"><img src="/3.png" style="max-width:1px;height:1px"><img src="/wide.png" width="100" height="1">',
    );
    expect(description).toBe('A Hi 🙂☕');
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

  it('names an episode of a podcast', async () => {
    const { lost } = await readText(
      rss(
        item(
          '<enclosure url="https://blog.example/a.mp3" type="audio/mpeg" length="1"/><content:encoded>x</content:encoded>',
        ),
      ),
    );
    expect(lost).toEqual(['attached file (audio/mpeg): https://blog.example/a.mp3']);
  });

  it('may be of version 1.0, with items next to the channel', async () => {
    const feed = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://blog.example/rss"><title>A blog</title><link>https://blog.example</link><items><rdf:Seq><rdf:li/></rdf:Seq></items></channel>
<item rdf:about="https://blog.example/a"><title>A</title><link>https://blog.example/a</link><description>x</description><dc:date>2020-01-02T03:04:05Z</dc:date><dc:subject>News</dc:subject></item></rdf:RDF>`;
    expect(await onlyPost(feed)).toMatchObject({
      source: 'feed:https://blog.example/a',
      title: 'A',
      category: { name: 'News' },
      publishedAt: '2020-01-02T03:04:05+00:00',
    });
  });

  it('is rejected if it is an export, whose drafts no feed has', async () => {
    const wordpress = rss('<wp:wxr_version>1.2</wp:wxr_version>');
    await expect(readText(wordpress)).rejects.toThrow('"import wordpress"');
  });
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
      expect(skipped, cut.slice(-20)).toEqual([expect.stringContaining('the feed breaks off after')]);
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
      'entry 3 "One": is larger than any post',
      'entry 4 "One": is larger than any post',
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
