import { type Directory, type NameTableName, parseDirectory } from './directory.ts';
import { FILTER_NAMES, filterTables } from './filters.ts';
import { isNumber, listOf, parseJson } from './json.ts';
import { Lines } from './lines.ts';
import type { NameEntry, NameTable } from './name-table.ts';
import type { ObjectHash } from './object-hash.ts';
import { decodePositions } from './sets.ts';
import { Suffixes } from './search/suffix-tree.ts';

/** An object that a snapshot names. */
export interface NamedObject {
  readonly kind: ObjectKind;
  readonly hash: ObjectHash;
}

/** What the program needs to know about a kind. */
interface KindRow<Form extends object> {
  /** Decodes its bytes. @throws Error if they are not such an object */
  readonly decode: (bytes: Uint8Array<ArrayBuffer>) => Form;
  /** Whether the decoded form uses these bytes, instead of what was made of them. */
  readonly usesBytes: boolean;
  /** Bytes in memory, including data derived from it: a high estimate. */
  readonly memory: (form: Form, bytes: number) => number;
}

/** A kind, with its decoded form and the memory that this takes. */
function row<Form extends object>({ decode, usesBytes, memory }: KindRow<Form>) {
  const load = (bytes: Uint8Array<ArrayBuffer>) => {
    const form = decode(bytes);
    return { form, memory: memory(form, bytes.length) };
  };
  return { decode, usesBytes, load };
}

const decoder = new TextDecoder();

/** Every kind of object. snapshot.ts describes their content. */
export const OBJECT_KINDS = {
  directory: row({
    decode: (bytes) => parseDirectory(decoder.decode(bytes)),
    usesBytes: false,
    memory: (_, bytes) => 3 * bytes,
  }),
  body: row({ decode: (bytes) => bytes, usesBytes: true, memory: (_, bytes) => bytes }),
  lines: row({ decode: (bytes) => new Lines(bytes), usesBytes: true, memory: (lines) => lines.memory }),
  numbers: row({
    decode: (bytes): readonly number[] =>
      parseJson(decoder.decode(bytes), listOf(isNumber), 'a column of numbers'),
    usesBytes: false,
    memory: (_, bytes) => 4 * bytes,
  }),
  positions: row({
    decode: (bytes) => decodePositions(decoder.decode(bytes)),
    usesBytes: false,
    memory: ({ length }) => 5 * length, // With its bitmap, if it is a large set.
  }),
  suffixes: row({
    decode: (bytes) => new Suffixes(bytes),
    usesBytes: true,
    memory: (_, bytes) => 1.5 * bytes,
  }),
};

export type ObjectKind = keyof typeof OBJECT_KINDS;

/** The decoded form of an object. */
export type Decoded<Kind extends ObjectKind> = ReturnType<(typeof OBJECT_KINDS)[Kind]['decode']>;

export function isObjectKind(name: string): name is ObjectKind {
  return Object.hasOwn(OBJECT_KINDS, name);
}

/**
 * The objects that the directory itself names, without those in inline tables. What no snapshot names is deleted: building,
 * verifying, pruning and publishing follow it.
 */
export function* namedByDirectory(directory: Directory): Generator<NamedObject> {
  const { overview, categories, tags, files, pages, author_pages, most_viewed, views, popular, suffixes } =
    directory;
  const all = (kind: ObjectKind, hashes: readonly ObjectHash[]) => hashes.map((hash) => ({ kind, hash }));
  yield* all('body', [overview, categories, tags, ...files.map(({ hash }) => hash)]);
  yield* all('lines', [...pages, ...author_pages, ...(most_viewed === null ? [] : [most_viewed])]);
  yield* all('lines', listShards(directory));
  yield* all('numbers', [...views, ...popular]);
  yield* all(
    'suffixes',
    suffixes.map(([, hash]) => hash),
  );
}

/** The shards of all name tables. */
export function listShards(directory: Directory): ObjectHash[] {
  return nameTables(directory).flatMap(([, table]) => ('shards' in table ? table.shards : []));
}

/** The objects that an entry of a name table names. */
export function namedByEntry(table: NameTableName, [, hash, more]: NameEntry): readonly NamedObject[] {
  if (table === 'moved') return []; // It names a slug.
  if (table === 'post' || table === 'author') return [{ kind: 'body', hash }];
  const newest = typeof more === 'string' ? [{ kind: 'lines', hash: more } as const] : [];
  return [{ kind: 'positions', hash }, ...newest];
}

/** The name tables of a directory. */
export function nameTables({ names }: Directory): readonly (readonly [NameTableName, NameTable])[] {
  const { post, author, moved, ...filters } = names;
  const tables: [NameTableName, NameTable][] = [
    ['post', post],
    ['author', author],
  ];
  if (moved) tables.push(['moved', moved]);
  for (const table of FILTER_NAMES.flatMap(filterTables)) {
    const names = filters[table];
    if (names) tables.push([table, names]);
  }
  return tables;
}
