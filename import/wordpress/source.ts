import { textOf, type Item } from './item.ts';
import { siteKey, type Site } from './survey.ts';

/**
 * The identity of a post: `wordpress:example.com/?p=17`. The number alone is not unique, since each blog counts from 1.
 * An item without a number is identified by its guid, its address, or its name.
 */
export function sourceOf(item: Item, site: Site): string {
  const id = textOf(item, 'wp:post_id');
  const place = site.key || siteKey(textOf(item, 'guid')) || siteKey(textOf(item, 'link'));
  if (id !== '') return `wordpress:${place}/?p=${id}`;
  const other = ['guid', 'link', 'wp:post_name', 'title'].map((field) => textOf(item, field)).find(Boolean);
  return `wordpress:${place}/${other ?? ''}`;
}
