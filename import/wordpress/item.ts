import { parseDate } from '../../common/content/date.ts';
import { withOffset } from '../../common/content/moment.ts';
import { dateFrom } from '../article/fields.ts';

/** One `<item>` of an export: a post, a page, an attachment, or another kind of WordPress's posts. */
export interface Item {
  /** The text of each field, XML decoded, by name: `wp:post_name`. */
  readonly fields: ReadonlyMap<string, string>;
  /** In the order of the file. */
  readonly terms: readonly ItemTerm[];
  /** Custom fields; the first one of each key. */
  readonly meta: ReadonlyMap<string, string>;
  /** Whether it is larger than any post, so that only a part of it was read. */
  readonly isTooLarge: boolean;
}

/** `<category domain="post_tag" nicename="c-plus-plus">C++</category>` */
export interface ItemTerm {
  readonly domain: string;
  readonly nicename: string;
  readonly name: string;
}

/** The field's text, trimmed; empty if missing. */
export function getText(item: Item, field: string): string {
  return item.fields.get(field)?.trim() ?? '';
}

/** The first of these custom fields with text, trimmed, or null. */
export function findMeta(item: Item, ...keys: readonly string[]): string | null {
  return keys.map((key) => item.meta.get(key)?.trim()).find(Boolean) ?? null;
}

/** The kind of item: `post`, `page`, `attachment`, or a plug-in's name. */
export function getType(item: Item): string {
  const type = getText(item, 'wp:post_type');
  if (type !== '') return type;
  return getText(item, 'wp:attachment_url') === '' ? 'post' : 'attachment';
}

/** Whether the item has no data at all. */
export function isEmptyItem({ fields, terms, meta }: Item): boolean {
  return terms.length === 0 && meta.size === 0 && [...fields.values()].every((text) => text.trim() === '');
}

/** `example.com/blog` for `https://www.example.com/blog/?p=3`; empty if it is not an address. */
export function toSiteKey(address: string): string {
  const [, key = ''] = /^https?:\/\/(?:www\.)?([^?#]+)/i.exec(address) ?? [];
  return key.replace(/\/+$/, '').toLowerCase();
}

/**
 * The identity of a post: `wordpress:example.com/?p=17`. The number alone is not unique, since each blog counts from 1.
 * An item without a number is identified by its guid, its address, or its name.
 *
 * @param key its site's, as `toSiteKey` returns it
 */
export function identifyItem(item: Item, key: string): string {
  const id = getText(item, 'wp:post_id');
  const place = key || toSiteKey(getText(item, 'guid')) || toSiteKey(getText(item, 'link'));
  if (id !== '') return `wordpress:${place}/?p=${id}`;
  const other = ['guid', 'link', 'wp:post_name', 'title'].map((field) => getText(item, field)).find(Boolean);
  return `wordpress:${place}/${other ?? ''}`;
}

/**
 * When the post was or will be published, in the site's offset at that time: the difference of its two dates. Without a
 * date in GMT, the offset is that of its last change, which has both. The fallback is the date of the feed: WordPress may write
 * `0000-00-00 00:00:00`.
 *
 * @throws PostUnreadable if none can be read
 */
export function getDate(item: Item): string {
  const known = getMoment(item, 'wp:post_date');
  const local = moment(item, 'wp:post_date');
  if (known !== null || local === null)
    return known ?? dateFrom([getText(item, 'pubDate'), getText(item, 'wp:post_date')]);
  const offset = offsetBetween(moment(item, 'wp:post_modified'), moment(item, 'wp:post_modified_gmt'));
  return withOffset(local - offset * MINUTE, offset);
}

/** When the post was changed last, in the same way; null in exports that have no date in GMT for it. */
export function updatedAt(item: Item): string | null {
  return getMoment(item, 'wp:post_modified');
}

function getMoment(item: Item, field: string): string | null {
  const gmt = moment(item, `${field}_gmt`);
  return gmt === null ? null : withOffset(gmt, offsetBetween(moment(item, field), gmt));
}

const MINUTE = 60_000;

/** In milliseconds, as if it were UTC. */
function moment(item: Item, field: string): number | null {
  const date = parseDate(getText(item, field));
  return date === null ? null : Date.parse(date);
}

/** In minutes; 0 if no place on earth has this offset. */
function offsetBetween(local: number | null, gmt: number | null): number {
  if (local === null || gmt === null) return 0;
  const minutes = Math.round((local - gmt) / MINUTE);
  return minutes % 15 === 0 && Math.abs(minutes) <= 14 * 60 ? minutes : 0;
}
