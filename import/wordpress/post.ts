import { parseAddress } from '../article/address.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { NotAPost } from '../errors.ts';
import type { ImportedPost } from '../imported-item.ts';
import { decodePercent, tidySlug } from '../../common/content/slug.ts';
import { taxonomyFrom } from '../article/taxonomy.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { tidyLine } from '../../common/content/text.ts';
import { titleOfHtml, titleOfText } from '../article/title.ts';
import { authorsOf } from './author.ts';
import { bodyOf, leadOf, plainText, type Surroundings } from './body.ts';
import { dateOf, updatedAt } from './dates.ts';
import { metaOf, textOf, type Item } from './item.ts';
import { languageChooser } from './language.ts';
import type { Library } from './library.ts';
import { metaDescriptionOf, metaTitleOf } from './seo.ts';
import { sourceOf } from './source.ts';
import { isPublic, statusOf, whyNoPost } from './status.ts';
import type { Site } from './survey.ts';

/** Shared by all posts of one site. */
export interface Blog {
  readonly site: Site;
  readonly library: Library;
  readonly now: Date;
}

/**
 * Converts an item of the type `post`.
 *
 * @param reportLoss is called with the kind of each part of the text that differs from WordPress
 * @throws PostUnreadable with the reason
 */
export function postFrom(item: Item, blog: Blog, reportLoss: (what: string) => void): ImportedPost {
  const { site, now } = blog;
  const noPost = whyNoPost(item);
  if (noPost !== null) throw new NotAPost(noPost);
  if (item.isTooLarge) throw new PostUnreadable('is larger than any post');

  const written = item.fields.get('content:encoded') ?? '';
  const inLanguage = languageChooser([textOf(item, 'title'), written], site.language);
  const content = inLanguage(written);
  const surroundings = surroundingsOf(item, blog, reportLoss);
  const body = bodyOf(content, surroundings);
  const { heading, slug, publishedAt } = namesOf(item, titleOfHtml(inLanguage(textOf(item, 'title'))), body);
  const excerpt = plainText(inLanguage(textOf(item, 'excerpt:encoded')), surroundings);
  const known = { title: heading, site: site.name, excerpt: excerpt ?? '' };
  return {
    source: sourceOf(item, site),
    slug,
    language: languageOf(item, site),
    title: heading || slug,
    body,
    description: excerpt ?? leadOf(content, surroundings),
    cover: coverOf(item, blog),
    metaTitle: metaTitleOf(item, known),
    metaDescription: metaDescriptionOf(item, known),
    ...taxonomyFrom(
      termNames(item, inLanguage, 'category'),
      termNames(item, inLanguage, 'post_tag', 'tag'), // `tag` in exports of WordPress 2
    ),
    ...authorsOf(item, site, inLanguage),
    status: statusOf(item, publishedAt, now),
    publishedAt,
    updatedAt: updatedAt(item),
    url: addressOf(item),
    views: viewsOf(item),
  };
}

/**
 * What every post has.
 *
 * @param title may be empty
 * @param body HTML
 * @returns its heading, which is its title or the beginning of its text; its slug, and its date
 * @throws PostUnreadable if it has none
 */
export function namesOf(
  item: Item,
  title: string,
  body: string,
): { readonly heading: string; readonly slug: string; readonly publishedAt: string | null } {
  if (title === '' && body === '') throw new PostUnreadable('has neither a title nor a text');
  const publishedAt = dateOf(item);
  if (publishedAt === null && isPublic(item)) throw new PostUnreadable('has no date that can be read');
  const heading = title || titleOfText(body);
  const slug = slugOf(item, title) || termSlug(heading);
  if (slug === '') throw new PostUnreadable('has no name, title or text that gives a slug');
  return { heading, slug, publishedAt };
}

/** The name in its address; a draft gets one from its title. May be empty. */
function slugOf(item: Item, title: string): string {
  const name = tidySlug(decodePercent(textOf(item, 'wp:post_name')).replace(/\.(?:html?|php)$/i, ''));
  return name || addressSlug(item) || termSlug(title) || textOf(item, 'wp:post_id');
}

function addressSlug(item: Item): string | null {
  const address = addressOf(item);
  return address === null ? null : (parseAddress(address)?.slug ?? null);
}

/** Its page on the site; null for `?p=17`, which unpublished posts have. */
export function addressOf(item: Item): string | null {
  const link = textOf(item, 'link');
  if (!isPublic(item) || /[?&](?:p|page_id|post_type|preview)=/.test(link)) return null;
  const address = parseAddress(link);
  return address === null || address.slug === '' ? null : address.url;
}

/** Polylang's language of the post; null for the site's own. */
function languageOf(item: Item, site: Site): string | null {
  const language = item.terms.find(({ domain }) => domain === 'language')?.nicename.toLowerCase() ?? '';
  return language === '' || language === site.language ? null : language;
}

function termNames(
  item: Item,
  inLanguage: (text: string) => string,
  ...domains: readonly string[]
): string[] {
  return item.terms
    .filter(({ domain }) => domains.includes(domain))
    .map(({ name, nicename }) => textOfHtml(inLanguage(name)) || tidyLine(decodePercent(nicename)));
}

function coverOf(item: Item, { library, site }: Blog): string | null {
  const attachment = library.attachment(site.key, metaOf(item, '_thumbnail_id') ?? '');
  const url = attachment?.url ?? metaOf(item, 'fifu_image_url') ?? '';
  return /^https?:\/\/.|^\/[^/]/i.test(url) ? url : null;
}

/** The counters of WP-PostViews and of popular code snippets. */
function viewsOf(item: Item): number | null {
  const written = metaOf(item, 'views', 'post_views_count', 'wpb_post_views_count');
  const views = Number(written ?? NaN);
  return Number.isSafeInteger(views) && views >= 0 ? views : null;
}

function surroundingsOf(
  item: Item,
  { library, site }: Blog,
  reportLoss: (what: string) => void,
): Surroundings {
  return {
    reportLoss,
    attachment: (id) => library.attachment(site.key, id),
    images: () => library.imagesOf(site.key, textOf(item, 'wp:post_id')),
    pattern: (id) => library.pattern(site.key, id),
    footnotes: metaOf(item, 'footnotes'),
  };
}
