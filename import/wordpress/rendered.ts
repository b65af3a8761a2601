import * as v from 'valibot';
import { htmlToText } from '../../common/content/html-text.ts';
import { tidyText } from '../../common/content/text.ts';
import { pictureAt } from '../article/address.ts';
import { withEmoji } from '../article/emoji.ts';
import { htmlTitle, textAboveMore } from '../article/fields.ts';
import type { ReportLoss } from '../article/outcome.ts';
import type { Hidden, ReadPost } from '../imported-item.ts';
import { withoutEmpty } from './body.ts';
import type { Item } from './item.ts';
import { commonFields } from './post.ts';
import { whyHidden } from './restrictions.ts';
import { expandShortcodes } from './shortcodes.ts';

const anyText = v.fallback(v.string(), '');
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const html = v.pipe(anyText, v.transform(withEmoji));
const rendered = v.fallback(v.object({ rendered: html }), { rendered: '' });
const term = v.object({ taxonomy: anyText, slug: anyText, name: anyText });
const author = v.object({ id, slug: v.string(), name: anyText });
const media = v.object({ source_url: v.string() });
const seo = v.fallback(v.nullable(v.object({ title: anyText, description: anyText })), null);
/** Items that must not be shown are replaced by errors. */
const validItems = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((list) => list.flatMap((item) => (v.is(schema, item) ? v.parse(schema, item) : []))),
    ),
    [],
  );

/** A post from WordPress's REST API, with `_embed`. */
export const REST_POST = v.object({
  id,
  status: anyText,
  slug: anyText,
  link: anyText,
  date: anyText,
  date_gmt: anyText,
  modified: anyText,
  modified_gmt: anyText,
  title: rendered,
  excerpt: rendered,
  featured_media: v.fallback(v.number(), 0),
  content: v.object({
    rendered: v.pipe(v.string(), v.transform(withEmoji)),
    protected: v.fallback(v.boolean(), false),
  }),
  author: v.fallback(v.number(), 0),
  meta: v.fallback(v.object({ _jetpack_newsletter_access: anyText }), { _jetpack_newsletter_access: '' }),
  yoast_head_json: v.optional(seo, null),
  aioseo_head_json: v.optional(seo, null),
  /** The terms for the numbers in `categories` and `tags`. */
  terms: v.optional(validItems(term), []),
  _embedded: v.fallback(
    v.object({
      author: v.optional(validItems(author), []),
      'wp:featuredmedia': v.optional(validItems(media), []),
    }),
    { author: [], 'wp:featuredmedia': [] },
  ),
});
type RestPost = v.InferOutput<typeof REST_POST>;

/** The site of posts of the REST API. */
export interface RestSite {
  /** As `toSiteKey` returns it. */
  readonly key: string;
  readonly name: string;
}

/**
 * Converts a post that WordPress has rendered, with its plug-ins and shortcodes. Status, date, address and terms follow
 * the rules of an export.
 *
 * @throws PostUnreadable
 */
export function postFromRest(rest: RestPost, site: RestSite, lose: ReportLoss): ReadPost | Hidden['reason'] {
  const item = toItem(rest);
  const reason = whyHidden(item);
  if (reason !== null) return reason;
  const { author: people, 'wp:featuredmedia': images } = rest._embedded;
  // Shortcodes of a plug-in that does not run for the API are still there.
  const files = { attachment: () => null, images: () => [], reportLoss: lose };
  const body = withoutEmpty(expandShortcodes(tidyText(rest.content.rendered), files));
  const names = new Map(people.map(({ slug, name }) => [slug, name]));
  const shared = commonFields(item, site.key, htmlTitle(rest.title.rendered), body, names);
  const excerpt = findExcerpt(rest);
  if (people.length === 0 && rest.author !== 0) lose('author that WordPress does not show');
  if (images.length === 0 && rest.featured_media !== 0) lose('featured image that WordPress does not show');
  return {
    ...shared,
    language: null,
    description: excerpt ?? (htmlToText(textAboveMore(rest.content.rendered) ?? '') || null),
    cover: pictureAt(images[0]?.source_url),
    ...findSeoTexts(rest, shared.title, site.name, excerpt),
    views: null,
  };
}

/** Converts the post to an item of an export, to share its rules. */
function toItem(rest: RestPost): Item {
  const fields = {
    'wp:post_id': String(rest.id),
    'wp:status': rest.status,
    'wp:post_name': rest.slug,
    link: rest.link,
    'wp:post_password': rest.content.protected ? 'protected' : '',
    'wp:post_date': rest.date,
    'wp:post_date_gmt': rest.date_gmt,
    'wp:post_modified': rest.modified,
    'wp:post_modified_gmt': rest.modified_gmt,
    'dc:creator': rest._embedded.author[0]?.slug ?? '',
  };
  return {
    fields: new Map(Object.entries(fields)),
    terms: rest.terms.map(({ taxonomy, slug, name }) => ({ domain: taxonomy, nicename: slug, name })),
    meta: new Map(Object.entries(rest.meta)),
    isTooLarge: false,
  };
}

/** The excerpt that the author wrote, as text. If there is none, WordPress takes the text's beginning: that is ignored. */
function findExcerpt({ excerpt, content }: RestPost): string | null {
  const text = htmlToText(excerpt.rendered);
  if (text === '') return null;
  // Themes end it differently: `[…]`, `Continue reading`.
  const words = onlyWords(text.replace(/\s*(?:\[…\]|\[\.\.\.\]|…|\.\.\.).*$/s, ''));
  return onlyWords(htmlToText(content.rendered)).startsWith(words) ? null : text;
}

function onlyWords(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** What a plug-in says for search engines; not what it only takes from the titles of post and site, or the excerpt. */
function findSeoTexts(
  { yoast_head_json, aioseo_head_json }: RestPost,
  title: string,
  site: string,
  excerpt: string | null,
): Pick<ReadPost, 'metaTitle' | 'metaDescription'> {
  const said = yoast_head_json ?? aioseo_head_json;
  const written = htmlToText(said?.title ?? '');
  const rest = onlyWords(written.replace(site, ' ').replace(title, ' '));
  const description = htmlToText(said?.description ?? '');
  return {
    metaTitle: rest === '' || onlyWords(written) === onlyWords(title) ? null : written,
    metaDescription: description === '' || description === excerpt ? null : description,
  };
}
