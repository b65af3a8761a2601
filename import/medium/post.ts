import { basename } from 'node:path';
import { statusAt } from '../article/status.ts';
import { parseDate } from '../../common/content/date.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import { parseAddress } from '../article/address.ts';
import { NotAPost } from '../errors.ts';
import {
  allNamed,
  attributeOf,
  firstNamed,
  firstOfClass,
  hasClass,
  type HtmlElement,
  parseHtml,
} from '../../common/content/html-tree.ts';
import { plainText } from '../../common/content/html-text.ts';
import type { ImportedAuthor, ImportedPost, Loss } from '../imported-item.ts';
import { publicName } from '../article/public-name.ts';
import { termsOf } from '../article/term.ts';
import { titleOfText } from '../article/title.ts';
import { bodyOf } from './body.ts';

/** `2018-08-11_A-title-efefef121212.html`, `draft_A-title-efefef121212.html` */
const FILE = /^(?:draft_|\d{4}-\d{2}-\d{2}_)?(.*?)-*([\da-f]{8,12})\.html$/i;

/** By Medium's id of the story, the last part of the file's name: a draft keeps it when published. */
export function sourceOf(path: string): string {
  const name = basename(path);
  return `medium:${FILE.exec(name)?.[2]?.toLowerCase() ?? name}`;
}

/** Converts one page to a post. @throws NotAPost, PostUnreadable with the reason */
export function postFrom(
  html: string,
  path: string,
  source: string,
  now: Date,
): { readonly post: ImportedPost; readonly losses: readonly Loss[] } {
  const page = parseHtml(html);
  const story = firstOfClass(page, 'e-content');
  if (story === undefined)
    throw new PostUnreadable('is not a story of Medium: it has no element of the class e-content');
  const losses: Loss[] = [];
  const heading = plainText(firstOfClass(page, 'p-name'));
  const body = bodyOf(story, heading, (what, detail) => void losses.push({ what, source, detail }));
  const title = heading || titleOfText(body);
  if (title === '') throw new PostUnreadable('has neither a title nor a text');
  const isDraftFile = /^draft_/i.test(basename(path));
  const written = attributeOf(firstOfClass(page, 'dt-published'), 'datetime');
  const publishedAt = parseDate(written);
  if (!isDraftFile && written !== '' && publishedAt === null)
    throw new PostUnreadable(`has a date that cannot be read: "${written.slice(0, 100)}"`);
  if (!isDraftFile && publishedAt !== null && isResponse(story, title))
    throw new NotAPost('is a response to another story: it has no title of its own');
  const canonical = attributeOf(firstOfClass(page, 'p-canonical'), 'href');
  const address = parseAddress(canonical);
  const post: ImportedPost = {
    source,
    slug: slugOf(address?.slug ?? '', path, title),
    language: null,
    title,
    body,
    description: plainText(firstOfClass(page, 'p-summary')) || null,
    cover: coverOf(story),
    metaTitle: null,
    metaDescription: null,
    category: null,
    tags: termsOf(tagsOf(page)),
    author: authorOf(page),
    status: statusAt(!isDraftFile, publishedAt, now),
    publishedAt,
    url: isDraftFile ? null : (address?.url ?? null),
    views: null,
  };
  return { post, losses };
}

/** Without the id that Medium appends. */
function slugOf(last: string, path: string, title: string): string {
  const [, name = '', id = ''] = FILE.exec(basename(path)) ?? [];
  const slug =
    (id !== '' && last.endsWith(id) ? last.slice(0, -id.length).replace(/-+$/, '') : last) || termSlug(name);
  return slug || termSlug(title.slice(0, 200)) || basename(path, '.html');
}

/** Medium also exports the author's responses to other stories, with their first words as title. */
function isResponse(story: HtmlElement, title: string): boolean {
  const hasTitle =
    firstOfClass(story.children, 'graf--title') ?? firstNamed(story, 'h3') ?? firstNamed(story, 'img');
  if (hasTitle !== undefined) return false;
  const start = title.replace(/(?:…|\.{3})$/, '').trim();
  return plainText(story).startsWith(start);
}

/** The image that the author chose, or else the first one. */
function coverOf(story: HtmlElement): string | null {
  const images = allNamed(story, 'img').filter((image) => /^https?:\/\//i.test(attributeOf(image, 'src')));
  const cover = images.find((image) => attributeOf(image, 'data-is-featured') === 'true') ?? images[0];
  return cover === undefined ? null : attributeOf(cover, 'src');
}

function tagsOf(page: ReturnType<typeof parseHtml>): string[] {
  const tags = firstOfClass(page, 'p-tags');
  return tags === undefined
    ? []
    : allNamed(tags, 'a')
        .filter((link) => hasClass(link, 'p-tag'))
        .map(plainText);
}

function authorOf(page: ReturnType<typeof parseHtml>): ImportedAuthor | null {
  const link = firstOfClass(page, 'p-author');
  const name = publicName(plainText(link));
  const handle = /\/@([\w.-]+)/.exec(attributeOf(link, 'href'))?.[1] ?? '';
  const username = termSlug(handle) || termSlug(name);
  return username === '' ? null : { username, name: name || username, avatar: null };
}
