import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { textCases } from '../../text-cases.ts';
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
});

describe.each([...textCases(new URL('./fields.txt', import.meta.url))])('%s', (_heading, cases) => {
  it.each(cases)('%s %s: %s', async (fields = '', more = '', expected = '') => {
    expect(await readExport(wxr(item(parse(fields), more)))).toMatchObject(parse(expected));
  });
});
