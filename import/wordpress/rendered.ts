import * as v from 'valibot';
import { textOfHtml } from '../../common/content/html-text.ts';
import { tidyLine, tidyText } from '../../common/content/text.ts';
import type { Hidden, ImportedPost } from '../imported-item.ts';
import { statusAt } from '../article/status.ts';
import { taxonomyFrom } from '../article/taxonomy.ts';
import { titleOfHtml } from '../article/title.ts';
import { withoutEmpty } from './body.ts';
import { sourceOf, updatedAt, type Item } from './item.ts';
import { addressOf, authorsOf, namesOf } from './post.ts';
import { whyHidden } from './restrictions.ts';

const anyText = v.fallback(v.string(), '');
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const rendered = v.fallback(v.object({ rendered: anyText }), { rendered: '' });
const term = v.object({ taxonomy: anyText, slug: anyText, name: anyText });
const author = v.object({ id, slug: v.string(), name: anyText });
const media = v.object({ source_url: v.string() });
const seo = v.fallback(v.nullable(v.object({ title: anyText, description: anyText })), null);
/** Items that must not be shown are replaced by errors. */
const those = <T>(schema: v.GenericSchema<unknown, T>) =>
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
  ...{ status: anyText, slug: anyText, link: anyText },
  ...{ date: anyText, date_gmt: anyText, modified: anyText, modified_gmt: anyText },
  ...{ title: rendered, excerpt: rendered, featured_media: v.fallback(v.number(), 0) },
  content: v.object({ rendered: v.string(), protected: v.fallback(v.boolean(), false) }),
  author: v.fallback(v.number(), 0),
  meta: v.fallback(v.object({ _jetpack_newsletter_access: anyText }), { _jetpack_newsletter_access: '' }),
  yoast_head_json: v.optional(seo, null),
  aioseo_head_json: v.optional(seo, null),
  /** The terms for the numbers in `categories` and `tags`. */
  terms: v.optional(those(term), []),
  _embedded: v.fallback(
    v.object({
      author: v.optional(those(author), []),
      'wp:featuredmedia': v.optional(those(media), []),
    }),
    { author: [], 'wp:featuredmedia': [] },
  ),
});
export type RestPost = v.InferOutput<typeof REST_POST>;

/** The site of posts of the REST API. */
export interface RestSite {
  /** As `siteKey` returns it. */
  readonly key: string;
  readonly name: string;
}

export type RenderedPost =
  | { readonly hidden: Hidden }
  | {
      readonly post: ImportedPost;
      /** References of the post that the API does not show. */
      readonly faults: readonly string[];
    };

/**
 * Converts a post that WordPress has rendered, with its plug-ins and shortcodes. Status, date, address and terms follow
 * the rules of an export.
 *
 * @throws PostUnreadable
 */
export function postFromRest(rest: RestPost, site: RestSite, now: Date): RenderedPost {
  const item = itemOf(rest);
  const source = sourceOf(item, site.key);
  const reason = whyHidden(item);
  if (reason !== null) return { hidden: { source, reason } };
  const { author: people, 'wp:featuredmedia': images } = rest._embedded;
  const body = withoutEmpty(
    tidyText(rest.content.rendered).replace(/<!--\s{0,9}(?:more|nextpage)\b[^<>]{0,200}-->/g, ''),
  );
  const { heading, slug, publishedAt } = namesOf(item, titleOfHtml(rest.title.rendered), body);
  const named = (taxonomy: string): string[] =>
    rest.terms.flatMap((one) =>
      one.taxonomy === taxonomy ? textOfHtml(one.name) || tidyLine(one.slug) : [],
    );
  const excerpt = excerptOf(rest);
  const [person] = people;
  const authors = new Map(person === undefined ? [] : [[person.slug, person.name] as const]);
  const [image] = images;
  const post: ImportedPost = {
    source,
    slug,
    language: null,
    title: heading || slug,
    body,
    description: excerpt ?? leadOf(rest.content.rendered),
    cover: image !== undefined && /^https?:\/\/.|^\/[^/]/i.test(image.source_url) ? image.source_url : null,
    metaTitle: metaTitleOf(rest, heading, site.name),
    metaDescription: metaDescriptionOf(rest, excerpt),
    ...taxonomyFrom(named('category'), named('post_tag')),
    ...authorsOf(item, authors),
    status: statusAt(publishedAt, now),
    publishedAt,
    updatedAt: updatedAt(item),
    url: addressOf(item),
    views: null,
  };
  const faults = [
    ...(person === undefined && rest.author !== 0 ? ['author that WordPress does not show'] : []),
    ...(image === undefined && rest.featured_media !== 0
      ? ['featured image that WordPress does not show']
      : []),
  ];
  return { post, faults };
}

/** Converts the post to an item of an export, to share its rules. */
function itemOf(rest: RestPost): Item {
  const fields = {
    ...{
      'wp:post_id': String(rest.id),
      'wp:status': rest.status,
      'wp:post_name': rest.slug,
      link: rest.link,
    },
    'wp:post_password': rest.content.protected ? 'protected' : '',
    ...{ 'wp:post_date': rest.date, 'wp:post_date_gmt': rest.date_gmt },
    ...{ 'wp:post_modified': rest.modified, 'wp:post_modified_gmt': rest.modified_gmt },
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
function excerptOf({ excerpt, content }: RestPost): string | null {
  const text = textOfHtml(excerpt.rendered);
  if (text === '') return null;
  // Themes end it differently: `[…]`, `Continue reading`.
  const words = wordsOf(text.replace(/\s*(?:\[…\]|\[\.\.\.\]|…|\.\.\.).*$/s, ''));
  return wordsOf(textOfHtml(content.rendered)).startsWith(words) ? null : text;
}

function wordsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** The text above `<!--more-->`, or above WordPress's replacement for it. */
function leadOf(html: string): string | null {
  const mark = /<!--\s{0,9}more\b|<span id="more-\d+">/i.exec(html);
  return mark === null ? null : textOfHtml(html.slice(0, mark.index)) || null;
}

/** A title that a plug-in builds only from the post's and the site's titles is ignored. */
function metaTitleOf(
  { yoast_head_json, aioseo_head_json }: RestPost,
  title: string,
  site: string,
): string | null {
  const written = textOfHtml((yoast_head_json ?? aioseo_head_json)?.title ?? '');
  const rest = wordsOf(written.replace(site, ' ').replace(title, ' '));
  return rest === '' || wordsOf(written) === wordsOf(title) ? null : written;
}

function metaDescriptionOf(
  { yoast_head_json, aioseo_head_json }: RestPost,
  excerpt: string | null,
): string | null {
  const written = textOfHtml((yoast_head_json ?? aioseo_head_json)?.description ?? '');
  return written === '' || written === excerpt ? null : written;
}
