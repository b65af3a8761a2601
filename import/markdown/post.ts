import { posix } from 'node:path';
import { parseAddress, type Address } from '../article/address.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { NotAPost } from '../errors.ts';
import { type ImportedPost, isPublished } from '../imported-item.ts';
import { tidySlug } from '../../common/content/slug.ts';
import { withEmoji } from '../../common/content/emoji.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { firstHeading } from '../../common/content/text.ts';
import { aliasesOf } from './aliases.ts';
import { authorOf } from './author.ts';
import { coverOf } from './cover.ts';
import { field, flagField, textField } from './fields.ts';
import type { WhyIgnored } from './ignored.ts';
import type { Inheritance } from './inherited.ts';
import { withCallouts } from './callouts.ts';
import { withoutMdx } from './mdx.ts';
import { dialectOf } from './dialect.ts';
import { keptHtml } from './kept-html.ts';
import { asCommonMark } from './kramdown.ts';
import type { RenderLiquid } from './liquid/render.ts';
import { liquidPage } from './liquid/site.ts';
import { isTable, splitPage, type FrontMatter, type Page } from './front-matter.ts';
import { whyNoPost } from './page.ts';
import { bundlePath, pagePath, sitePath } from './paths.ts';
import { hugoFile } from './permalink/hugo.ts';
import { onSite, servedAt } from './permalink/site-path.ts';
import type { Place } from './place.ts';
import { dateIn } from './post-date.ts';
import { plainLine, plainText, plainTitle, renderMarkdown } from '../../common/content/markdown.ts';
import type { Site } from './site.ts';
import type { Shortcodes } from './shortcodes.ts';
import { expiryOf, isDraft, statusOf } from './status.ts';
import { ownTaxonomies, seriesOf, taxonomyOf } from './taxonomy.ts';
import { expandTemplates } from './template.ts';
import type { Surroundings } from './tag.ts';

/** Shared by all posts of one import. */
export interface Blog {
  readonly site: Site;
  readonly whyIgnored: WhyIgnored;
  /** Every file of the folder. */
  readonly paths: ReadonlySet<string>;
  /** The names of the folders above the imported one. */
  readonly above: readonly string[];
  /** The folder that contains the shallowest `_posts`: the root of the Jekyll site. */
  readonly jekyllRoot: string | null;
  readonly inheritance: Inheritance;
  /** Hugo's and Zola's shortcode templates; null for other generators. */
  readonly shortcodes: Shortcodes | null;
  /** Runs the templates of a Jekyll site; null for others. */
  readonly liquid: RenderLiquid | null;
  readonly now: Date;
}

/** Converts one file's text (from `tidyText`) to a post. @throws PostUnreadable with the reason */
export function postFrom(
  text: string,
  place: Place,
  blog: Blog,
  lose: (what: string, detail?: string) => void = () => undefined,
  alias: (path: string) => void = () => undefined,
): ImportedPost {
  const written = splitPage(text);
  const page = { ...written, frontMatter: blog.inheritance.of(place.path, written.frontMatter) };
  const noPost = whyNoPost(page, place);
  // Missing front matter may be broken front matter.
  if (noPost !== null) throw new (page.frontMatter === null ? PostUnreadable : NotAPost)(noPost);
  const frontMatter = page.frontMatter ?? {};

  const address = addressOf(frontMatter, page);
  const folders = [...blog.above.slice(-1), ...place.path.split('/').slice(0, -1)];
  const publishedAt = dateOf(page, frontMatter, place, address, folders, blog.site);
  const served = servedAt(place.path, frontMatter, publishedAt, blog.site);
  const url = (served === null ? address : onSite(served, blog.site))?.url ?? null;
  const bundle = bundlePath(place, blog.above, url);
  const surroundings = surroundingsOf(page, blog, bundle, lose);
  const body = bodyOf(page, place, blog, frontMatter, surroundings);
  const shown = (text: string): string => expandTemplates(text, silent(surroundings));
  const line = (field: string | null): string | null => field && (plainLine(shown(field)) || null);

  for (const path of aliasesOf(frontMatter, url)) alias(path);
  for (const name of seriesOf(frontMatter, blog.site)) lose('series', name);
  const slug = slugOf(frontMatter, place, address);
  const { zone } = blog.site;
  const status = statusOf(frontMatter, folders, publishedAt, blog.now, zone);
  return {
    source: `markdown:${place.path}`,
    slug,
    language: languageOf(frontMatter, place, blog.site),
    title: titleOf(frontMatter, body, slug),
    body,
    description: line(textField(frontMatter, ...DESCRIPTION_FIELDS)) ?? leadOf(page.body, shown),
    cover: coverOf(frontMatter, bundle, (name) => blog.paths.has(`${posix.dirname(place.path)}/${name}`)),
    metaTitle: line(textField(frontMatter, ...META_TITLE_FIELDS)),
    metaDescription: line(textField(frontMatter, ...META_DESCRIPTION_FIELDS)),
    ...taxonomyOf(frontMatter, folderCategories(place, blog.jekyllRoot), ownTaxonomies(blog.site)),
    author: authorOf(frontMatter, blog.site.authors, blog.site.author),
    status,
    publishedAt,
    expiresAt: isPublished(status) ? expiryOf(frontMatter, zone) : null,
    url,
    views: viewsOf(frontMatter),
  };
}

export const DESCRIPTION_FIELDS = [
  'description',
  'excerpt',
  'teaser',
  'summary',
  'subtitle',
  'lead',
  'extra.description',
];
export const META_TITLE_FIELDS = [
  'seo_title',
  'meta_title',
  'seo.title',
  'seo.meta_title',
  'meta.title',
  'extra.seo_title',
];
export const META_DESCRIPTION_FIELDS = [
  'seo_description',
  'meta_description',
  'seo.description',
  'seo.meta_description',
  'meta.description',
];

/** `permalink` (Jekyll, 11ty), `url` (Hugo) or `path` (Zola, which always adds a trailing slash). */
function addressOf(frontMatter: FrontMatter, page: Page): Address | null {
  for (const key of ['permalink', 'url', 'path']) {
    const address = parseAddress(textField(frontMatter, key) ?? '');
    if (address === null || address.slug === '') continue;
    return key === 'path' && page.language === 'toml'
      ? { ...address, url: address.url.replace(/\/?$/, '/') }
      : address;
  }
  return null;
}

function dateOf(
  page: Page,
  frontMatter: FrontMatter,
  place: Place,
  address: Address | null,
  folders: readonly string[],
  site: Site,
): string | null {
  const date = dateIn(page.source, frontMatter, place, address, site);
  if (date !== null || isDraft(frontMatter, folders)) return date;
  throw new PostUnreadable('has no date in its front matter, its name or its path');
}

function slugOf(frontMatter: FrontMatter, place: Place, address: Address | null): string {
  const explicit = tidySlug(
    (textField(frontMatter, 'slug', 'basename') ?? '').replace(/\/+$/, '').replace(/^.*\//s, ''),
  );
  const slug = explicit || address?.slug || tidySlug(place.name);
  if (slug === '') throw new PostUnreadable('has a file name that gives no slug; set one with "slug:"');
  return slug;
}

function languageOf(frontMatter: FrontMatter, place: Place, site: Site): string | null {
  const ofFolder =
    site.generator === 'hugo' && isTable(field(site.config, 'languages')) && place.path.startsWith(site.root)
      ? hugoFile(place.path.slice(site.root.length), site.config)?.language
      : undefined;
  const language =
    ofFolder ?? place.language ?? textField(frontMatter, 'lang', 'language')?.toLowerCase() ?? null;
  return language === site.language ? null : language;
}

/** The title in front matter, or the first heading, or the slug as words. */
function titleOf(frontMatter: FrontMatter, body: string, slug: string): string {
  const heading = firstHeading(body);
  const words = slug.replace(/[-_]+/g, ' ').trim();
  return (
    plainTitle(textField(frontMatter, 'title') ?? '') ||
    textOfHtml(heading) ||
    words.charAt(0).toUpperCase() + words.slice(1) ||
    slug
  );
}

/**
 * The text above `<!--more-->`, which the author has marked as the excerpt for lists; it serves as description. Without
 * the mark there is none.
 */
function leadOf(body: string, shown: (text: string) => string): string | null {
  const mark = /<!--\s*more\s*-->/i.exec(body);
  return mark === null ? null : plainText(shown(body.slice(0, mark.index))) || null;
}

function surroundingsOf(
  page: Page,
  { site, shortcodes }: Blog,
  bundle: string | null,
  lose: (what: string, detail?: string) => void,
): Surroundings {
  const liquid =
    page.language === 'yaml' && site.generator !== 'hugo' && site.generator !== 'zola' && !isHugo(page.body);
  return {
    lose,
    shortcodes,
    depth: 0,
    liquid,
    dialect: dialectOf(site, liquid),
    keep: null,
    frontMatter: page.frontMatter ?? {},
    config: site.config,
    assetPath: (written) => sitePath(written, bundle),
    pagePath: (file) => pagePath(file, site.config),
  };
}

/** Losses are reported once, for the whole text. */
function silent(surroundings: Surroundings): Surroundings {
  return { ...surroundings, lose: () => undefined };
}

/** Whether the text has a Hugo shortcode, if no configuration names the generator. */
function isHugo(body: string): boolean {
  return /\{\{(?:<[^<>{}]+>|%(?!\s*(?:end)?raw)[^{}]+%)\}\}/.test(body);
}

function bodyOf(
  page: Page,
  place: Place,
  blog: Blog,
  frontMatter: FrontMatter,
  surroundings: Surroundings,
): string {
  const kept = blog.shortcodes === null ? null : keptHtml(page.body);
  const source = sourceOf(page, place, blog, frontMatter, { ...surroundings, keep: kept?.keep ?? null });
  const html = /^html?$/.test(place.extension) ? source : rendered(source, surroundings);
  return (kept?.restored(html) ?? html).trim();
}

function rendered(source: string, { dialect, config, assetPath, lose }: Surroundings): string {
  return renderMarkdown(dialect.name === 'kramdown' ? asCommonMark(source) : source, {
    dialect,
    breaks: dialect.name === 'kramdown' && flagField(config, 'kramdown.hard_wrap') === true,
    linkTo: assetPath,
    lose,
  });
}

/** The Markdown after templates: run as in Jekyll on Jekyll's sites, otherwise by the look of tags. */
function sourceOf(
  page: Page,
  place: Place,
  { site, liquid }: Blog,
  frontMatter: FrontMatter,
  surroundings: Surroundings,
): string {
  if (liquid === null) {
    const body = emojified(page.body, site);
    if (place.extension === 'mdx') return withCallouts(withoutMdx(body, surroundings.lose));
    const markdown = expandTemplates(body, surroundings);
    return site.generator === null ? withCallouts(markdown) : markdown;
  }
  if (flagField(frontMatter, 'render_with_liquid') === false) return page.body;
  const rendered = liquid(page.body, liquidPage(place.path, page.source, frontMatter, site), surroundings);
  if ('text' in rendered) return rendered.text;
  surroundings.lose('text with Liquid that cannot be run', rendered.fault);
  return expandTemplates(page.body, silent(surroundings));
}

function emojified(body: string, { generator, config }: Site): string {
  return generator === 'hugo' && flagField(config, 'enableEmoji') === true ? withEmoji(body) : body;
}

/** Jekyll uses the folders above `_posts` as categories. */
function folderCategories(place: Place, jekyllRoot: string | null): string[] {
  const posts = place.folders.indexOf('_posts');
  if (posts === -1 || jekyllRoot === null) return [];
  const root = jekyllRoot === '' ? 0 : jekyllRoot.split('/').length;
  return place.folders.slice(root, posts);
}

function viewsOf(frontMatter: FrontMatter): number | null {
  const views = Number(textField(frontMatter, 'views') ?? NaN);
  return Number.isSafeInteger(views) && views >= 0 ? views : null;
}
