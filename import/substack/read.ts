import { basename, resolve } from 'node:path';
import { openArchive, pageText, type Archive, type ArchivedFile } from '../sources/archive.ts';
import { NotAnExport } from '../errors.ts';
import { reasonOf } from '../../common/thrown.ts';
import { unreadPart, unreadPost } from '../article/unread.ts';
import type { ImportedItem } from '../imported-item.ts';
import { postFrom, sourceOf } from './post.ts';
import { postRows, type PostRow } from './posts-table.ts';

const HOW =
  'In Substack, choose Settings, Import / Export, "New export", and give the archive that it makes.';
export const TABLE = /(?:^|\/)posts\.csv$/i;

/**
 * Reads Substack's export: a zip file, or its folder, with a table of all posts and a page for the text of each.
 *
 *     openArchive   the zip file or the folder                      ../sources/archive.ts
 *     postRows      the table                                       posts-table.ts
 *     postFrom      a row and its page → the fields of a post       post.ts
 *     bodyOf        its text, without buttons and forms             body.ts
 *
 * @throws ExportMissing, PathUnreadable, ArchiveInvalid, NotAnExport
 */
export async function* readSubstackExport(
  path: string,
  { now }: { readonly now: Date },
): AsyncGenerator<ImportedItem> {
  const archive = await openArchive(path);
  try {
    const { table, rows, faults } = await tableOf(archive, path);
    yield {
      kind: 'blog',
      blog: {
        format: 'substack',
        key: resolve(path),
        name: basename(path).replace(/\.zip$/i, ''),
        isWhole: true,
      },
    };
    for (const { path: name, reason } of archive.unread) yield unreadPart(name, reason);
    if (faults > 0) {
      const reason = `has ${faults} ${faults === 1 ? 'row' : 'rows'} that cannot be read`;
      yield { kind: 'skipped', skipped: { source: table.path, reason, count: faults }, stays: '' };
    }
    const pages = new Map(archive.files.map((file) => [basename(file.path), file]));
    for (const row of rows) yield* itemsOf(row, pages.get(`${row.post_id}.html`), now);
  } finally {
    archive.close();
  }
}

async function tableOf(
  { files }: Archive,
  path: string,
): Promise<{ table: ArchivedFile; rows: readonly PostRow[]; faults: number }> {
  const table = files.find((file) => TABLE.test(file.path));
  if (table === undefined) throw new NotAnExport(path, 'Substack', 'it has no file posts.csv', HOW);
  try {
    const read = postRows(await pageText(table));
    if (read !== null) return { table, ...read };
  } catch (error) {
    throw new NotAnExport(path, 'Substack', `its posts.csv cannot be read (${reasonOf(error)})`, HOW);
  }
  throw new NotAnExport(path, 'Substack', 'its posts.csv has no column post_id', HOW);
}

async function* itemsOf(
  row: PostRow,
  page: ArchivedFile | undefined,
  now: Date,
): AsyncGenerator<ImportedItem> {
  const source = sourceOf(row);
  try {
    const html = page === undefined ? null : await pageText(page);
    const { post, losses } = postFrom(row, html, source, now);
    yield { kind: 'post', post };
    for (const loss of losses) yield { kind: 'loss', loss };
  } catch (error) {
    yield unreadPost(error, source);
  }
}
