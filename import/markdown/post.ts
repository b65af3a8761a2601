import { posix } from 'node:path';
import { postPath } from '../../common/site-paths.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { textOfHtml } from '../../common/content/html-text.ts';
import { type Dialect, plainLine, plainText, renderMarkdown } from '../../common/content/markdown.ts';
import { firstHeading, tidyLine } from '../../common/content/text.ts';
import { parseAddress, type Address } from '../article/address.ts';
import { NotAPost } from '../errors.ts';
import type { ReadOptions } from '../read-options.ts';
import { type ImportedPost, isPublished, type Term } from '../imported-item.ts';
import { decodePercent, tidySlug } from '../../common/content/slug.ts';
import { bundlePath } from './bundle.ts';
import { sitePath } from '../article/site-path.ts';
import { aliasesOf } from '../front-matter/aliases.ts';
import { type AuthorDirectory, authorsOf } from '../front-matter/author.ts';
import { coverOf, unplacedCover } from '../front-matter/cover.ts';
import { descriptionsOf, textField } from '../front-matter/fields.ts';
import { type FrontMatter, type Page, splitPage } from '../front-matter/front-matter.ts';
import { withoutTemplates } from './losses.ts';
import { reportShown, withoutCommentsIn, withoutObsidian } from './obsidian.ts';
import { whyNoPost } from './page.ts';
import type { Place } from './place.ts';
import { dateIn } from './post-date.ts';
import type { Vaults } from '../sources/vaults.ts';
import { expiryOf, isDraft, statusOf } from '../front-matter/status.ts';
import { updatedOf } from '../front-matter/updated.ts';
import { taxonomyOf } from '../front-matter/taxonomy.ts';

/** Shared by all posts of one import. */
export interface Blog {
  /** Every file of the folder. */
  readonly paths: ReadonlySet<string>;
  /** The names of the folders above the imported one. */
  readonly above: readonly string[];
  readonly authors: AuthorDirectory;
  /** Whether the page of a folder above says that everything in it is a draft. */
  readonly isInDraft: (path: string) => boolean;
  readonly vaults: Vaults;
  /** The address on the site of the post in a file; null if it is no readable post, or a draft. */
  readonly addressAt: (path: string) => string | null;
  readonly now: Date;
}

/**
 * Converts one file's text (from `tidyText`) to a post.
 *
 * @param reportLoss is called for each loss
 * @param alias is called for each earlier path of the post
 * @throws PostUnreadable with the reason
 */
export function postFrom(
  text: string,
  place: Place,
  blog: Blog,
  reportLoss: (what: string, detail?: string) => void,
  alias: (path: string) => void,
): ImportedPost {
  const { frontMatter: own, body: source, repeated } = partsOf(text, place, blog.vaults);
  if (repeated !== null) reportLoss(`key "${repeated}" twice in front matter`);
  const frontMatter = blog.isInDraft(place.path) ? { ...own, private: true } : own;
  const address = addressOf(frontMatter);
  const url = address?.url ?? null;
  const folders = [...blog.above.slice(-1), ...place.path.split('/').slice(0, -1)];
  const publishedAt = dateIn(frontMatter, place, address);
  if (publishedAt === null && !isDraft(frontMatter, folders))
    throw new PostUnreadable('has no date in its front matter, its name or its path');
  const bundle = bundlePath(place, blog.above, url);
  const dialect = dialectOf(place);
  const isNote = dialect !== null && blog.vaults.hasNote(place.path);
  const note = isNote ? { ...blog, path: place.path, dialect } : null;
  const written = note === null ? source : withoutObsidian(source, note, reportLoss);
  const body = bodyOf(written, place, blog, bundle, reportLoss);
  const shown = (part: string): string => withoutTemplates(part, 'github', () => undefined);
  const { description, ...meta } = descriptionsOf(frontMatter, (field) => plainLine(shown(field)));
  if (note === null && dialect !== null) {
    const { metaTitle, metaDescription } = meta;
    const texts = [textField(frontMatter, 'title'), description, metaTitle, metaDescription, body];
    reportShown(texts.join('\n\n'), reportLoss);
  }

  const { category, tags } = taxonomyOf(frontMatter);
  const isName = ({ name }: Term): boolean => withoutTemplates(name, 'github', reportLoss) === name;

  for (const path of aliasesOf(frontMatter, url)) alias(path);
  const slug = slugOf(frontMatter, place, address);
  const status = statusOf(frontMatter, folders, publishedAt, blog.now);
  const cover = coverOf(frontMatter, bundle, (name) =>
    blog.paths.has(`${posix.dirname(place.path)}/${name}`),
  );
  const unplaced = unplacedCover(frontMatter, cover);
  if (unplaced !== null) reportLoss('cover', tidyLine(unplaced));
  return {
    source: `markdown:${place.path}`,
    slug,
    language: place.language ?? textField(frontMatter, 'lang', 'language')?.toLowerCase() ?? null,
    title: titleOf(frontMatter, body, slug),
    body,
    description: description ?? leadOf(written, shown),
    cover,
    ...meta,
    category: category !== null && isName(category) ? category : null,
    tags: tags.filter(isName),
    ...authorsOf(frontMatter, blog.authors),
    status,
    publishedAt,
    expiresAt: isPublished(status) ? expiryOf(frontMatter) : null,
    updatedAt: updatedOf(frontMatter, (date) => reportLoss('date of the last change', tidyLine(date))),
    url,
    views: viewsOf(frontMatter),
  };
}

/**
 * The address of the post in a file, for links to it: its own, or by the site's address and pattern. Null for a draft.
 *
 * @param text from `tidyText`
 * @throws PostUnreadable if it is no readable post
 */
export function postAddress(
  text: string,
  place: Place,
  vaults: Vaults,
  { site, postPath: pattern = '/posts/{slug}' }: Pick<ReadOptions, 'site' | 'postPath'>,
): string | null {
  const { frontMatter } = partsOf(text, place, vaults);
  const address = addressOf(frontMatter);
  const publishedAt = dateIn(frontMatter, place, address);
  if (publishedAt === null || isDraft(frontMatter, place.path.split('/').slice(0, -1))) return null;
  if (address !== null) return address.url;
  const path = postPath(pattern, {
    slug: slugOf(frontMatter, place, address),
    publishedAt,
    category: taxonomyOf(frontMatter).category?.slug ?? null,
  });
  return (site ?? '').replace(/\/+$/, '') + path;
}

/** @throws PostUnreadable, NotAPost */
function partsOf(text: string, place: Place, vaults: Vaults): Page & { readonly frontMatter: FrontMatter } {
  const page = splitPage(text);
  const noPost = whyNoPost(page, place);
  // Missing front matter may be broken front matter.
  if (noPost !== null) throw new (page.frontMatter === null ? PostUnreadable : NotAPost)(noPost);
  const frontMatter = page.frontMatter ?? {};
  const isNote = dialectOf(place) !== null && vaults.hasNote(place.path);
  return { ...page, frontMatter: isNote ? withoutCommentsIn(frontMatter) : frontMatter };
}

/** Null for HTML. */
function dialectOf({ extension }: Place): Dialect | null {
  if (/^html?$/.test(extension)) return null;
  return extension === 'mdx' ? 'mdx' : 'github';
}

/** `permalink` (Jekyll, 11ty), `url` (Hugo) or `path` (Zola), if it names one page. */
function addressOf(frontMatter: FrontMatter): Address | null {
  for (const key of ['permalink', 'url', 'path']) {
    const address = parseAddress(textField(frontMatter, key) ?? '');
    if (address !== null && address.slug !== '') return address;
  }
  return null;
}

function slugOf(frontMatter: FrontMatter, place: Place, address: Address | null): string {
  const explicit = tidySlug(
    (textField(frontMatter, 'slug', 'basename') ?? '').replace(/\/+$/, '').replace(/^.*\//s, ''),
  );
  const slug = explicit || address?.slug || tidySlug(place.name);
  if (slug === '') throw new PostUnreadable('has a file name that gives no slug; set one with "slug:"');
  return slug;
}

/** The title in front matter, which is text; or the first heading, or the slug as words. */
function titleOf(frontMatter: FrontMatter, body: string, slug: string): string {
  const heading = firstHeading(body);
  const words = slug.replace(/[-_]+/g, ' ').trim();
  return (
    tidyLine(textField(frontMatter, 'title') ?? '') ||
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

function bodyOf(
  written: string,
  place: Place,
  blog: Blog,
  bundle: string | null,
  reportLoss: (what: string, detail?: string) => void,
): string {
  const dialect = dialectOf(place);
  const shown = withoutTemplates(written, dialect, reportLoss);
  if (dialect === null) return shown.trim();
  const linkTo = (link: string): string => linkedPost(link, place, blog) ?? sitePath(link, bundle);
  return renderMarkdown(shown, { dialect, linkTo }).trim();
}

/** The address of the post whose file a link names, as on GitHub: `../2024/hello.md#top`; null for other links. */
function linkedPost(link: string, place: Place, { addressAt }: Blog): string | null {
  const [, file, rest = ''] =
    /^(?![a-z][a-z\d+.-]*:|[/#?])([^#?]+\.(?:md|mdx|markdown))([#?].*)?$/is.exec(link) ?? [];
  const address =
    file === undefined ? null : addressAt(posix.join(posix.dirname(place.path), decodePercent(file)));
  return address === null ? null : address + rest;
}

function viewsOf(frontMatter: FrontMatter): number | null {
  const views = Number(textField(frontMatter, 'views') ?? NaN);
  return Number.isSafeInteger(views) && views >= 0 ? views : null;
}
