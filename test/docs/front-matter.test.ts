/** The page about static sites and the importer: which keys of front matter a field comes from, and in which order. */
import { expect, it } from 'vitest';
import type { ImportedPost } from '../../import/imported-item.ts';
import { readPost } from '../import/folder.ts';
import { inlineCode, section, tableRows } from './documents.ts';

interface FieldRow {
  /** Its nth value in front matter. */
  readonly written: (n: number) => string;
  readonly read: (post: ImportedPost) => unknown;
  /** What `read` gives for the nth value. */
  readonly expected: (n: number) => unknown;
}

const text = (n: number) => `Value ${n}`;
const day = (n: number) => `2020-01-0${n + 1}`;
const path = (n: number) => `/folder/value-${n}.png`;

const FIELDS: Readonly<Record<string, FieldRow>> = {
  title: { written: text, read: ({ title }) => title, expected: text },
  slug: { written: (n) => `value-${n}`, read: ({ slug }) => slug, expected: (n) => `value-${n}` },
  URL: { written: (n) => `/value-${n}/`, read: ({ url }) => url, expected: (n) => `/value-${n}/` },
  date: {
    written: day,
    read: ({ publishedAt }) => publishedAt,
    expected: (n) => `${day(n)}T00:00:00+00:00`,
  },
  'last change': {
    written: day,
    read: ({ updatedAt }) => updatedAt,
    expected: (n) => `${day(n)}T00:00:00+00:00`,
  },
  description: { written: text, read: ({ description }) => description, expected: text },
  cover: { written: path, read: ({ cover }) => cover, expected: path },
  author: { written: text, read: ({ author }) => author?.name, expected: text },
};

/** The keys of a row, without what the field has if no key has a value. */
const documented = new Map(
  tableRows(section('docs/owners/import-static-sites.md', '### Fields')).map(([field = '', source = '']) => [
    field,
    inlineCode(source.replace(/,? (?:else|\().*/, '')),
  ]),
);

it.each(Object.entries(FIELDS))('%s', async (field, { written, read, expected }) => {
  const keys = documented.get(field) ?? [];
  expect(keys).not.toEqual([]);
  for (const n of keys.keys()) {
    // The later keys, in the order that would make the last one win.
    const lines = keys.map((key, i) => `${key}: ${written(i)}`).slice(n);
    const page = `---\n${lines.reverse().join('\n')}\n---\nBody.\n`;
    expect(read(await readPost('2019-05-05-name.md', page)), keys[n]).toBe(expected(n));
  }
});
