import { decodeChanges } from './change-log.ts';
import { decodeColumn } from './columns.ts';
import { type Directory, type NameTableName, parseDirectory } from './directory.ts';
import { FILTER_NAMES, tablesOf } from './filters.ts';
import { Lines } from './lines.ts';
import { type NameEntry, Names, type NameTable, parseNames } from './name-table.ts';
import type { ObjectHash } from './object-hash.ts';
import { decodePage } from './pages.ts';
import { decodePopularPage } from './popular-pages.ts';
import { decodePostHashes } from './post-hashes.ts';
import { decodeSet } from './sets.ts';
import { Suffixes } from './search/suffix-tree.ts';

/** An object that a snapshot names. */
export interface NamedObject {
  readonly kind: ObjectKind;
  readonly hash: ObjectHash;
}

/** The objects that an entry of a name table names. Tables of filters (filters.ts) name sets and their pages. */
export function* namedByEntry(
  table: NameTableName,
  [, hash, listed]: NameEntry,
): Generator<{ readonly kind: NamedByEntry; readonly hash: ObjectHash }> {
  if (table === 'moved') return; // Its entries name slugs.
  yield { kind: table === 'post' || table === 'author' ? table : 'set', hash };
  for (const page of listed?.pages ?? []) yield { kind: 'set_page', hash: page };
}

type NamedByEntry = 'post' | 'author' | 'set' | 'set_page';

/** What the program needs to know about a kind. An incomplete row does not compile. */
interface KindRow<Kind> {
  /**
   * What names its objects. Building, verifying, pruning and publishing follow it: objects without a reference are
   * deleted.
   */
  readonly namedBy: Kind extends 'directory' | 'changes'
    ? 'the pointer'
    : Kind extends NamedByEntry
      ? 'name tables'
      : (directory: Directory) => readonly ObjectHash[];
  /** Whether packs contain copies (pack.ts). Objects that are requested by name, one at a time, are not packed. */
  readonly packed: boolean;
  /** The extension of their file names; empty: they may contain any bytes. */
  readonly extension: '.json' | '';
  /** Decodes its bytes. Ready answers stay bytes. @throws Error if they are not such an object */
  readonly decode: (bytes: Uint8Array<ArrayBuffer>) => object;
  /** Whether the decoded form uses these bytes, instead of what was made of them. */
  readonly usesBytes: boolean;
  /** Bytes in memory for each byte of the object, including data derived from it: a high estimate. */
  readonly growth: number;
}

const table = <Rows extends { readonly [Kind in keyof Rows]: KindRow<Kind> }>(rows: Rows) => rows;

const decoder = new TextDecoder();
const fromText =
  <T>(decode: (text: string) => T) =>
  (bytes: Uint8Array<ArrayBuffer>) =>
    decode(decoder.decode(bytes));
const JSON_FILE = { packed: true, extension: '.json', usesBytes: false } as const;
const SUMMARIES = {
  ...JSON_FILE,
  decode: (bytes: Uint8Array<ArrayBuffer>) => new Lines(bytes),
  usesBytes: true,
  // The texts for searches, which only the newest pages have, are not included.
  growth: 1.1,
} as const;
/** A ready answer. */
const READY = {
  extension: '.json',
  growth: 1,
  decode: (bytes: Uint8Array<ArrayBuffer>) => bytes,
  usesBytes: true,
} as const;

/** Every kind of object. snapshot.ts describes their content. */
export const OBJECT_KINDS = table({
  directory: { namedBy: 'the pointer', ...JSON_FILE, decode: fromText(parseDirectory), growth: 3 },
  changes: {
    namedBy: 'the pointer',
    ...JSON_FILE,
    packed: false,
    decode: fromText(decodeChanges),
    growth: 4,
  },
  names: {
    namedBy: (directory: Directory) => nameTables(directory).flatMap(([, table]) => shardsOf(table)),
    ...{ ...JSON_FILE, decode: fromText((text) => new Names(parseNames(text))), growth: 2 },
  },
  post: { namedBy: 'name tables', packed: false, ...READY },
  page: { namedBy: ({ pages }: Directory) => pages, ...SUMMARIES },
  post_hashes: {
    namedBy: ({ post_hashes: hashes }: Directory) => hashes,
    ...{ ...JSON_FILE, decode: fromText(decodePostHashes), growth: 2 },
  },
  views: {
    namedBy: ({ views }: Directory) => views,
    ...{ ...JSON_FILE, decode: fromText(decodeColumn), growth: 4 },
  },
  popular: {
    namedBy: ({ popular }: Directory) => popular,
    ...{ ...JSON_FILE, decode: fromText(decodeColumn), growth: 2 },
  },
  popular_page: {
    namedBy: ({ popular_pages: pages }: Directory) => pages,
    ...{ ...JSON_FILE, decode: fromText(decodePopularPage), growth: 3 },
  },
  set: { namedBy: 'name tables', ...JSON_FILE, decode: decodeSet, growth: 2 },
  set_page: { namedBy: 'name tables', ...SUMMARIES },
  suffixes: {
    namedBy: ({ suffixes }: Directory) => suffixes.map(([, hash]) => hash),
    ...{
      packed: true,
      extension: '',
      decode: (bytes: Uint8Array<ArrayBuffer>) => new Suffixes(bytes),
      usesBytes: true,
      growth: 1.5,
    },
  },
  author: { namedBy: 'name tables', packed: false, ...READY },
  authors: {
    namedBy: ({ author_pages }: Directory) => author_pages,
    ...{ ...JSON_FILE, decode: fromText(decodePage), growth: 2 },
  },
  categories: { namedBy: ({ categories }: Directory) => [categories], packed: true, ...READY },
  tags: { namedBy: ({ tags }: Directory) => [tags], packed: true, ...READY },
  overview: { namedBy: ({ overview }: Directory) => [overview], packed: true, ...READY },
  file: {
    namedBy: ({ files }: Directory) => files.map(({ hash }) => hash),
    ...{ ...READY, packed: false, extension: '' },
  },
});

/** The decoded form of an object. */
export type Decoded<Kind extends ObjectKind> = ReturnType<(typeof OBJECT_KINDS)[Kind]['decode']>;

export type ObjectKind = keyof typeof OBJECT_KINDS;

export const ALL_KINDS: readonly ObjectKind[] = Object.keys(OBJECT_KINDS).filter(isObjectKind);

export function isObjectKind(name: string): name is ObjectKind {
  return Object.hasOwn(OBJECT_KINDS, name);
}

/** The objects of a kind that the directory itself names; empty if the pointer or name tables name them. */
export function namedByDirectory(kind: ObjectKind, directory: Directory): readonly ObjectHash[] {
  const { namedBy } = OBJECT_KINDS[kind];
  return typeof namedBy === 'function' ? namedBy(directory) : [];
}

/** The name tables of a directory. */
export function nameTables({ names }: Directory): readonly (readonly [NameTableName, NameTable])[] {
  const { post, author, moved, ...filters } = names;
  const tables: [NameTableName, NameTable][] = [
    ['post', post],
    ['author', author],
  ];
  if (moved) tables.push(['moved', moved]);
  for (const table of FILTER_NAMES.flatMap(tablesOf)) {
    const names = filters[table];
    if (names) tables.push([table, names]);
  }
  return tables;
}

function shardsOf(names: NameTable): readonly ObjectHash[] {
  return 'shards' in names ? names.shards : [];
}
