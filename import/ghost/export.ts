import { constants, isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { ExportTooLarge, ImportError } from '../errors.ts';
import { mustBeFile } from '../sources/files.ts';
import { parseUntrusted } from '../sources/json.ts';
import { isCompressed } from '../xml/text.ts';

/** One database in an export: its tables by name, not yet checked. */
export type Document = Readonly<Record<string, unknown>>;

/** Exports of every version have some of these. */
const TABLES = ['posts', 'tags', 'users', 'settings', 'posts_tags', 'roles', 'clients', 'subscribers'];

const HOW =
  'Export the blog in Ghost ("Settings", then "Import/Export" or "Labs") and give the file that you download.';

/**
 * The databases in an export, nearly always just one. Ghost writes `{"db": [{"meta": …, "data": {…}}]}`, its older
 * versions and other tools `{"meta": …, "data": {…}}`, with one more `data` around it or without.
 *
 * The file is read whole, as it is one JSON value.
 *
 * @throws ExportMissing, FileIsFolder, PathUnreadable, ExportTooLarge, ImportError if it is none
 */
export async function readExport(path: string): Promise<Document[]> {
  const refused = (what: string) => new ImportError(`${path} ${what}. ${HOW}`);
  const size = await mustBeFile(path);
  if (size > constants.MAX_STRING_LENGTH) throw new ExportTooLarge(path, constants.MAX_STRING_LENGTH);
  const bytes = await readFile(path);
  if (isCompressed(bytes)) throw refused('is compressed; unpack it first');
  if (!isUtf8(bytes)) throw refused('is not UTF-8 text');
  const text = bytes.toString();
  if (text.trim() === '') throw refused('is empty');
  const json = parseUntrusted(text, (why) => refused(`is not valid JSON (${why})`));
  if (!isTable(json)) throw refused('has no tables');
  const databases = Array.isArray(json['db']) ? json['db'] : [json['db'] ?? json];
  const documents = databases.map(innermost).filter((document) => document !== null);
  if (documents.length === 0)
    throw refused('is not an export: it has neither "db" nor "data" with tables in it');
  return documents;
}

/** The tables below one, two or three `data`; null if there are none. */
function innermost(value: unknown): Document | null {
  let inner = value;
  for (let depth = 0; depth < 3 && isTable(inner); depth++) {
    inner = inner['data'];
    if (isTable(inner) && TABLES.some((name) => isTable(inner) && Array.isArray(inner[name]))) return inner;
  }
  return null;
}

function isTable(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
