import { describe, expect, it } from 'vitest';
import { ExportMissing, FeedInvalid } from '../../../import/errors.ts';
import { jsonFeed, onlyPost, readPaths, readText } from './feed.ts';

describe('a JSON Feed', () => {
  it('may have text instead of HTML, and an author for all posts, as in version 1', async () => {
    const feed = jsonFeed([{ content_html: undefined, content_text: 'a < b\nc\n\n\n d ' }], {
      version: 'https://jsonfeed.org/version/1',
      author: { name: 'Ada' },
    });
    const post = await onlyPost(feed);
    expect(post.body).toBe('<p>a &lt; b<br>\nc</p>\n<p>d</p>');
    expect(post.author?.username).toBe('ada');
  });

  it('may have only a summary: that is a loss, and not a description', async () => {
    const { posts, lost } = await readText(
      jsonFeed([
        { content_html: ' ', summary: 'Short.' },
        { id: 'b', summary: 'Text' },
      ]),
    );
    expect(posts.map(({ body, description }) => [body, description])).toEqual([
      ['Short.', null],
      ['<p>Text</p>', null], // It says no more than the text.
    ]);
    expect(lost).toEqual([expect.stringMatching(/^only a summary: /)]);
  });

  it('names posts without a date', async () => {
    const dates = { never: undefined, nonsense: 'yesterday' };
    const items = Object.entries(dates).map(([id, date_published]) => ({ id, date_published }));
    expect((await readText(jsonFeed(items))).skipped).toEqual([
      'feed:never: has no date',
      'feed:nonsense: has a date that cannot be read: "yesterday" (write 2026-05-01 or 2026-05-01T09:30:00+02:00)',
    ]);
  });

  it('may have only a modification date, which is a loss', async () => {
    const { posts, lost } = await readText(
      jsonFeed([{ date_published: undefined, date_modified: '2021-01-01T00:00:00Z' }]),
    );
    const changed = '2021-01-01T00:00:00+00:00';
    expect(posts[0]).toMatchObject({ publishedAt: changed, updatedAt: changed });
    expect(lost).toEqual([expect.stringMatching(/^date: /)]);
  });

  it('distinguishes translations from the blog’s own language', async () => {
    const { posts } = await readText(
      jsonFeed([{ language: 'en-GB' }, { id: 'b', language: 'pt-BR' }, { id: 'c' }], { language: 'en' }),
    );
    expect(posts.map(({ language }) => language)).toEqual([null, 'pt-br', null]);
  });

  it('names an attached file that is not in the text', async () => {
    const audio = { url: 'https://blog.example/a.mp3', mime_type: 'audio/mpeg' };
    const { lost } = await readText(
      jsonFeed([
        { attachments: [audio] },
        { id: 'b', attachments: [audio], content_html: '<audio src="https://blog.example/a.mp3"></audio>' },
      ]),
    );
    expect(lost).toEqual(['attached file (audio/mpeg): https://blog.example/a.mp3']);
  });

  it('names the page that a link post is about, unless the text has it', async () => {
    const external_url = 'https://other.example/?a&b';
    const { lost } = await readText(
      jsonFeed([
        { external_url },
        { id: 'b', external_url, content_html: '<a href="https://other.example/?a&amp;b">x</a>' },
      ]),
    );
    expect(lost).toEqual([`link of the title: ${external_url}`]);
  });

  it('recognises an entry by its address if it has no id, and names one with neither', async () => {
    const { posts, skipped } = await readText(jsonFeed([{ id: '' }, { id: '', url: '', title: 'T' }, 7]));
    expect(posts.map(({ source }) => source)).toEqual(['feed:https://blog.example/2020/a/']);
    expect(skipped).toEqual([
      'entry 2 "T": has neither an id nor an address, so it could not be found again',
      'items[2]: is no object, where an entry should be',
    ]);
  });

  it.each([
    [{ content_html: '<img src="/a.jpg" alt=\'A "door"\'>' }, { title: 'A "door"', slug: 'a' }],
    [{ content_html: '<img src="/a.jpg">', url: 'https://blog.example/on_the-way' }, { title: 'On the way' }],
    [
      { content_html: '<video src="/a.mp4"></video>', url: '' },
      { title: '2020-01-02', slug: '2020-01-02' },
    ],
    [
      { content_html: '', image: '/a.jpg' },
      { title: 'A', cover: 'https://blog.example/a.jpg' },
    ],
  ])('with %o without title and text has %o', async (fields, expected) => {
    expect(await onlyPost(jsonFeed([{ title: '', ...fields }]))).toMatchObject(expected);
  });

  it('ignores fields of wrong types, and accepts ids that are numbers', async () => {
    const post = await onlyPost(
      jsonFeed([
        { id: 12, title: null, tags: 'a', authors: [null, { name: 3 }], image: {}, attachments: [1] },
      ]),
    );
    expect(post).toMatchObject({ source: 'feed:12', title: 'Text', tags: [], cover: null });
    expect(post.author?.name).toBe('3');
  });

  it('is rejected if it is not a JSON Feed', async () => {
    const refused = (content: string) => expect(readText(content)).rejects;
    await refused('{"a":').toThrow(FeedInvalid);
    await refused('[]').toThrow('without a list of "items"');
    await refused('{"version":"1.0","items":[]}').toThrow('"version"');
    await refused('').toThrow('neither XML nor JSON');
    await refused('# Text').toThrow('neither XML nor JSON');
    await refused('<!doctype html><html><body>x</body></html>').toThrow('it is a web page');
    await expect(readPaths('/nowhere/feed.json')).rejects.toThrow(ExportMissing);
  });
});
