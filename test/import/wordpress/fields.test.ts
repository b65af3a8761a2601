import { describe, expect, it } from 'vitest';
import { attachment, item, meta, readExport, readPost, term, wxr } from './export.ts';

describe('a post of WordPress', () => {
  it('has all its fields', async () => {
    const post = await readPost(
      { title: 'Fish &amp; <em>Chips</em>', 'excerpt:encoded': '<p>All of it &amp; more.</p>' },
      term('category', 'Food') +
        term('post_tag', 'C++') +
        term('category', 'England') +
        term('post_format', 'post-format-aside') +
        meta('_thumbnail_id', '9') +
        meta('_yoast_wpseo_title', 'Best chips %%sep%% %%sitename%%') +
        meta('_yoast_wpseo_metadesc', 'Where to eat.') +
        meta('views', '42'),
      attachment('9', '\n  https://blog.example/fish.jpg?a=1&b=2\n'),
    );
    expect(post).toEqual({
      source: 'wordpress:blog.example/?p=1',
      slug: 'one',
      language: null,
      title: 'Fish & Chips',
      body: '<p>Text.</p>',
      description: 'All of it & more.',
      cover: 'https://blog.example/fish.jpg?a=1&b=2',
      metaTitle: 'Best chips - A blog',
      metaDescription: 'Where to eat.',
      category: { slug: 'food', name: 'Food' },
      tags: [
        { slug: 'england', name: 'England' },
        { slug: 'c-plus-plus', name: 'C++' },
      ],
      author: { username: 'ada', name: 'Ada L.', avatar: null },
      coAuthors: [],
      status: 'published',
      publishedAt: '2020-01-02T05:04:05+02:00',
      updatedAt: null,
      url: 'https://blog.example/2020/one/',
      views: 42,
    });
  });

  it.each([
    ['publish', {}, 'published'],
    [
      'future',
      { 'wp:post_date_gmt': '2031-01-01 00:00:00', 'wp:post_date': '2031-01-01 00:00:00' },
      'scheduled',
    ],
    ['future', {}, 'published'], // Its time has come since.
    ['draft', {}, 'draft'],
    ['pending', {}, 'draft'],
    ['private', {}, 'draft'],
    ['of-a-plug-in', {}, 'draft'],
    ['', {}, 'draft'],
    ['archived', {}, 'archived'],
    ['publish', { 'wp:post_password': 'secret' }, 'draft'],
    ['publish', { 'wp:post_password': ' ' }, 'draft'],
    ['publish', { 'wp:post_password': '\n\t' }, 'published'],
  ])('with the status %s %o is %s', async (status, fields, expected) => {
    expect((await readPost({ 'wp:status': status, ...fields })).status).toBe(expected);
  });

  it.each([
    ['subscribers', 'draft'],
    ['paid_subscribers', 'draft'],
    ['everybody', 'published'],
  ])('for %s of a newsletter is %s', async (access, expected) => {
    expect((await readPost({}, meta('_jetpack_newsletter_access', access))).status).toBe(expected);
  });

  it.each([
    ['trash', 'is in the trash'],
    ['auto-draft', 'is an automatic draft'],
    ['inherit', 'is an earlier version of a post'],
  ])('with the status %s is left out', async (status, reason) => {
    const { posts, skipped } = await readExport(wxr(item({ 'wp:status': status })));
    expect(posts).toEqual([]);
    expect(skipped).toEqual([`wordpress:blog.example/?p=1: ${reason} ("One")`]);
  });

  it.each([
    [{ 'wp:post_name': '%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82-%e4%bd%a0' }, 'привет-你'],
    [{ 'wp:post_name': 'license%e2%80%91oriented' }, 'license‑oriented'],
    [{ 'wp:post_name': '100%' }, '100'],
    [{ 'wp:post_name': 'basic-post.html' }, 'basic-post'],
    [{ 'wp:post_name': '' }, 'one'], // From its address.
    [{ 'wp:post_name': '', 'wp:status': 'draft', title: 'Góry & doliny!' }, 'góry-doliny'],
    [{ 'wp:post_name': null, title: '', link: 'https://blog.example/?p=1' }, '1'],
  ])('with %o has the slug %s', async (fields, slug) => {
    expect((await readPost(fields)).slug).toBe(slug);
  });

  it.each([
    ['2020-07-02 05:04:05', '2020-07-01 23:34:05', '2020-07-02T05:04:05+05:30'],
    ['2020-01-01 20:00:00', '2020-01-02 04:00:00', '2020-01-01T20:00:00-08:00'],
    ['2020-01-01 20:00:00', '2020-01-01 19:00:01', '2020-01-01T20:00:01+01:00'], // Saved a second apart.
    ['2020-01-01 20:00:00', '2020-01-01 18:53:00', '2020-01-01T18:53:00+00:00'], // No time zone has an offset of 67 minutes.
    ['2020-01-01 20:00:00', '2020-01-09 19:00:00', '2020-01-09T19:00:00+00:00'], // Edited by hand.
    ['0000-00-00 00:00:00', '2020-01-01 19:00:00', '2020-01-01T19:00:00+00:00'],
    ['2020-01-01 20:00:00', '0000-00-00 00:00:00', '2020-01-01T20:00:00+00:00'],
    ['', '', '2013-06-07T03:00:44+00:00'],
  ])('of %s (GMT %s) is of %s', async (local, gmt, expected) => {
    const fields = {
      'wp:post_date': local,
      'wp:post_date_gmt': gmt,
      pubDate: 'Fri, 07 Jun 2013 03:00:44 +0000',
    };
    expect((await readPost(fields)).publishedAt).toBe(expected);
  });

  it('has the offset of its last change if its own is unknown', async () => {
    const fields = {
      'wp:status': 'draft',
      'wp:post_date_gmt': '0000-00-00 00:00:00',
      'wp:post_modified': '2020-02-02 12:00:00',
      'wp:post_modified_gmt': '2020-02-02 11:00:00',
    };
    expect(await readPost(fields)).toMatchObject({
      publishedAt: '2020-01-02T05:04:05+01:00',
      updatedAt: '2020-02-02T12:00:00+01:00',
    });
  });

  it('needs a date only when it is published', async () => {
    const none = {
      'wp:post_date': '0000-00-00 00:00:00',
      'wp:post_date_gmt': null,
      pubDate: 'Mon, 30 Nov -0001 00:00:00 +0000',
    };
    expect((await readPost({ ...none, 'wp:status': 'draft' })).publishedAt).toBeNull();
    const { skipped } = await readExport(wxr(item(none)));
    expect(skipped).toEqual(['wordpress:blog.example/?p=1: has no date that can be read ("One")']);
  });

  it.each([
    ['https://blog.example/?p=1', null],
    ['https://blog.example/?page_id=1&preview=true', null],
    ['https://blog.example/', null],
    ['https://blog.example/a/b', 'https://blog.example/a/b'],
    ['/blog/one.html', '/blog/one.html'],
    ['javascript:alert(1)', null],
  ])('at %s has the address %s', async (link, url) => {
    expect((await readPost({ link })).url).toBe(url);
  });

  it('has its first co-author, otherwise its writer, and no e-mail address', async () => {
    const authors = term('author', 'Bob Jones', 'cap-bob') + term('author', 'Ada L.', 'ada');
    expect((await readPost({}, authors)).author).toEqual({
      username: 'bob',
      name: 'Bob Jones',
      avatar: null,
    });
    expect((await readPost({ 'dc:creator': 'Carl_X' })).author).toEqual({
      username: 'carl-x',
      name: 'Carl_X',
      avatar: null,
    });
    expect((await readPost({ 'dc:creator': 'eve@blog.example' })).author).toEqual({
      username: 'eve',
      name: 'eve',
      avatar: null,
    });
    expect((await readPost({ 'dc:creator': null })).author).toBeNull();
  });

  it("has no category if it only has WordPress's default", async () => {
    expect((await readPost({}, term('category', 'Uncategorized'))).category).toBeNull();
    const post = await readPost({}, term('category', 'Bez kategorii') + term('category', 'Góry'));
    expect(post.category?.name).toBe('Góry');
    expect(post.tags).toEqual([]);
  });

  it('reads terms as WordPress 2 wrote them', async () => {
    const terms = '<category><![CDATA[News]]></category><category domain="tag"><![CDATA[old]]></category>';
    const post = await readPost({}, terms + terms);
    expect([post.category?.name, post.tags.map(({ name }) => name)]).toEqual(['News', ['old']]);
  });

  it.each([
    ['%%title%% %%page%% %%sep%% %%sitename%%', null],
    ['%title% %sep% %sitename%', null],
    ['#post_title #separator_sa #site_title', null],
    ['%%title%% %%page%% . Come &amp; see.', 'One. Come & see.'],
    ['100 % cotton, 50% off', '100 % cotton, 50% off'],
    ['', null],
  ])('with the SEO title "%s" has %s', async (written, title) => {
    expect((await readPost({}, meta('_yoast_wpseo_title', written))).metaTitle).toBe(title);
  });

  it.each([
    [{ title: '', 'content:encoded': '<h2>First</h2>Text.' }, 'First'],
    [
      {
        title: '',
        'content:encoded': 'A note without a title, which goes on for longer than a title may be.',
      },
      'A note without a title, which goes on for longer than a…',
    ],
    [{ title: '', 'content:encoded': '<img src="/a.png">' }, 'one'],
    [{ title: 'Vec<T> and <b>bold</b>' }, 'Vec<T> and bold'],
    [{ title: 'It&#8217;s &quot;so&quot;' }, 'It’s "so"'],
  ])('with %o has the title %s', async (fields, title) => {
    expect((await readPost(fields)).title).toBe(title);
  });

  it('has the text above <!--more--> as its description', async () => {
    const content =
      '[caption]<img src="a.png" /> A[/caption]First &amp; [b]bold[/b].<!--more Read on-->Second.';
    expect((await readPost({ 'content:encoded': content })).description).toBe('A First & bold.');
    expect((await readPost({ 'content:encoded': content, 'excerpt:encoded': 'E' })).description).toBe('E');
  });

  it('is a translation if Polylang says so', async () => {
    expect((await readPost({}, term('language', 'Deutsch', 'de'))).language).toBe('de');
    expect((await readPost({}, term('language', 'English', 'en'))).language).toBeNull();
  });

  it('uses the first of two custom fields with the same key', async () => {
    expect((await readPost({}, meta('views', '1') + meta('views', '2'))).views).toBe(1);
  });

  it.each(['many', '-1', '1.5', ''])('counts no views in "%s"', async (written) => {
    expect((await readPost({}, meta('views', written))).views).toBeNull();
  });
});

describe('several languages in one text (qTranslate)', () => {
  const title = '[:fr]Sous le ciel[:en]Under heaven[:]';
  const content = '<!--:fr-->Bonjour<!--:--><!--:en-->Hello<!--:-->';

  it.each([
    ['en-GB', 'Under heaven', '<p>Hello</p>'],
    ['fr', 'Sous le ciel', '<p>Bonjour</p>'],
    ['pl-PL', 'Sous le ciel', '<p>Bonjour</p>'],
  ])('is read in the language of a site in %s, otherwise in the first', async (language, expected, body) => {
    const { posts } = await readExport(wxr(item({ title, 'content:encoded': content }), language));
    expect(posts.map((post) => [post.title, post.body])).toEqual([[expected, body]]);
  });

  it('is ignored in code', async () => {
    const post = await readPost({ 'content:encoded': 'Write <code>params[:id]</code> and a[:].' });
    expect(post.body).toBe('<p>Write <code>params[:id]</code> and a[:].</p>');
  });
});
