import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SILENT } from '../../common/progress.ts';
import { tidyText } from '../../common/content/text.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { FolderIsFile, FolderMissing } from '../errors.ts';
import { filesBelow, mustBeReadable, statOf } from '../sources/files.ts';
import { unplacedCover } from '../front-matter/cover.ts';
import { aliasesOf } from '../front-matter/aliases.ts';
import { readPeople } from '../front-matter/people.ts';
import { seriesOf } from '../front-matter/taxonomy.ts';
import type { ImportedItem, KnownBlog } from '../imported-item.ts';
import { FileUnfinished, KeyRepeated, splitPage } from '../front-matter/front-matter.ts';
import type { ReadOptions } from '../read-options.ts';
import { type Engine, type RenderedPage, type Scope, SCOPES } from './page.ts';
import { type RenderedBlog, dateOf, postFrom, renderedStatus } from './post.ts';

/**
 * Reads a site through its own engine. It renders the site up to three times, since non-public posts may change the
 * texts of public ones (a list of all posts in a post):
 *
 *     public       the posts that are published now, as they are now
 *     all          drafts and expired posts
 *     scheduled    future posts without the drafts; only if there are any
 *
 * @param root the site's folder, as `siteFolder` gives it
 * @throws EngineFailed
 */
export async function* readRendered(
  engine: Engine,
  root: string,
  { now, progress = SILENT, known: knownBlog }: Pick<ReadOptions, 'now' | 'progress' | 'known'>,
): AsyncGenerator<ImportedItem> {
  const render = async (scope: Scope) => {
    progress.begin(`${engine.name}, ${scope}`, SCOPES.length);
    try {
      progress.advance(SCOPES.indexOf(scope));
      return await engine.render(scope);
    } finally {
      progress.end();
    }
  };
  const current = await render('public');
  yield { kind: 'note', text: `Rendered by ${current.by}.` };
  // Hugo tells it with a post.
  const site = current.site.url === null ? (await render('all')).site : current.site;
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
  const blog: RenderedBlog = { site, authors, now };
  const itemsFrom = (page: RenderedPage, isPublic: boolean) => itemsOf(page, isPublic, root, blog);
  for (const page of current.pages) yield* itemsFrom(page, true);

  const known = new Set(current.pages.map(({ source }) => source));
  const others = (await render('all')).pages.filter(({ source }) => !known.has(source));
  const listed = new Set([...known, ...others.map(({ source }) => source)]);
  const unlisted = paths.filter((path) => !listed.has(`markdown:${path}`));
  yield* emptiedFiles(root, unlisted, knownBlog?.('markdown', root) ?? null);
  const isScheduled = (page: RenderedPage): boolean =>
    page.noPost === null && renderedStatus(page, false, dateOf(page.date), now) === 'scheduled';
  const scheduled = new Set(others.filter(isScheduled).map(({ source }) => source));
  for (const page of others) if (!scheduled.has(page.source)) yield* itemsFrom(page, false);

  if (scheduled.size === 0) return;
  for (const page of (await render('scheduled')).pages) {
    if (scheduled.delete(page.source)) yield* itemsFrom(page, false);
  }
  for (const source of scheduled) {
    yield { kind: 'skipped', skipped: { source: pathOf(source), reason: 'was not rendered' }, stays: source };
  }
}

async function* itemsOf(
  page: RenderedPage,
  isPublic: boolean,
  root: string,
  blog: RenderedBlog,
): AsyncGenerator<ImportedItem> {
  const { source, noPost } = page;
  if (noPost !== null) {
    yield { kind: 'skipped', skipped: { source: pathOf(source), reason: noPost, noPost: true } };
    return;
  }
  try {
    const repeated = await repeatedKey(join(root, pathOf(source)));
    const isDraft = page.isDraft || /^(?:draft|published)$/i.test(repeated ?? '');
    const post = await postFrom({ ...page, isDraft }, isPublic, blog);
    yield { kind: 'post', post };
    const image = unplacedCover(page.frontMatter, post.cover);
    if (image !== null) yield { kind: 'loss', loss: { what: 'cover', source, detail: image } };
    if (repeated !== null)
      yield { kind: 'loss', loss: { what: `key "${repeated}" twice in front matter`, source } };
    for (const path of aliasesOf(page.frontMatter, page.url)) yield { kind: 'alias', path };
    for (const detail of seriesOf(page.frontMatter, blog.site.taxonomies))
      yield { kind: 'loss', loss: { what: 'series', source, detail } };
  } catch (error) {
    if (!(error instanceof PostUnreadable)) throw error;
    yield { kind: 'skipped', skipped: { source: pathOf(source), reason: error.message }, stays: source };
  }
}

function pathOf(source: string): string {
  return source.slice(source.indexOf(':') + 1);
}

/**
 * The key that the front matter of a post's file has twice, of which engines take the last; null: none. Other faults
 * are the engine's to judge.
 *
 * @throws FileUnfinished, though engines publish such a file
 */
async function repeatedKey(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => null); // Not every page has a file.
  if (text === null) return null;
  try {
    return splitPage(tidyText(text)).repeated;
  } catch (error) {
    if (error instanceof FileUnfinished) throw error;
    return error instanceof KeyRepeated ? error.key : null;
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
