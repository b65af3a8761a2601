import { existsSync, readFileSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PostUnreadable } from '../../common/content/errors.ts';
import { tidyText } from '../../common/content/text.ts';
import { SILENT } from '../../common/progress.ts';
import { itemsOfPost, noPost, type ReportLoss, unread } from '../article/outcome.ts';
import { FolderIsFile, FolderMissing } from '../errors.ts';
import { unplacedCover } from '../front-matter/cover.ts';
import { FileUnfinished, splitPage } from '../front-matter/front-matter.ts';
import { readPeople } from '../front-matter/people.ts';
import { hiddenReason } from '../front-matter/status.ts';
import { seriesOf } from '../front-matter/taxonomy.ts';
import type { Hidden, KnownBlog, ReadItem, ReadPost } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { filesBelow, mustBeReadable, statOf } from '../sources/files.ts';
import type { RenderedPage, Rendering } from './page.ts';
import { postFrom, type RenderedBlog } from './post.ts';
import { sourcesOf } from './source.ts';

/**
 * Reads a site through its own engine, as a visitor sees it: a post is what the engine renders now. Drafts, scheduled and
 * expired posts are not rendered, so they come with a later reading, or leave with it.
 *
 * @param name of the engine: `hugo`
 * @param root the site's folder, as `siteFolder` gives it
 * @throws EngineFailed
 */
export async function* readRendered(
  name: string,
  render: () => Promise<Rendering>,
  root: string,
  { progress = SILENT, known }: Pick<ReadOptions, 'progress' | 'known'>,
): AsyncGenerator<ReadItem> {
  progress.begin(name, 1);
  const { by, site, pages } = await render().finally(() => progress.end());
  yield { kind: 'note', text: `Rendered by ${by}.` };
  yield {
    kind: 'blog',
    blog: {
      ...{ format: 'markdown', key: root, name: basename(root), isWhole: true },
      site: { name: site.name, url: site.url },
    },
  };
  const found = await filesBelow(root);
  const paths = found.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  // Engines show people only in layouts.
  const { authors } = await readPeople(root, paths);
  const sources = sourcesOf(pages, root);
  for (const [page, source] of sources) {
    const label = source.slice(source.indexOf(':') + 1);
    if (page.noPost !== null) yield noPost(label, page.noPost);
    else
      yield* itemsOfPost(source, (lose) => postIn(page, source, join(root, label), { site, authors }, lose), {
        ...{ label, isStrict: true },
      });
  }
  const rendered = new Set(sources.values());
  const others = paths.filter((path) => !rendered.has(`markdown:${path}`));
  yield* emptiedFiles(root, others, known?.('markdown', root) ?? null);
}

/** @throws PostUnreadable */
function postIn(
  page: RenderedPage,
  source: string,
  file: string,
  blog: RenderedBlog,
  lose: ReportLoss,
): ReadPost | Hidden['reason'] {
  const { fault, frontMatter } = page;
  if (fault !== null) throw new PostUnreadable(fault);
  // A theme may show it only with a password: layouts do that, which are not used here.
  const hidden = hiddenReason(frontMatter, []);
  if (hidden !== null) return hidden;
  refuseUnfinished(file);
  const post = postFrom(page, source, blog);
  const image = unplacedCover(frontMatter, post.cover);
  if (image !== null) lose('cover', image);
  for (const series of seriesOf(frontMatter, blog.site.taxonomies)) lose('series', series);
  return post;
}

/**
 * Engines publish a file that is being saved: without the end of its front matter, or empty. Other faults are theirs to
 * judge.
 *
 * @throws FileUnfinished
 */
function refuseUnfinished(path: string): void {
  if (!existsSync(path)) return; // Not every page has a file.
  try {
    splitPage(tidyText(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof FileUnfinished) throw error;
  }
}

/** The empty files of known posts: for an engine, an empty file may be none of its pages. */
async function* emptiedFiles(
  root: string,
  paths: readonly string[],
  known: KnownBlog | null,
): AsyncGenerator<ReadItem> {
  for (const path of paths) {
    const source = `markdown:${path}`;
    if (known?.has(source) && (await stat(join(root, path))).size === 0)
      yield unread(path, 'is empty', source);
  }
}

/**
 * The real path of a site's folder.
 *
 * @throws FolderMissing, FolderIsFile, PathUnreadable
 */
export async function siteFolder(path: string): Promise<string> {
  const given = await statOf(path);
  if (given === null) throw new FolderMissing(path);
  if (!given.isDirectory()) throw new FolderIsFile(path);
  await mustBeReadable(path);
  return realpath(path);
}
