import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SILENT } from '../../common/progress.ts';
import { tidyText } from '../../common/content/text.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { FolderIsFile, FolderMissing } from '../errors.ts';
import { filesBelow, mustBeReadable, statOf } from '../sources/files.ts';
import { unplacedCover } from '../front-matter/cover.ts';
import { FileUnfinished, splitPage } from '../front-matter/front-matter.ts';
import { readPeople } from '../front-matter/people.ts';
import { hiddenReason } from '../front-matter/status.ts';
import { seriesOf } from '../front-matter/taxonomy.ts';
import type { ImportedItem, KnownBlog } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
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
  { now, progress = SILENT, known }: Pick<ReadOptions, 'now' | 'progress' | 'known'>,
): AsyncGenerator<ImportedItem> {
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
  for (const [page, source] of sources) yield* itemsOf(page, source, root, { site, authors, now });
  const rendered = new Set(sources.values());
  const others = paths.filter((path) => !rendered.has(`markdown:${path}`));
  yield* emptiedFiles(root, others, known?.('markdown', root) ?? null);
}

async function* itemsOf(
  page: RenderedPage,
  source: string,
  root: string,
  blog: RenderedBlog,
): AsyncGenerator<ImportedItem> {
  const { noPost, fault, frontMatter } = page;
  const path = source.slice(source.indexOf(':') + 1);
  if (noPost !== null) {
    yield { kind: 'skipped', skipped: { source: path, reason: noPost, noPost: true } };
    return;
  }
  try {
    if (fault !== null) throw new PostUnreadable(fault);
    // A theme may show it only with a password: layouts do that, which are not used here.
    const hidden = hiddenReason(frontMatter, [], blog.now);
    if (hidden !== null) {
      yield { kind: 'hidden', hidden: { source, reason: hidden } };
      return;
    }
    await refuseUnfinished(join(root, path));
    const post = postFrom(page, source, blog);
    yield { kind: 'post', post };
    const image = unplacedCover(frontMatter, post.cover);
    if (image !== null) yield { kind: 'loss', loss: { what: 'cover', source, detail: image } };
    for (const detail of seriesOf(frontMatter, blog.site.taxonomies))
      yield { kind: 'loss', loss: { what: 'series', source, detail } };
  } catch (error) {
    if (!(error instanceof PostUnreadable)) throw error;
    yield { kind: 'skipped', skipped: { source: path, reason: error.message }, stays: source };
  }
}

/**
 * Engines publish a file that is being saved: without the end of its front matter, or empty. Other faults are theirs to
 * judge.
 *
 * @throws FileUnfinished
 */
async function refuseUnfinished(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => null); // Not every page has a file.
  if (text === null) return;
  try {
    splitPage(tidyText(text));
  } catch (error) {
    if (error instanceof FileUnfinished) throw error;
  }
}

/** The empty files of known posts: for an engine, an empty file may be none of its pages. */
async function* emptiedFiles(
  root: string,
  paths: readonly string[],
  known: KnownBlog | null,
): AsyncGenerator<ImportedItem> {
  for (const path of paths) {
    const source = `markdown:${path}`;
    if (known?.has(source) && (await stat(join(root, path))).size === 0)
      yield { kind: 'skipped', skipped: { source: path, reason: 'is empty' }, stays: source };
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
