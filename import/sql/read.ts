import { resolve } from 'node:path';
import { PostUnreadable } from '../../common/content/errors.ts';
import { hiddenByStatus, postItems } from '../article/outcome.ts';
import { type ListEntry, readChanges } from '../changes.ts';
import { ImportError, VIEWS_PAGE } from '../errors.ts';
import type { ReadItem } from '../imported-item.ts';
import type { ReadOptions } from '../read-options.ts';
import { readingSource } from './database.ts';
import { type FindLinked, siteIn, termsIn, toPost } from './rows.ts';
import { readViewFile, type Row, Views } from './views.ts';

/**
 * Reads another program's SQLite database through its owner's views. The steps:
 *
 *     readViewFile      the file of views                                         views.ts
 *     readingSource     the database, or a copy, so that its owner can write      database.ts
 *     Views             the views, on a connection that only reads                views.ts
 *     siteIn            the blog, its address and its time zone                   rows.ts
 *     termsIn           categories, tags and authors                              rows.ts
 *     itemsIn           with a revision: the posts that are not as last time
 *     toPost            checks each row, and reads its dates                      rows.ts
 *
 * Each row becomes a post or is skipped with a reason; none stops the import.
 *
 * @throws ImportError without a file of views, ViewsUnusable, SourceUnreadable
 */
export async function* readSql(path: string, options: ReadOptions): AsyncGenerator<ReadItem> {
  const { views: file, workFolder, site = null } = options;
  if (file === undefined)
    throw new ImportError(
      `${path} can be read only through a file of SQL views. Add --views FILE, or "views" to its entry in ` +
        `offprint.json; ${VIEWS_PAGE}`,
    );
  const sql = readViewFile(file);
  yield* readingSource(path, workFolder, (db) =>
    itemsIn(
      new Views(db, file, sql, site),
      resolve(path),
      JSON.stringify([sql, /\boffprint_settings\b/i.test(sql) ? site : null]),
      options,
    ),
  );
}

/** What rows are read with. */
interface ReadContext {
  readonly views: Views;
  readonly findLinked: FindLinked;
  readonly zone: string | null;
}

/** @param basis changes when all posts may have changed */
async function* itemsIn(
  views: Views,
  key: string,
  basis: string,
  options: ReadOptions,
): AsyncGenerator<ReadItem> {
  const { blog, zone, notes } = siteIn(views, key);
  yield { kind: 'blog', blog };
  for (const text of notes) yield { kind: 'note', text };
  const findLinked = yield* termsIn(views);
  const read: ReadContext = { views, findLinked, zone };
  if (!views.has('offprint_posts', 'revision')) {
    for (const row of views.rows('offprint_posts')) yield* toItems(row, read);
    return;
  }
  const listed = new Map<string, ListEntry>();
  for (const row of views.rows('offprint_posts', { without: 'body' })) {
    if (hasId(row))
      listed.set(String(row['id']), {
        source: identifyRow(row),
        version: JSON.stringify([row, findLinked(row), zone]),
      });
    else yield* toItems(row, read);
  }
  yield* readChanges(
    {
      blog,
      basis,
      list: () => Promise.resolve(listed),
      // One pass over all rows: in most views, a search for each would be a pass of its own.
      async *fetch(ids) {
        const rows = ids.length === 0 ? [] : views.rows('offprint_posts', { ids });
        for (const row of rows) yield [String(row['id']), row] as const;
      },
      toItems: (row) => toItems(row, read),
    },
    options,
  );
}

function hasId(row: Row): boolean {
  return (row['id'] ?? null) !== null;
}

/** A post of a row, or why there is none. */
function* toItems(row: Row, { views, findLinked, zone }: ReadContext): Generator<ReadItem> {
  const label = `offprint_posts ${String(row['slug'] ?? row['id'] ?? '')}`;
  if (!hasId(row)) {
    yield { kind: 'skipped', skipped: { source: label, reason: 'has no id' } };
    return;
  }
  const source = identifyRow(row);
  yield* postItems(
    source,
    (lose) => {
      const hidden = hiddenByStatus(String(row['status'] ?? 'published'), lose);
      if (hidden !== null) return hidden;
      const { missing, missingTags, ...linked } = findLinked(row);
      if (missing !== null) throw new PostUnreadable(missing);
      for (const tag of missingTags) lose('tag', `tag ${tag} is missing or was left out`);
      return toPost(row, source, linked, zone, views);
    },
    { label },
  );
}

/** A slash would make a post look like a folder of others. */
function identifyRow(row: Row): string {
  return `sql:${String(row['id'] ?? '').replace(/[%/]/g, encodeURIComponent)}`;
}
