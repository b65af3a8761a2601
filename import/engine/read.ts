import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Progress, SILENT } from '../../common/progress.ts';
import { PostUnreadable } from '../../common/content/errors.ts';
import { FolderIsFile, FolderMissing } from '../errors.ts';
import { filesBelow, mustBeReadable, statOf } from '../sources/files.ts';
import { aliasesOf } from '../front-matter/aliases.ts';
import type { AuthorDirectory } from '../front-matter/author.ts';
import { readPeople } from '../front-matter/people.ts';
import { seriesOf } from '../front-matter/taxonomy.ts';
import type { ImportedItem } from '../imported-item.ts';
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
  { now, progress = SILENT }: { readonly now: Date; readonly progress?: Progress | undefined },
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
  yield {
    kind: 'blog',
    blog: {
      ...{ format: 'markdown', key: root, name: basename(root), isWhole: true },
      site: { name: current.site.name, url: current.site.url },
    },
  };
  const blog: RenderedBlog = { site: current.site, authors: await authorsIn(root), now };
  const itemsFrom = (page: RenderedPage, isPublic: boolean) => itemsOf(page, isPublic, blog);
  for (const page of current.pages) yield* itemsFrom(page, true);

  const known = new Set(current.pages.map(({ source }) => source));
  const others = (await render('all')).pages.filter(({ source }) => !known.has(source));
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
  blog: RenderedBlog,
): AsyncGenerator<ImportedItem> {
  const { source, noPost } = page;
  if (noPost !== null) {
    yield { kind: 'skipped', skipped: { source: pathOf(source), reason: noPost, noPost: true } };
    return;
  }
  try {
    yield { kind: 'post', post: await postFrom(page, isPublic, blog) };
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

/** People from the site's files; engines show these only in layouts. */
async function authorsIn(root: string): Promise<AuthorDirectory> {
  const found = await filesBelow(root);
  const paths = found.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  return (await readPeople(root, paths)).authors;
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
