import { describe, expect, it } from 'vitest';
import { withinLimits } from '../../data/imported/limits.ts';
import type { ImportedPost } from '../../import/imported-item.ts';
import { allOf } from './folder.ts';
import { itemsOf } from './made-blog.ts';

const limited = (change: Partial<ImportedPost>) => allOf(withinLimits(itemsOf(change)));

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
        skipped: { source: 'test:1', reason: expect.stringMatching(reason) },
        kept: 'test:1', // As it was imported before.
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
        loss: { source: 'test:1', what: expect.any(String), detail: expect.any(String) },
      });
  });
});
