import { noPost, unreadPost } from '../article/unread.ts';
import type { ImportedBlog, ImportedItem } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { tidyLine } from '../../common/content/text.ts';
import { readExport, type Document } from './export.ts';
import { sourcesOf } from './identity.ts';
import { postFrom, whyNoPost, type Blog } from './post.ts';
import { isYes } from './status.ts';
import { labelOf, tablesFrom, type PostRow } from './tables.ts';
import { zoneOf } from '../../common/content/moment.ts';

/**
 * Reads Ghost's own export: one JSON document with the tables of its database, of any version from 0.x to 6. The steps:
 *
 *     readExport    the file → the tables in it, or why it is no export          export.ts
 *     tablesFrom    rows, each checked by itself, and who belongs to what        tables.ts
 *     sourcesOf     what a post is found again by                                identity.ts
 *     whyNoPost     pages, rows without a name                                   post.ts
 *     postFrom      the fields of a post: status.ts, moment.ts, people.ts, links.ts
 *     bodyOf        its text: HTML, Lexical, Mobiledoc or Markdown               body.ts, lexical.ts,
 *                                                                                mobiledoc.ts, cards.ts, html.ts
 *
 * Each row becomes a post or is skipped with a reason; none stops the import.
 *
 * @param site the public site's address, if known: for addresses within the site
 * @throws FileMissing, ExportTooLarge, NotGhostExport
 */
export async function* readGhostExport(
  paths: readonly string[],
  options: Pick<ReadOptions, 'now' | 'site' | 'known'>,
): AsyncGenerator<ImportedItem> {
  for (const path of paths) {
    for (const document of await readExport(path)) yield* itemsOf(document, options);
  }
}

function* itemsOf(
  document: Document,
  { now, site = null, known }: Pick<ReadOptions, 'now' | 'site' | 'known'>,
): Generator<ImportedItem> {
  const tables = tablesFrom(document);
  const own = blogOf(tables.settings);
  yield { kind: 'blog', blog: own };
  if (isYes(tables.settings.get('is_private'))) yield { kind: 'note', text: PRIVATE };
  for (const { source, reason } of tables.faults) {
    // It is unknown which post an unreadable row contained.
    yield skipped(source, reason, source.startsWith('posts[') ? '' : undefined);
  }
  const home = own.key === null ? null : (known?.('ghost', own.key)?.home ?? null);
  const blog: Blog = { tables, site: home ?? site, zone: zoneOf(tables.settings), now };
  const sources = sourcesOf(tables.posts);
  for (const [i, row] of tables.posts.entries()) yield* itemsOfPost(row, sources[i] ?? '', blog);
}

function* itemsOfPost(row: PostRow, source: string, blog: Blog): Generator<ImportedItem> {
  const label = labelOf(row);
  const why = whyNoPost(row);
  if (why !== null) {
    yield noPost(label, why);
    return;
  }
  try {
    const { post, faults, lost } = postFrom(row, source, blog);
    yield { kind: 'post', post };
    for (const detail of faults)
      yield { kind: 'loss', loss: { what: 'author or tag that the export lacks', source, detail } };
    for (const what of lost) yield { kind: 'loss', loss: { what, source } };
  } catch (error) {
    yield unreadPost(error, source, label);
  }
}

const PRIVATE =
  'Ghost protects this whole site with a password ("Make this site private"). The import publishes its public posts ' +
  'to everybody who can reach the API';

/** Ghost gives each database its own id. */
function blogOf(settings: ReadonlyMap<string, string>): ImportedBlog {
  const key = settings.get('db_hash') || settings.get('dbHash') || null;
  const name = tidyLine(settings.get('title') ?? '');
  return { format: 'ghost', key, name, isWhole: true, site: { name } };
}

function skipped(source: string, reason: string, stays?: string): ImportedItem {
  return { kind: 'skipped', skipped: { source, reason }, ...(stays === undefined ? {} : { stays }) };
}
