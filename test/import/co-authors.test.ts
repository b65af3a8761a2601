import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importBlog } from '../../data/imported/import.ts';
import type { FormatName } from '../../import/format-names.ts';
import { readBlog } from '../../import/formats.ts';
import { atom, entry, jsonFeed } from './feed/feed.ts';
import { emptyBlog, folderOf, NOW } from './folder.ts';
import { GHOST_POST } from './ghost-export.ts';
import { item, term, wxr } from './wordpress/export.ts';

const post = (facts: string) => `---\ntitle: A\ndate: 2024-01-01\n${facts}\n---\nText.\n`;

const rss = (people: string) =>
  `<rss version="2.0"><channel><title>A blog</title><link>https://blog.example/</link><item><guid>a</guid><title>A</title>
  <link>https://blog.example/a/</link><pubDate>Wed, 01 May 2024 10:00:00 +0000</pubDate>${people}
  <description>Text.</description></item></channel></rss>`;

const people = (...names: readonly string[]) =>
  names.map((name) => `<author><name>${name}</name></author>`).join('');

const ghost = JSON.stringify({
  db: [
    {
      meta: { exported_on: 1, version: '5.113.0' },
      data: {
        posts: [GHOST_POST],
        users: ['Ann', 'Bob', 'Cy'].map((name) => ({ id: name, name, slug: name.toLowerCase() })),
        posts_authors: ['Cy', 'Bob', 'Ann'].map((author_id, i) => ({
          ...{ post_id: GHOST_POST.id, author_id, sort_order: 2 - i },
        })),
      },
    },
  ],
});

it.each<readonly [string, FormatName, name: string, text: string]>([
  ['Markdown', 'markdown', 'a.md', post('authors: [Ann, Bob, ann, {name: Cy}]')],
  ['Markdown, in two fields', 'markdown', 'a.md', post('author: Ann\nauthors: [Ann, Bob, Cy]')],
  ['Markdown, in a list of names', 'markdown', 'a.md', post('author: {name: [Ann, Bob, Cy]}')],
  ['Atom', 'feed', 'a.xml', atom(entry(people('Ann', 'Bob', 'Cy', 'Bob')))],
  [
    'an author for all of it',
    'feed',
    'a.xml',
    atom(entry('')).replace(people('Ada'), people('Ann', 'Bob', 'Cy')),
  ],
  [
    'RSS',
    'feed',
    'a.xml',
    rss('<dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator><dc:creator>Cy</dc:creator>'),
  ],
  [
    'RSS without a module',
    'feed',
    'a.xml',
    rss(['Ann', 'Bob', 'Cy'].map((name) => `<author>a@b.example (${name})</author>`).join('')),
  ],
  [
    'JSON Feed',
    'feed',
    'a.json',
    jsonFeed([{ author: { name: 'Ann' }, authors: [{ name: 'Ann' }, { name: 'Bob' }, { name: 'Cy' }] }]),
  ],
  ['Ghost', 'ghost', 'a.json', ghost],
  [
    'WordPress with Co-Authors Plus',
    'wordpress',
    'a.xml',
    wxr(
      item(
        {},
        term('author', 'Ann', 'cap-ann') + term('author', 'Bob', 'cap-bob') + term('author', 'Cy', 'cap-cy'),
      ),
    ),
  ],
])('authors after the first are a loss: %s', async (_, format, name, text) => {
  const db = emptyBlog();
  const folder = folderOf({ [name]: text });
  const path = format === 'markdown' ? folder : join(folder, name);
  const { losses } = await importBlog({ db, items: readBlog(format, [path], { now: NOW }) });
  expect(losses).toContainEqual({ what: 'co-author', count: 2, first: expect.any(String), detail: 'Bob' });
  const authors = db.prepare<[], string>('SELECT name FROM authors').pluck().all();
  expect(authors).toEqual(['Ann']);
});

it.each<readonly [string, FormatName, name: string, text: string]>([
  ['one author, in several spellings', 'markdown', 'a.md', post('author: Ann\nauthors: [ann]\nbyline: ANN')],
  ['no author', 'markdown', 'a.md', post('')],
  ['empty fields of an author', 'markdown', 'a.md', post('author: Ann\nauthors: {name: , email: }')],
  ['a text, which is one name', 'markdown', 'a.md', post('authors: Ann Lee, Jr. and Bob')],
  [
    'RSS with one author in two forms',
    'feed',
    'a.xml',
    rss('<dc:creator>Ann</dc:creator><author>ann@b.example</author>'),
  ],
])('nothing is lost of %s', async (_, format, name, text) => {
  const folder = folderOf({ [name]: text });
  const path = format === 'markdown' ? folder : join(folder, name);
  const { losses } = await importBlog({ db: emptyBlog(), items: readBlog(format, [path], { now: NOW }) });
  expect(losses.map(({ what }) => what)).not.toContain('co-author');
});
