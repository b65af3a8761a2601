import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { htmlToText } from '../../common/content/html-text.ts';
import { firstHeading, tidyLine } from '../../common/content/text.ts';

/** A title as HTML with few elements. In old exports it is text, where `Vec<T>` must keep its `<T>`. */
export function htmlTitle(written: string): string {
  return htmlToText(
    written.replace(
      /<(?!\/?(?:a|abbr|b|br|cite|code|del|em|i|ins|mark|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>)/gi,
      '&lt;',
    ),
  );
}

/** For a text without a title, in HTML: its first heading, its first words, or what its first image shows. May be empty. */
export function textTitle(body: string): string {
  const heading = htmlToText(firstHeading(body));
  if (heading !== '') return heading;
  const text = htmlToText(body.slice(0, 2000)) || htmlToText(firstAlt(body));
  return text.length <= 60 ? text : `${text.slice(0, 60).replace(/\s+\S*$/, '')}…`;
}

/** The alternative text of the first image that has one, as HTML. */
export function firstAlt(html: string): string {
  return /<img\b[^<>]*\salt\s*=\s*(["'])(?<alt>(?:(?!\1).)+)\1/is.exec(html)?.groups?.['alt'] ?? '';
}

/** For a post without title and text: its slug as words, which may be a date. */
export function slugTitle(slug: string): string {
  if (/^[\d-]+$/.test(slug)) return slug;
  const words = slug.replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1) || slug;
}

/** A title that is text, as written; without one, the first heading of the HTML, or the slug as words. */
export function titleOr(written: string, body: string, slug: string): string {
  return tidyLine(written) || htmlToText(firstHeading(body)) || slugTitle(slug);
}

/** The body under its title: if none is written, without the heading that it, or what follows its pictures, begins with. */
export function withoutTitle(written: string, body: string): string {
  return tidyLine(written) === ''
    ? body.replace(/^((?:\s|<\/?p>|<img\b[^<>]*>)*)<(h[1-6])\b[^<>]*>(?:(?!<\/h[1-6]>)[^])*<\/\2>\s*/, '$1')
    : body;
}

const MORE = /<!--\s*more\b[^<>]{0,200}-->|<span id="more-\d+">/i;

/** The text above `<!--more-->`, which the author has marked as the excerpt for lists; null without the mark. */
export function textAboveMore(text: string): string | null {
  const mark = MORE.exec(text);
  return mark === null ? null : text.slice(0, mark.index);
}

/**
 * The first of these dates that is not blank.
 *
 * @param what for the message of one that cannot be read
 * @throws PostUnreadable if there is none, or it cannot be read
 */
export function dateFrom(
  written: readonly (string | null | undefined)[],
  read = parseDate,
  what = 'a date',
): string {
  const first = written.find((date) => date?.trim());
  if (!first) throw new PostUnreadable('has no date');
  const date = read(first);
  if (date === null)
    throw new PostUnreadable(
      `has ${what} that cannot be read: "${tidyLine(first).slice(0, 100)}" (write 2026-05-01 or 2026-05-01T09:30:00+02:00)`,
    );
  return date;
}

/** A count of views; null for anything else. */
export function viewsIn(written: string | null): number | null {
  const views = Number(written ?? NaN);
  return Number.isSafeInteger(views) && views >= 0 ? views : null;
}
