import { parseDate } from '../../common/content/date.ts';
import { textOf, type Item } from './item.ts';

/**
 * When the post was or will be published, in the site's offset at that time: the difference of its two dates. A draft
 * has no date in GMT; its offset is that of its last change, which has both. The fallback is the date of the feed. Null
 * if none can be read: WordPress writes `0000-00-00 00:00:00`.
 */
export function dateOf(item: Item): string | null {
  const local = moment(item, 'wp:post_date');
  const gmt = moment(item, 'wp:post_date_gmt');
  if (gmt !== null) return withOffset(gmt, offsetBetween(local, gmt));
  if (local !== null) {
    const offset = offsetBetween(moment(item, 'wp:post_modified'), moment(item, 'wp:post_modified_gmt'));
    return withOffset(local - offset * MINUTE, offset);
  }
  return parseDate(textOf(item, 'pubDate'));
}

/** When the post was changed last, in the same way; null in exports that have no date in GMT for it. */
export function updatedAt(item: Item): string | null {
  const gmt = moment(item, 'wp:post_modified_gmt');
  return gmt === null ? null : withOffset(gmt, offsetBetween(moment(item, 'wp:post_modified'), gmt));
}

const MINUTE = 60_000;

/** In milliseconds, as if it were UTC. */
function moment(item: Item, field: string): number | null {
  const date = parseDate(textOf(item, field));
  return date === null ? null : Date.parse(date);
}

/** In minutes; 0 if no place on earth has this offset. */
function offsetBetween(local: number | null, gmt: number | null): number {
  if (local === null || gmt === null) return 0;
  const minutes = Math.round((local - gmt) / MINUTE);
  return minutes % 15 === 0 && Math.abs(minutes) <= 14 * 60 ? minutes : 0;
}

function withOffset(gmt: number, offset: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const local = new Date(gmt + offset * MINUTE).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
