import type { Hidden, ImportedBlog, ImportedItem, ImportedPost } from '../../import/imported-item.ts';

export const POST: ImportedPost = {
  source: 'test:1',
  slug: 'one',
  language: null,
  title: 'One',
  body: '<p>1</p>',
  description: null,
  cover: null,
  metaTitle: null,
  metaDescription: null,
  category: null,
  tags: [],
  author: null,
  status: 'published',
  publishedAt: '2020-01-01T00:00:00+00:00',
  url: null,
  views: null,
};

/** Posts without a blog. */
export async function* itemsOf(...posts: readonly Partial<ImportedPost>[]): AsyncGenerator<ImportedItem> {
  for (const post of posts) yield { kind: 'post', post: { ...POST, ...post } };
}

export const BLOG: ImportedBlog = { format: 'test', key: 'here', name: 'here', isComplete: true };

export async function* blogOf(
  blog: Partial<ImportedBlog>,
  ...items: readonly ImportedItem[]
): AsyncGenerator<ImportedItem> {
  yield { kind: 'blog', blog: { ...BLOG, ...blog } };
  yield* items;
}

/** The post `test:a` with the slug `a`. */
export function made(name: string, more: Partial<ImportedPost> = {}): ImportedItem {
  return { kind: 'post', post: { ...POST, source: `test:${name}`, slug: name, title: name, ...more } };
}

export function hidden(name: string, reason: Hidden['reason']): ImportedItem {
  return { kind: 'hidden', hidden: { source: `test:${name}`, reason } };
}
