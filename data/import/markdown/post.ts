import { posix } from 'node:path';
import { parseAddress, type Address } from '../address.ts';
import { parseDate } from '../../content/date.ts';
import { localOffsetIn } from '../../content/moment.ts';
import { PostUnreadable } from '../../content/errors.ts';
import { NotAPost } from '../errors.ts';
import type { ImportedPost } from '../post.ts';
import { tidySlug } from '../slug.ts';
import { firstHeading, tidyLine } from '../../content/text.ts';
import { authorOf } from './author.ts';
import { coverOf } from './cover.ts';
import { textField } from './fields.ts';
import type { Inheritance } from './inherited.ts';
import { splitPage, type FrontMatter, type Page } from './front-matter.ts';
import { whyNoPost } from './page.ts';
import { bundlePath, pagePath, sitePath } from './paths.ts';
import { servedAt } from './permalink/site-path.ts';
import { dateOfFolders, type Place } from './place.ts';
import { plainText, plainTitle, renderMarkdown } from '../../content/markdown.ts';
import type { Site } from './site.ts';
import { isDraft, isNoDate, statusOf } from './status.ts';
import { taxonomyOf } from './taxonomy.ts';
import { expandTemplates } from './template.ts';
import type { Surroundings } from './tag.ts';

/** What all posts of one import have in common. */
export interface Blog {
  readonly site: Site;
  /** Every file of the folder. */
  readonly paths: ReadonlySet<string>;
  /** The names of the folders above the imported one. */
  readonly above: readonly string[];
  /** The folder that holds the shallowest `_posts`: Jekyll's site. */
  readonly jekyllRoot: string | null;
  readonly inheritance: Inheritance;
  readonly now: Date;
}

/**
 * One file's text (as `tidyText` gives it) to a post.
 *
 * @throws PostUnreadable with the reason why it is none, or cannot be read as one
 */
export function postFrom(text: string, place: Place, blog: Blog): ImportedPost {
  const written = splitPage(text);
  const page = { ...written, frontMatter: blog.inheritance.of(place.path, written.frontMatter) };
  const noPost = whyNoPost(page, place);
  // Front matter that is missing may be one that went wrong.
  if (noPost !== null) throw new (page.frontMatter === null ? PostUnreadable : NotAPost)(noPost);
  const frontMatter = page.frontMatter ?? {};

  const address = addressOf(frontMatter, page);
  const folders = [...blog.above.slice(-1), ...place.path.split('/').slice(0, -1)];
  const publishedAt = dateOf(page, frontMatter, place, address, folders, blog.site);
  const url = (servedAt(place.path, frontMatter, publishedAt, blog.site) ?? address)?.url ?? null;
  const bundle = bundlePath(place, blog.above, url);
  const surroundings = surroundingsOf(page, blog, bundle);
  const body = bodyOf(page, place, surroundings);
  const line = (field: string | null): string | null =>
    field && (plainText(expandTemplates(field, surroundings)) || null);

  const slug = slugOf(frontMatter, place, address);
  return {
    source: `markdown:${place.path}`,
    slug,
    language: languageOf(frontMatter, place, blog.site),
    title: titleOf(frontMatter, body, slug),
    body,
    description: line(textField(frontMatter, ...DESCRIPTION_FIELDS)) ?? leadOf(page.body, line),
    cover: coverOf(frontMatter, bundle, (name) => blog.paths.has(`${posix.dirname(place.path)}/${name}`)),
    metaTitle: line(
      textField(
        frontMatter,
        'seo_title',
        'meta_title',
        'seo.title',
        'seo.meta_title',
        'meta.title',
        'extra.seo_title',
      ),
    ),
    metaDescription: line(
      textField(
        frontMatter,
        'seo_description',
        'meta_description',
        'seo.description',
        'seo.meta_description',
        'meta.description',
      ),
    ),
    ...taxonomyOf(frontMatter, folderCategories(place, blog.jekyllRoot)),
    author: authorOf(frontMatter, blog.site.authors, blog.site.author),
    status: statusOf(frontMatter, folders, publishedAt, blog.now),
    publishedAt,
    url,
    views: viewsOf(frontMatter),
  };
}

const DATE_FIELDS = [
  'publishDate',
  'pubDate',
  'published_at',
  'published_on',
  'date',
  'published',
  'created',
  'created_at',
];
const DESCRIPTION_FIELDS = [
  'description',
  'excerpt',
  'teaser',
  'summary',
  'subtitle',
  'lead',
  'extra.description',
];

/** `permalink` (Jekyll, 11ty), `url` (Hugo) or `path` (Zola, which always ends it with a slash). */
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

/** From the front matter, else the file's or the bundle's name, else the path on the site. */
function dateOf(
  page: Page,
  frontMatter: FrontMatter,
  place: Place,
  address: Address | null,
  folders: readonly string[],
  { generator, zone }: Site,
): string | null {
  const fields = (keys: readonly string[]): string | undefined =>
    keys
      .map((key) => textField(frontMatter, key))
      .filter((date) => date !== null)
      .find((date) => !isNoDate(date));
  const written =
    // Jekyll knows one field.
    (generator === 'jekyll' ? (fields(['date']) ?? place.date) : null) ??
    fields(DATE_FIELDS) ??
    place.date ??
    dateOfFolders(address?.url.split('/') ?? []);
  if (written !== null) {
    const isUtc = generator === 'jekyll' && isTimestamp(page.source);
    const date = parseDate(written, localOffsetIn(isUtc ? null : zone));
    if (date === null) throw new PostUnreadable(`has a date that cannot be read: "${tidyLine(written)}"`);
    return date;
  }
  if (isDraft(frontMatter, folders)) return null;
  throw new PostUnreadable('has no date in its front matter, its name or its path');
}

/** To Jekyll's parser of YAML, a time of the day without quotes and without a zone is in UTC, not in the site's. */
function isTimestamp(source: string): boolean {
  return /^date:[ \t]+\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d/m.test(source);
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
  const language = place.language ?? textField(frontMatter, 'lang', 'language')?.toLowerCase() ?? null;
  return language === site.language ? null : language;
}

/** The front matter's title, else the first heading's, else what the slug says. */
function titleOf(frontMatter: FrontMatter, body: string, slug: string): string {
  const heading = firstHeading(body);
  const words = slug.replace(/[-_]+/g, ' ').trim();
  return (
    plainTitle(textField(frontMatter, 'title') ?? '') ||
    plainTitle(heading) ||
    words.charAt(0).toUpperCase() + words.slice(1) ||
    slug
  );
}

/**
 * The text above `<!--more-->`: the author has marked it as what stands for the post in a list, which
 * is what a description is for. Without the mark nothing is made up.
 */
function leadOf(body: string, line: (field: string | null) => string | null): string | null {
  const mark = /<!--\s*more\s*-->/i.exec(body);
  return mark === null ? null : line(body.slice(0, mark.index));
}

function surroundingsOf(page: Page, { site }: Blog, bundle: string | null): Surroundings {
  return {
    liquid:
      page.language === 'yaml' &&
      site.generator !== 'hugo' &&
      site.generator !== 'zola' &&
      !isHugo(page.body),
    frontMatter: page.frontMatter ?? {},
    config: site.config,
    assetPath: (written) => sitePath(written, bundle),
    pagePath: (file) => pagePath(file, site.config),
  };
}

/** Whether the text has a shortcode of Hugo, where no configuration tells which generator it is for. */
function isHugo(body: string): boolean {
  return /\{\{(?:<[^<>{}]+>|%(?!\s*(?:end)?raw)[^{}]+%)\}\}/.test(body);
}

function bodyOf(page: Page, place: Place, surroundings: Surroundings): string {
  const source = expandTemplates(page.body, surroundings);
  if (/^html?$/.test(place.extension)) return source.trim();
  return renderMarkdown(source, { kramdown: surroundings.liquid, linkTo: surroundings.assetPath }).trim();
}

/** Jekyll takes the folders above `_posts` for categories. */
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
