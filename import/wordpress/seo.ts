import { textOfHtml } from '../../common/content/html-text.ts';
import { metaOf, type Item } from './item.ts';

/** Fields of SEO plug-ins: Yoast, Rank Math, All in One SEO, SEOPress, Jetpack. */
const TITLES = [
  '_yoast_wpseo_title',
  'rank_math_title',
  '_aioseo_title',
  '_aioseop_title',
  '_seopress_titles_title',
  'jetpack_seo_html_title',
];
const DESCRIPTIONS = [
  '_yoast_wpseo_metadesc',
  'rank_math_description',
  '_aioseo_description',
  '_aioseop_description',
  '_seopress_titles_desc',
  'advanced_seo_description',
];

/** The values of variables in these texts. */
export interface Known {
  readonly title: string;
  readonly site: string;
  readonly excerpt: string;
}

export function metaTitleOf(item: Item, known: Known): string | null {
  return seoText(metaOf(item, ...TITLES), known);
}

export function metaDescriptionOf(item: Item, known: Known): string | null {
  return seoText(metaOf(item, ...DESCRIPTIONS), known);
}

/** `%%title%%` (Yoast), `%title%` (Rank Math), `#post_title` (All in One SEO). */
const VARIABLE =
  /%%[\w-]+%%|%[a-z][a-z_]+(?:\([^()%]*\))?%|#(?:(?:post|site|author|taxonomy|current|custom_field)[_-]\w+|separator_sa|tagline)\b/g;
const LONE_SEPARATORS = /^[\s\-–—|·•»:~*,]+|[\s\-–—|·•»:~*,]+$/g;

/**
 * Replaces a text's variables; those that only WordPress knows are removed. Null for a text without words of its own: a
 * pattern that the plug-in fills in adds nothing to the post itself.
 */
function seoText(written: string | null, { title, site, excerpt }: Known): string | null {
  // A longer text is not meant for search engines, and is dropped.
  if (written === null || written.length > 20_000) return null;
  const own = textOfHtml(written.replace(VARIABLE, ' '));
  if (!/[\p{L}\p{N}]/u.test(own)) return null;
  const text = written.replace(VARIABLE, (variable) => {
    if (/sep/.test(variable)) return '-';
    if (/site_?(?:name|title)/.test(variable)) return site;
    if (/title/.test(variable)) return title;
    return /excerpt/.test(variable) ? excerpt : '';
  });
  const tidy = textOfHtml(text).replace(/ (?=[.,;:!?](?: |$))/g, '');
  return tidy.replace(LONE_SEPARATORS, '') || null;
}
