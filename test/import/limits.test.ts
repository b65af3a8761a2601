import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../import/formats.ts';
import { importBlog } from '../../data/imported/import.ts';
import { withinLimits } from '../../data/imported/limits.ts';
import type { ImportedItem, ImportedPost } from '../../import/imported-item.ts';
import { emptyBlog, folderOf, NOW, readPost } from './folder.ts';

const page = (frontMatter: string, body = 'Text.') => `---\ndate: 2020-01-01\n${frontMatter}\n---\n${body}`;

async function limited(change: Partial<ImportedPost>): Promise<ImportedItem[]> {
  const post: ImportedPost = { ...(await readPost('a.md', page('title: A'))), ...change };
  async function* items(): AsyncGenerator<ImportedItem> {
    yield { kind: 'post', post };
  }
  const limitedItems: ImportedItem[] = [];
  for await (const item of withinLimits(items())) limitedItems.push(item);
  return limitedItems;
}

describe('texts beyond the limits', () => {
  it.each([
    [
      'slug',
      { slug: 's'.repeat(1001) },
      /slug cannot be used: it has 1001 characters; at most 1000 are allowed/,
    ],
    ['slug of dots', { slug: '..' }, /slug cannot be used: "\.\." has another meaning in a URL/],
    ['text', { body: 'é'.repeat(1_000_001) }, /text is too long: it has 2000002 bytes/],
  ])('leave the post out: its %s', async (_what, change, reason) => {
    expect(await limited(change)).toEqual([
      {
        kind: 'skipped',
        skipped: { source: 'markdown:a.md', reason: expect.stringMatching(reason) },
        stays: 'markdown:a.md', // As it was imported before.
      },
    ]);
  });

  it('are accepted up to the last character', async () => {
    const change = { slug: 's'.repeat(1000), body: 'b'.repeat(2_000_000), title: '𝒯'.repeat(1000) };
    expect(await limited(change)).toEqual([{ kind: 'post', post: expect.objectContaining(change) }]);
  });

  it('are cut or dropped, and reported as losses', async () => {
    const long = 'n'.repeat(201);
    const [first, ...others] = await limited({
      title: '𝒯'.repeat(1001),
      description: 'd'.repeat(5001),
      metaTitle: 'm'.repeat(5001),
      cover: `/${'c'.repeat(2000)}`,
      url: `/${'u'.repeat(2000)}`,
      category: { slug: 'c', name: long },
      tags: [
        { slug: long, name: 'x' },
        { slug: 'ok', name: 'o\u0007k' },
      ],
      author: { username: '..', name: 'A', avatar: null },
    });
    expect(first).toMatchObject({
      post: {
        title: `${'𝒯'.repeat(999)}…`,
        description: `${'d'.repeat(4999)}…`,
        metaTitle: `${'m'.repeat(4999)}…`,
        cover: null,
        url: null,
        category: null,
        tags: [{ slug: 'ok', name: 'o k' }],
        author: null,
      },
    });
    expect(others).toHaveLength(8);
    for (const item of others)
      expect(item).toEqual({
        kind: 'loss',
        loss: { source: 'markdown:a.md', what: expect.any(String), detail: expect.any(String) },
      });
  });

  it('apply to every import', async () => {
    const folder = folderOf({
      'a.md': page(`title: ${'t'.repeat(1001)}`),
      [`b.md`]: page(`slug: ${'s'.repeat(1001)}`),
    });
    const db = emptyBlog();
    const report = await importBlog({ db, items: FORMATS.markdown.read(folder, { now: NOW }) });
    expect(report.imported.posts).toBe(1);
    expect(db.prepare('SELECT length(title) FROM posts').pluck().all()).toEqual([1000]);
    expect(report.losses).toEqual([
      {
        what: 'the end of a title',
        count: 1,
        first: 'markdown:a.md',
        detail: 'it has 1001 characters; at most 1000 are allowed',
      },
    ]);
    expect(report.skipped.map(({ reason }) => reason)).toEqual([
      'its slug cannot be used: it has 1001 characters; at most 1000 are allowed',
    ]);
  });
});
