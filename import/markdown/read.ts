import { readFileSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { PostUnreadable } from '../../common/content/errors.ts';
import { tidyText } from '../../common/content/text.ts';
import { noPost, postItems, unread } from '../article/outcome.ts';
import { siteFolder } from '../engine/read.ts';
import { siteAround } from '../engine/site-around.ts';
import { SiteHasEngine } from '../errors.ts';
import { readPeople } from '../front-matter/author.ts';
import type { ReadItem } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { filesBelow } from '../sources/files.ts';
import { POST_FILE, findUnreadFormat, whyNoPage } from '../sources/pages.ts';
import { findVaults, type Vaults } from '../sources/vaults.ts';
import { type Place, parsePath, translationsAmong } from './place.ts';
import { type Blog, postFrom, sitePageAddress } from './post.ts';

/** Larger files are not written by hand; the largest known post has 170 kB. */
const MAX_BYTES = 10_000_000;

/**
 * Reads a folder of posts in Markdown or HTML with front matter. The steps:
 *
 *     siteAround    the site that it belongs to: Hugo and Jekyll render theirs   ../engine/site-around.ts
 *     filesBelow    every file, in a fixed order, no symbolic links              ../sources/files.ts
 *     readPeople    data about authors                                           ../front-matter/author.ts
 *     parsePath       facts in the path: date, name, language, bundle              place.ts
 *     whyNoPage     names that are no posts                                      ../sources/pages.ts
 *     splitPage     front matter (YAML, TOML) and body                           ../front-matter/front-matter.ts
 *     postFrom      the fields of a post, one rule a file; or why it is hidden   post.ts
 *     withoutObsidian    notes of a vault as Markdown                            ../sources/vaults.ts, obsidian.ts
 *     withoutTemplates, renderMarkdown    the body                               losses.ts, common/content/markdown.ts
 *
 * Each file becomes a post or is skipped with a reason; none stops the import.
 *
 * @throws FolderMissing, FolderIsFile, PathUnreadable, SiteHasEngine
 */
export async function* readMarkdownBlog(folder: string, options: ReadOptions): AsyncGenerator<ReadItem> {
  const root = await siteFolder(folder);
  const site = options.plain ? null : await siteAround(root);
  if (site !== null)
    throw new SiteHasEngine(folder, site.engine, site.folder === root ? folder : site.folder);

  const found = await filesBelow(root);
  const paths = found.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  yield { kind: 'blog', blog: { format: 'markdown', key: root, name: basename(root), isComplete: true } };
  for (const file of found) {
    if (file.kind !== 'skipped') continue;
    if (file.path.endsWith('/')) yield noPost(file.path, file.reason);
    else yield unread(file.path, file.reason, `markdown:${file.path}`);
  }

  const isTranslation = translationsAmong(paths);
  const place = (path: string): Place => {
    const parent = path.slice(0, path.lastIndexOf('/') + 1);
    return parsePath(path, (stem, suffix) => isTranslation(parent, stem, suffix));
  };
  const { authors, used } = await readPeople(root, paths);
  const vaults = findVaults(root, paths);
  for (const vault of vaults.folders)
    yield { kind: 'note', text: `${vault} is an Obsidian vault: its hidden comments are removed.` };
  const blog: Blog = {
    paths: new Set(paths),
    above: root.split(sep),
    authors,
    vaults,
    addressAt: addressesBelow(root, new Set(paths), place, vaults, {
      ...options,
      site: options.known?.('markdown', root)?.home ?? options.site ?? null,
    }),
  };
  let isEmpty = true;
  const unreadFormats = new Map<string, { first: string; count: number }>();
  for (const path of paths) {
    const use = used.get(path);
    const format = findUnreadFormat(path);
    if (use !== undefined) yield noPost(path, use);
    else if (format === null)
      for (const item of itemsFrom(root, place(path), blog)) {
        if (item.kind === 'post' || item.kind === 'hidden') isEmpty = false;
        yield item;
      }
    else {
      const { first = path, count = 0 } = unreadFormats.get(format) ?? {};
      unreadFormats.set(format, { first, count: count + 1 });
    }
  }
  for (const [format, { first: source, count }] of unreadFormats) {
    const which = count === 1 ? 'is' : `and ${count - 1} more are`;
    const reason = `${which} in the format ${format}, which is not supported`;
    yield { kind: 'skipped', skipped: { source, reason, count } };
  }
  if (isEmpty) yield { kind: 'note', text: NEEDS_DATE };
}

const NEEDS_DATE =
  'A post needs a date, in its name (2025-12-31-a-walk.md), or in lines at its beginning:\n---\ndate: 2025-12-31\n---';

/** A post, or a file that is none. */
function* itemsFrom(root: string, place: Place, blog: Blog): Generator<ReadItem> {
  const { path } = place;
  const why = POST_FILE.test(path) ? whyNoPage(path) : 'is not a Markdown or HTML file';
  if (why !== null) yield noPost(path, why);
  else
    yield* postItems(`markdown:${path}`, (lose) => postFrom(textIn(join(root, path)), place, blog, lose), {
      label: path,
    });
}

/** The text of a file. @throws PostUnreadable */
function textIn(path: string): string {
  if (statSync(path).size > MAX_BYTES) throw new PostUnreadable(`is larger than ${MAX_BYTES / 1_000_000} MB`);
  try {
    return tidyText(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    if (error instanceof TypeError) throw new PostUnreadable('is not UTF-8 text; convert it');
    throw error;
  }
}

/** The addresses of the posts that others link to; each file is read once. */
function addressesBelow(
  root: string,
  paths: ReadonlySet<string>,
  place: (path: string) => Place,
  vaults: Vaults,
  options: ReadOptions,
): Blog['addressAt'] {
  const known = new Map<string, string | null>();
  const read = (path: string): string | null => {
    if (!paths.has(path) || whyNoPage(path) !== null) return null;
    try {
      return sitePageAddress(textIn(join(root, path)), place(path), vaults, options);
    } catch {
      return null; // It is reported by itself, and the link as broken.
    }
  };
  return (path) => {
    if (!known.has(path)) known.set(path, read(path));
    return known.get(path) ?? null;
  };
}
