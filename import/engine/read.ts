import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PostUnreadable } from '../../common/content/errors.ts';
import { tidyText } from '../../common/content/text.ts';
import { SILENT } from '../../common/progress.ts';
import { noPost, postItems, type ReportLoss, unread } from '../article/outcome.ts';
import { ImportError } from '../errors.ts';
import { findUnplacedCover } from '../front-matter/cover.ts';
import { FileUnfinished, splitPage } from '../front-matter/front-matter.ts';
import { readPeople } from '../front-matter/author.ts';
import { hiddenReason } from '../front-matter/status.ts';
import { readSeries } from '../front-matter/taxonomy.ts';
import type { Hidden, KnownBlog, ReadItem, ReadPost } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { filesBelow, mustBeReadable, statIfExists } from '../sources/files.ts';
import type { RenderedPage, Rendering } from './page.ts';
import { postFrom, type RenderedBlog } from './post.ts';
import { identifyPages } from './source.ts';

/**
 * Reads a site through its own engine, as a visitor sees it: a post is what the engine renders now. Drafts, scheduled and
 * expired posts are not rendered, so a later reading adds or removes them.
 *
 * @param name of the engine: `hugo`
 * @param root the site's folder, as `siteFolder` gives it
 * @param render receives a folder for what is written meanwhile
 * @throws EngineFailed
 */
export async function* readRendered(
  name: string,
  root: string,
  render: (folder: string) => Promise<Rendering>,
  { progress = SILENT, known, language: wanted }: Pick<ReadOptions, 'progress' | 'known' | 'language'>,
): AsyncGenerator<ReadItem> {
  progress.begin(name, 1);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'offprint-engine-')));
  let rendering: Rendering;
  try {
    rendering = await render(folder);
  } finally {
    progress.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const { by, site, pages } = rendering;
  yield { kind: 'note', text: `Rendered by ${by}.` };
  yield {
    kind: 'blog',
    blog: {
      format: 'markdown',
      key: root,
      name: basename(root),
      isComplete: true,
      site: { name: site.name, url: site.url },
    },
  };
  const found = await filesBelow(root);
  const paths = found.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  // Engines show people only in layouts.
  const { authors } = await readPeople(root, paths);
  const blog = { site, authors, paths: new Set(paths) };
  const sources = identifyPages(pages, root);
  for (const [page, source] of sources) {
    const label = source.slice(source.indexOf(':') + 1);
    const isWanted = wanted === undefined || (page.language ?? site.language) === wanted.toLowerCase();
    const why = page.noPost ?? (isWanted ? null : `is not in the language "${wanted.toLowerCase()}"`);
    if (why !== null) yield noPost(label, why);
    else
      yield* postItems(source, (lose) => postIn(page, source, join(root, label), blog, lose), {
        label,
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
  const broken = faultIn(file);
  if (fault !== null) throw broken ?? new PostUnreadable(fault);
  // A theme may show it only with a password: layouts do that, which are not used here.
  const hidden = hiddenReason(frontMatter, []);
  if (hidden !== null) return hidden;
  // Engines publish a file that is being saved: without the end of its front matter, or empty. Engines judge other faults.
  if (broken instanceof FileUnfinished) throw broken;
  const post = postFrom(page, source, blog);
  const image = findUnplacedCover(frontMatter, post.cover);
  if (image !== null) lose('cover', image);
  for (const series of readSeries(frontMatter, blog.site.taxonomies)) lose('series', series);
  return post;
}

/** What is wrong with the front matter of a file, in words that say what to do. */
function faultIn(path: string): PostUnreadable | null {
  if (!existsSync(path)) return null; // Not every page has a file.
  try {
    splitPage(tidyText(readFileSync(path, 'utf8')));
    return null;
  } catch (error) {
    if (error instanceof PostUnreadable) return error;
    throw error;
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
 * @throws ImportError if it is none, PathUnreadable
 */
export async function siteFolder(path: string): Promise<string> {
  const given = await statIfExists(path);
  if (given === null)
    throw new ImportError(`There is no folder at ${path}. Give the folder that contains the blog's posts.`);
  if (!given.isDirectory()) {
    const format = /\.(?:xml|wxr)$/i.test(path) ? 'wordpress' : /\.json$/i.test(path) ? 'ghost' : null;
    const hint = format === null ? '' : `; to read an export, run "import ${format}"`;
    throw new ImportError(
      `${path} is a file, not a folder. Give the folder that contains the blog's posts${hint}.`,
    );
  }
  await mustBeReadable(path);
  return realpath(path);
}

/** @param config what is missing */
export function noSite(folder: string, engine: string, config: string): ImportError {
  return new ImportError(
    `${folder} is not a ${engine} site: it has no ${config}. Give the site's root folder.`,
  );
}
