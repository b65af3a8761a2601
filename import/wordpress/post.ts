import { PostUnreadable } from '../../common/content/errors.ts';
import { htmlToText } from '../../common/content/html-text.ts';
import { decodePercent, tidySlug } from '../../common/content/slug.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { tidyLine } from '../../common/content/text.ts';
import { parseAddress, pictureAt } from '../article/address.ts';
import { htmlTitle, slugTitle, textAboveMore, textTitle, viewsIn } from '../article/fields.ts';
import type { ReportLoss } from '../article/outcome.ts';
import { buildByline, toPerson } from '../article/people.ts';
import { taxonomyFrom } from '../article/taxonomy.ts';
import type { ReadPost } from '../imported-item.ts';
import { postValue } from './bindings.ts';
import { excerptText, renderBody, type Surroundings } from './body.ts';
import { findMeta, getDate, getText, identifyItem, type Item, updatedAt } from './item.ts';
import type { Site } from './survey.ts';

/** Converts an item of the type `post`. @throws PostUnreadable with the reason */
export function postFrom(item: Item, site: Site, reportLoss: ReportLoss): ReadPost {
  if (item.isTooLarge) throw new PostUnreadable('is larger than the limit for posts');
  const content = item.fields.get('content:encoded') ?? '';
  const excerpt = getText(item, 'excerpt:encoded');
  if ([getText(item, 'title'), content, excerpt, ...item.terms.map(({ name }) => name)].some(isMultilingual))
    throw new PostUnreadable('has several languages in one text, as qTranslate writes it');
  const surroundings = toSurroundings(item, site, reportLoss);
  const body = renderBody(content, surroundings);
  const thumbnail = site.attachments.get(findMeta(item, '_thumbnail_id') ?? '');
  return {
    ...commonFields(item, site.key, htmlTitle(getText(item, 'title')), body, site.authors),
    language: findLanguage(item, site),
    description: excerptText(excerpt || (textAboveMore(content) ?? ''), surroundings),
    cover: pictureAt(thumbnail?.url ?? findMeta(item, 'fifu_image_url')),
    metaTitle: seoText(item, SEO_TITLES, reportLoss),
    metaDescription: seoText(item, SEO_DESCRIPTIONS, reportLoss),
    // The counters of WP-PostViews and of popular code snippets.
    views: viewsIn(findMeta(item, 'views', 'post_views_count', 'wpb_post_views_count')),
  };
}

/**
 * What a post has in an export and in the API.
 *
 * @param key of its site, as `toSiteKey` returns it
 * @param title may be empty: then it is the beginning of the text
 * @param body HTML
 * @param names of people, by login
 * @throws PostUnreadable
 */
export function commonFields(
  item: Item,
  key: string,
  title: string,
  body: string,
  names: ReadonlyMap<string, string>,
): Omit<ReadPost, 'language' | 'description' | 'cover' | 'metaTitle' | 'metaDescription' | 'views'> {
  const publishedAt = getDate(item);
  const heading = title || textTitle(body);
  const slug = chooseSlug(item, title) || termSlug(heading) || publishedAt.slice(0, 10);
  return {
    source: identifyItem(item, key),
    slug,
    title: heading || slugTitle(slug),
    body,
    ...taxonomyFrom(
      termNames(item, 'category'),
      termNames(item, 'post_tag', 'tag'), // `tag` in exports of WordPress 2
    ),
    ...listAuthors(item, names),
    publishedAt,
    updatedAt: updatedAt(item),
    url: findAddress(item),
  };
}

/** The name in its address, or one from its title. May be empty. */
function chooseSlug(item: Item, title: string): string {
  const name = tidySlug(decodePercent(getText(item, 'wp:post_name')).replace(/\.(?:html?|php)$/i, ''));
  return name || addressSlug(item) || termSlug(title) || getText(item, 'wp:post_id');
}

function addressSlug(item: Item): string | null {
  const address = findAddress(item);
  return address === null ? null : (parseAddress(address)?.slug ?? null);
}

/** Its page on the site; null for `?p=17`, which scheduled posts have. */
function findAddress(item: Item): string | null {
  const link = getText(item, 'link');
  if (/[?&](?:p|page_id|post_type|preview)=/.test(link)) return null;
  const address = parseAddress(link);
  return address === null || address.slug === '' ? null : address.url;
}

/** Polylang's language of the post; null for the site's own. */
function findLanguage(item: Item, site: Site): string | null {
  const language = item.terms.find(({ domain }) => domain === 'language')?.nicename.toLowerCase() ?? '';
  return language === '' || language === site.language ? null : language;
}

function termNames(item: Item, ...domains: readonly string[]): string[] {
  return item.terms
    .filter(({ domain }) => domains.includes(domain))
    .map(({ name, nicename }) => htmlToText(name) || tidyLine(decodePercent(nicename)));
}

/**
 * The post's authors. The plug-in Co-Authors Plus stores authors as terms; otherwise it is the
 * post's creator. Logins that are e-mail addresses are not public.
 *
 * @param names display names by login
 */
function listAuthors(item: Item, names: ReadonlyMap<string, string>): ReturnType<typeof buildByline> {
  const terms = item.terms.filter(({ domain, name }) => domain === 'author' && name.trim() !== '');
  if (terms.length > 0) {
    return buildByline(
      terms.map((term) => {
        const nicename = term.nicename.replace(/^cap-/, '');
        const login = [...names.keys()].find((known) => termSlug(known) === termSlug(nicename));
        return authorFrom(login ?? nicename, names.get(login ?? '') || term.name);
      }),
    );
  }
  const creator = tidyLine(getText(item, 'dc:creator'));
  return buildByline(creator === '' ? [] : [authorFrom(creator, names.get(creator) || creator)]);
}

/** Like WordPress for the author's own page. */
function authorFrom(login: string, shown: string): ReturnType<typeof toPerson> {
  return toPerson(shown, login.includes('@') ? '' : termSlug(login));
}

/** Marks of qTranslate: `[:en]` or `<!--:en-->` begins a language. In brackets alone, they may be code: `params[:id]`. */
function isMultilingual(text: string): boolean {
  return /^\s*(?:\[:[a-z]{2}\]|\{:[a-z]{2}\})|<!--:[a-z]{2}-->/.test(text);
}

/** Fields of SEO plug-ins: Yoast, Rank Math, All in One SEO, SEOPress, Jetpack. */
const SEO_TITLES = [
  '_yoast_wpseo_title',
  'rank_math_title',
  '_aioseo_title',
  '_aioseop_title',
  '_seopress_titles_title',
  'jetpack_seo_html_title',
];
const SEO_DESCRIPTIONS = [
  '_yoast_wpseo_metadesc',
  'rank_math_description',
  '_aioseo_description',
  '_aioseop_description',
  '_seopress_titles_desc',
  'advanced_seo_description',
];

/** `%%title%%` (Yoast), `%title%` (Rank Math), `#post_title` (All in One SEO). */
const VARIABLE =
  /%%[\w-]+%%|%[a-z][a-z_]+(?:\([^()%]*\))?%|#(?:(?:post|site|author|taxonomy|current|custom_field)[_-]\w+|separator_sa|tagline)\b/;

/** A text for search engines. Only WordPress can fill in variables, so one with them counts as none. */
function seoText(item: Item, fields: readonly string[], reportLoss: ReportLoss): string | null {
  const written = findMeta(item, ...fields);
  // A longer text is not meant for search engines.
  if (written === null || written.length > 20_000) return null;
  if (!VARIABLE.test(written)) return htmlToText(written) || null;
  reportLoss('SEO text with variables');
  return null;
}

function toSurroundings(item: Item, site: Site, reportLoss: ReportLoss): Surroundings {
  const { attachments, attachmentsByPost, patterns } = site;
  return {
    reportLoss,
    attachment: (id) => attachments.get(id) ?? null,
    images: () =>
      (attachmentsByPost.get(getText(item, 'wp:post_id')) ?? [])
        .toSorted((a, b) => Number(a) - Number(b))
        .flatMap((id) => attachments.get(id) ?? [])
        .filter(({ url }) => /\.(?:jpe?g|png|gif|webp|avif|svg)$/i.test(url)),
    pattern: (id) => patterns.get(id) ?? null,
    postValue: (source, args) => postValue(item, source, args),
    footnotes: findMeta(item, 'footnotes'),
  };
}
