import { constants } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { ExportTooLarge, NotGhostExport } from '../errors.ts';
import { mustBeFile } from '../sources/files.ts';
import { parseJson } from '../sources/json.ts';

/** One database in an export: its tables by name, not yet checked. */
export type Document = Readonly<Record<string, unknown>>;

/** Exports of every version have some of these. */
const TABLES = ['posts', 'tags', 'users', 'settings', 'posts_tags', 'roles', 'clients', 'subscribers'];

const HOW =
  'Export the blog in Ghost ("Settings", then "Import/Export" or "Labs") and give the file that it saves.';

/**
 * The databases in an export, nearly always just one. Ghost writes `{"db": [{"meta": …, "data": {…}}]}`, its older
 * versions and other tools `{"meta": …, "data": {…}}`, with one more `data` around it or without.
 *
 * The file is read whole, as it is one JSON value.
 *
 * @throws ExportMissing, FileIsFolder, PathUnreadable, ExportTooLarge, NotGhostExport
 */
export async function readExport(path: string): Promise<Document[]> {
  const json = parse(path, await readText(path));
  if (!isTable(json)) throw new NotGhostExport(path, `holds no tables. ${HOW}`);
  const databases = Array.isArray(json['db']) ? json['db'] : [json['db'] ?? json];
  const documents = databases.map(innermost).filter((document) => document !== null);
  if (documents.length === 0)
    throw new NotGhostExport(
      path,
      `is not an export: it has neither "db" nor "data" with tables in it. ${HOW}`,
    );
  return documents;
}

async function readText(path: string): Promise<string> {
  const size = await mustBeFile(path);
  if (size > constants.MAX_STRING_LENGTH) throw new ExportTooLarge(path, constants.MAX_STRING_LENGTH);
  const bytes = await readFile(path);
  if (/^(?:PK\x03\x04|\x1F\x8B)/.test(bytes.toString('latin1', 0, 4))) {
    throw new NotGhostExport(path, `is compressed; unpack it first. ${HOW}`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new NotGhostExport(path, `is not UTF-8 text. ${HOW}`);
    throw error;
  }
}

function parse(path: string, text: string): unknown {
  if (text.trim() === '') throw new NotGhostExport(path, `is empty. ${HOW}`);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new NotGhostExport(path, `is not valid JSON (${error.message.slice(0, 200)}). ${HOW}`);
  }
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
