import { posix } from 'node:path';
import { hasExpired } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { htmlToText } from '../../common/content/html-text.ts';
import { plainLine, renderMarkdown } from '../../common/content/markdown.ts';
import { tidySlug } from '../../common/content/slug.ts';
import { tidyLine } from '../../common/content/text.ts';
import { postPath } from '../../common/site-paths.ts';
import { type Address, parseAddress, sitePath, slugAt } from '../article/address.ts';
import { dateFrom, textAboveMore, titleOr, viewsIn, withoutTitle } from '../article/fields.ts';
import type { ReportLoss } from '../article/outcome.ts';
import { type AuthorDirectory, findAuthors } from '../front-matter/author.ts';
import { findCover, findUnplacedCover } from '../front-matter/cover.ts';
import { dateField, readExpiry, readUpdated } from '../front-matter/dates.ts';
import { field, formatValue, readDescriptions, textField } from '../front-matter/fields.ts';
import { type FrontMatter, type Page, splitPage } from '../front-matter/front-matter.ts';
import { hiddenReason } from '../front-matter/status.ts';
import { readTaxonomy } from '../front-matter/taxonomy.ts';
import type { Hidden, ReadPost, Term } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import type { Vaults } from '../sources/vaults.ts';
import { withoutTemplates } from './losses.ts';
import { fileLinked, noteFields, reportShown, withoutObsidian } from './obsidian.ts';
import { bundlePath, folderDate, folderNames, type Place } from './place.ts';

/** Shared by all posts of one import. */
export interface Blog {
  /** Every file of the folder. */
  readonly paths: ReadonlySet<string>;
  /** The names of the folders above the imported one. */
  readonly above: readonly string[];
  readonly authors: AuthorDirectory;
  readonly vaults: Vaults;
  /** The address on the site of the post in a file; null if it is no readable post, or a hidden one. */
  readonly addressAt: (path: string) => string | null;
}

/**
 * Converts one file's text (from `tidyText`) to a post, or to the reason why it is hidden.
 *
 * @throws PostUnreadable with the reason
 */
export function postFrom(
  text: string,
  place: Place,
  blog: Blog,
  reportLoss: ReportLoss,
): ReadPost | Hidden['reason'] {
  const { frontMatter, body: source } = parsePage(text, place, blog.vaults);
  const reason = hiddenReason(frontMatter, [...blog.above.slice(-1), ...folderNames(place)]);
  if (reason !== null) return reason;
  const address = findAddress(frontMatter);
  const url = address?.url ?? null;
  const publishedAt = dateIn(frontMatter, place, address);
  const bundle = bundlePath(place, blog.above, url);
  const isMarkdown = !isHtml(place);
  const note = isMarkdown && blog.vaults.hasNote(place.path) ? { ...blog, path: place.path } : null;
  const written = note === null ? source : withoutObsidian(source, note, reportLoss);
  const rendered = renderBody(written, place, blog, bundle, reportLoss);
  // `title: [Announcement]` is a list, and `title: true` a flag.
  const title = formatValue(field(frontMatter, 'title'));
  const shown = (part: string): string => withoutTemplates(part, true, () => undefined);
  const { description, ...meta } = readDescriptions(frontMatter, (written) => plainLine(shown(written)));
  if (note === null && isMarkdown) {
    const { metaTitle, metaDescription } = meta;
    const texts = [title, description, metaTitle, metaDescription, rendered];
    reportShown(texts.join('\n\n'), written, reportLoss);
  }

  const { category, tags } = readTaxonomy(frontMatter);
  const isName = ({ name }: Term): boolean => withoutTemplates(name, true, reportLoss) === name;

  const slug = chooseSlug(frontMatter, place, address);
  const body = withoutTitle(title, rendered);
  const cover = findCover(frontMatter, bundle, (name) =>
    blog.paths.has(`${posix.dirname(place.path)}/${name}`),
  );
  const unplaced = findUnplacedCover(frontMatter, cover);
  if (unplaced !== null) reportLoss('cover', tidyLine(unplaced));
  return {
    source: `markdown:${place.path}`,
    slug,
    language: place.language ?? textField(frontMatter, 'lang', 'language')?.toLowerCase() ?? null,
    title: titleOr(title, rendered, slug),
    body,
    description: description ?? (htmlToText(textAboveMore(body) ?? '') || null),
    cover,
    ...meta,
    category: category !== null && isName(category) ? category : null,
    tags: tags.filter(isName),
    ...findAuthors(frontMatter, blog.authors),
    publishedAt,
    expiresAt: readExpiry(frontMatter),
    updatedAt: readUpdated(frontMatter, (date) => reportLoss('date of the last change', tidyLine(date))),
    url,
    views: viewsIn(textField(frontMatter, 'views')),
  };
}

/**
 * The address of the post in a file, for links to it: its own, or by the site's URL and pattern. Null for a hidden
 * post.
 *
 * @param text from `tidyText`
 * @throws PostUnreadable if it is no readable post
 */
export function sitePageAddress(
  text: string,
  place: Place,
  vaults: Vaults,
  { now, site, postPath: pattern = '/posts/{slug}' }: Pick<ReadOptions, 'now' | 'site' | 'postPath'>,
): string | null {
  const { frontMatter } = parsePage(text, place, vaults);
  const address = findAddress(frontMatter);
  const publishedAt = dateIn(frontMatter, place, address);
  const isHidden = hiddenReason(frontMatter, folderNames(place)) !== null;
  if (isHidden || hasExpired({ expiresAt: readExpiry(frontMatter) }, now)) return null;
  if (address !== null) return address.url;
  const path = postPath(pattern, {
    slug: chooseSlug(frontMatter, place, address),
    publishedAt,
    category: readTaxonomy(frontMatter).category?.slug ?? null,
  });
  return (site ?? '').replace(/\/+$/, '') + path;
}

/** @throws PostUnreadable */
function parsePage(text: string, place: Place, vaults: Vaults): Page & { readonly frontMatter: FrontMatter } {
  const { frontMatter, body } = splitPage(text);
  // Missing front matter may be broken front matter.
  if (frontMatter === null && place.date === null)
    throw new PostUnreadable('has no front matter with a date');
  const fields = frontMatter ?? {};
  const { path } = place;
  const isNote = !isHtml(place) && vaults.hasNote(path);
  return { frontMatter: isNote ? noteFields(fields, { path, vaults }) : fields, body };
}

function isHtml({ extension }: Place): boolean {
  return /^html?$/.test(extension);
}

/** `permalink` (Jekyll), `url` (Hugo) or `path`, if it names one page. */
function findAddress(frontMatter: FrontMatter): Address | null {
  for (const key of ['permalink', 'url', 'path']) {
    const address = parseAddress(textField(frontMatter, key) ?? '');
    if (address !== null && address.slug !== '') return address;
  }
  return null;
}

function chooseSlug(frontMatter: FrontMatter, place: Place, address: Address | null): string {
  const explicit = tidySlug(
    (textField(frontMatter, 'slug', 'basename') ?? '').replace(/\/+$/, '').replace(/^.*\//s, ''),
  );
  const language = place.language ?? textField(frontMatter, 'lang', 'language');
  const slug = explicit || slugAt(address, place.name, language);
  if (slug === '') throw new PostUnreadable('has a file name that gives no slug; set one with "slug:"');
  return slug;
}

const DATE_FIELDS = ['publishDate', 'pubDate', 'date', 'created'];

/**
 * The date of a post: from its front matter, the file's or bundle's name, or the path on the site. Without a time zone it
 * is in UTC.
 *
 * @throws PostUnreadable if there is none, or it is invalid
 */
function dateIn(frontMatter: FrontMatter, place: Place, address: Address | null): string {
  const inPath = place.date ?? folderDate(address?.url.split('/') ?? []);
  const written = dateField(frontMatter, DATE_FIELDS) ?? inPath;
  if (written === null) throw new PostUnreadable('has no date in its front matter, its name or its path');
  return dateFrom([written]);
}

function renderBody(
  written: string,
  place: Place,
  blog: Blog,
  bundle: string | null,
  reportLoss: ReportLoss,
): string {
  const shown = withoutTemplates(written, !isHtml(place), reportLoss);
  if (isHtml(place)) return shown.trim();
  const note = { ...blog, path: place.path };
  return renderMarkdown(shown, (link) => fileLinked(link, note) ?? sitePath(link, bundle)).trim();
}
