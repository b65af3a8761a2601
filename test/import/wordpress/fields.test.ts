import { describe, expect, it } from 'vitest';
import { attachment, item, type ItemFields, meta, readExport, readPost, term, wxr } from './export.ts';

const NO_DATE = { 'wp:post_date': '0000-00-00 00:00:00', 'wp:post_date_gmt': null, pubDate: '' };
const FUTURE = { 'wp:post_date_gmt': '2031-01-01 00:00:00', 'wp:post_date': '2031-01-01 00:00:00' };
const LEAD = '[caption]<img src="a.png" /> A[/caption]First &amp; [b]bold[/b].<!--more Read on-->Second.';

describe('a post of WordPress', () => {
  it('has all its fields', async () => {
    const post = await readPost(
      { title: 'Fish &amp; <em>Chips</em>', 'excerpt:encoded': '<p>All of it &amp; more.</p>' },
      term('category', 'Food') +
        term('post_tag', 'C++') +
        term('category', 'England') +
        term('post_format', 'post-format-aside') +
        meta('_thumbnail_id', '9') +
        meta('_yoast_wpseo_title', 'Best chips') +
        meta('_yoast_wpseo_metadesc', 'Where to eat, 50% off.') +
        meta('views', '42') +
        meta('views', '1'),
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
      metaTitle: 'Best chips',
      metaDescription: 'Where to eat, 50% off.',
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

  it.each<readonly [fields: ItemFields, more: string, expected: object]>([
    [{ 'wp:status': 'future', ...FUTURE }, '', { status: 'scheduled' }],
    [{ 'wp:status': 'future' }, '', { status: 'published' }], // Its time has come since.
    [{ 'wp:post_password': '\n\t' }, '', { status: 'published' }],
    [{}, meta('_jetpack_newsletter_access', 'everybody'), { status: 'published' }],
    // Its slug.
    [{ 'wp:post_name': '%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82-%e4%bd%a0' }, '', { slug: 'привет-你' }],
    [{ 'wp:post_name': 'license%e2%80%91oriented' }, '', { slug: 'license‑oriented' }],
    [{ 'wp:post_name': '100%' }, '', { slug: '100' }],
    [{ 'wp:post_name': 'basic-post.html' }, '', { slug: 'basic-post' }],
    [{ 'wp:post_name': '' }, '', { slug: 'one' }], // From its address.
    [
      { 'wp:post_name': '', link: 'https://blog.example/?p=1', title: 'Góry & doliny!' },
      '',
      { slug: 'góry-doliny' },
    ],
    [{ 'wp:post_name': null, title: '', link: 'https://blog.example/?p=1' }, '', { slug: '1' }],
    // Its date.
    [
      {
        'wp:post_date_gmt': '0000-00-00 00:00:00',
        'wp:post_modified': '2020-02-02 12:00:00',
        'wp:post_modified_gmt': '2020-02-02 11:00:00',
      },
      '',
      { publishedAt: '2020-01-02T05:04:05+01:00', updatedAt: '2020-02-02T12:00:00+01:00' },
    ],
    // Its address.
    [{ link: 'https://blog.example/?p=1' }, '', { url: null }],
    [{ link: 'https://blog.example/?page_id=1&preview=true' }, '', { url: null }],
    [{ link: 'https://blog.example/' }, '', { url: null }],
    [{ link: 'https://blog.example/a/b' }, '', { url: 'https://blog.example/a/b' }],
    [{ link: '/blog/one.html' }, '', { url: '/blog/one.html' }],
    [{ link: 'javascript:alert(1)' }, '', { url: null }],
    // Its authors, without e-mail addresses.
    [
      {},
      term('author', 'Bob Jones', 'cap-bob') + term('author', 'Ada L.', 'ada'),
      { author: { username: 'bob', name: 'Bob Jones', avatar: null }, coAuthors: ['Ada L.'] },
    ],
    [{ 'dc:creator': 'Carl_X' }, '', { author: { username: 'carl-x', name: 'Carl_X' } }],
    [{ 'dc:creator': 'eve@blog.example' }, '', { author: { username: 'eve', name: 'eve' } }],
    [{ 'dc:creator': null }, '', { author: null }],
    // Its terms.
    [{}, term('category', 'Uncategorized'), { category: null }],
    [
      {},
      term('category', 'Bez kategorii') + term('category', 'Góry'),
      { category: { name: 'Góry' }, tags: [] },
    ],
    [
      {}, // As WordPress 2 wrote them.
      '<category><![CDATA[News]]></category><category domain="tag"><![CDATA[old]]></category>',
      { category: { name: 'News' }, tags: [{ name: 'old' }] },
    ],
    [{}, term('language', 'Deutsch', 'de'), { language: 'de' }],
    [{}, term('language', 'English', 'en'), { language: null }],
    // Its title.
    [{ title: '', 'content:encoded': '<h2>First</h2>Text.' }, '', { title: 'First' }],
    [
      {
        title: '',
        'content:encoded': 'A note without a title, which goes on for longer than a title may be.',
      },
      '',
      { title: 'A note without a title, which goes on for longer than a…' },
    ],
    [{ title: '', 'content:encoded': '<img src="/a.png">' }, '', { title: 'One' }],
    [{ title: '', 'content:encoded': '<img src="/a.png" alt="A door">' }, '', { title: 'A door' }],
    [
      { title: '', 'content:encoded': '', 'wp:post_name': '', 'wp:post_id': null, link: null },
      '',
      { title: '2020-01-02', slug: '2020-01-02' },
    ],
    [{ title: 'Vec<T> and <b>bold</b>' }, '', { title: 'Vec<T> and bold' }],
    [{ title: 'It&#8217;s &quot;so&quot;' }, '', { title: 'It’s "so"' }],
    // Its description.
    [{ 'content:encoded': LEAD }, '', { description: 'A First & bold.' }],
    [{ 'content:encoded': LEAD, 'excerpt:encoded': 'E' }, '', { description: 'E' }],
    ...['many', '-1', '1.5', ''].map((written) => [{}, meta('views', written), { views: null }] as const),
    [
      { 'content:encoded': 'Write <code>params[:id]</code> and a[:].' },
      '',
      { body: '<p>Write <code>params[:id]</code> and a[:].</p>' },
    ],
  ])('with %o %s has %o', async (fields, more, expected) => {
    expect(await readPost(fields, more)).toMatchObject(expected);
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

  it.each([
    [{ 'wp:status': 'draft' }, '', 'draft'],
    [{ 'wp:status': 'draft', ...NO_DATE }, '', 'draft'],
    [{ 'wp:status': 'private' }, '', 'private'],
    [{ 'wp:status': 'trash' }, '', 'trashed'],
    [{ 'wp:status': 'archived' }, '', 'archived'],
    [{ 'wp:post_password': 'secret' }, '', 'password'],
    [{}, meta('_jetpack_newsletter_access', 'subscribers'), 'members'],
  ])('with %o %s is hidden: %s', async (fields, more, reason) => {
    const { posts, skipped, hidden } = await readExport(wxr(item(fields, more)));
    expect({ posts, skipped, hidden }).toEqual({
      ...{ posts: [], skipped: [] },
      hidden: [`wordpress:blog.example/?p=1: ${reason}`],
    });
  });

  const FRENCH = '[:fr]Sous le ciel[:en]Under heaven[:]';
  const READABLE = '(write 2026-05-01 or 2026-05-01T09:30:00+02:00)';
  const MULTILINGUAL = 'has several languages in one text, as by qTranslate';

  it.each<readonly [ItemFields, string, string]>([
    [{ 'wp:status': 'auto-draft' }, '', 'is an automatic draft'],
    [{ 'wp:status': 'inherit' }, '', 'is an earlier version of a post'],
    [NO_DATE, '', `has a date that cannot be read: "0000-00-00 00:00:00" ${READABLE}`],
    [{ ...NO_DATE, 'wp:post_date': null }, '', 'has no date'],
    [{ ...NO_DATE, pubDate: 'soon' }, '', `has a date that cannot be read: "soon" ${READABLE}`],
    [{ 'excerpt:encoded': FRENCH }, '', MULTILINGUAL],
    [{ 'content:encoded': '<!--:fr-->Bonjour<!--:--><!--:en-->Hello<!--:-->' }, '', MULTILINGUAL],
    [{}, term('category', FRENCH), MULTILINGUAL],
  ])('with %o %s is left out: %s', async (fields, more, reason) => {
    const { posts, skipped } = await readExport(wxr(item(fields, more)));
    expect(posts).toEqual([]);
    expect(skipped).toEqual([`wordpress:blog.example/?p=1: ${reason} ("One")`]);
  });

  it.each([
    '%%title%% %%page%% %%sep%% %%sitename%%',
    '%title% %sep% %sitename%',
    '#post_title #separator_sa #site_title',
    'Come to %%title%%.',
  ])('does not have the SEO text "%s", which is a loss', async (written) => {
    const more = meta('_yoast_wpseo_title', written) + meta('_yoast_wpseo_metadesc', 'Own');
    const { posts, lost } = await readExport(wxr(item({}, more)));
    expect(posts).toMatchObject([{ metaTitle: null, metaDescription: 'Own' }]);
    expect(lost).toEqual(['SEO text with variables']);
  });
});
