import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Directory, parseDirectory } from '../../contract/directory.ts';
import { type NameEntries, type NameTable, parseNames } from '../../contract/name-table.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import {
  ALL_KINDS,
  type NamedObject,
  namedByDirectory,
  namedByEntry,
  nameTables,
  type ObjectKind,
} from '../../contract/object-kinds.ts';
import type { Pointer } from '../../contract/pointer.ts';

/** Reads the text of an object. */
export type ReadObject = (kind: ObjectKind, hash: ObjectHash) => string;

export function readObject(out: string, kind: ObjectKind, hash: ObjectHash): string {
  return readFileSync(join(out, objectPath(kind, hash)), 'utf8');
}

/** The names in a table, from all its shards; empty without a table. */
export function readNames(out: string, table: NameTable | undefined): NameEntries {
  if (!table) return [];
  return namesIn(table, (kind, hash) => readObject(out, kind, hash));
}

/** The slugs of all articles in a snapshot. @throws an error of the file system */
export function slugsOf(out: string, snapshot: ObjectHash): string[] {
  const { names } = parseDirectory(readObject(out, 'directory', snapshot));
  return readNames(out, names.post).map(([slug]) => slug);
}

function namesIn(table: NameTable, read: ReadObject): NameEntries {
  if ('inline' in table) return table.inline;
  return table.shards.flatMap((hash) => parseNames(read('names', hash)));
}

/**
 * All objects of a snapshot, the directory first; some more than once.
 *
 * @param from the output folder, or a function that reads the directory and the shards of names
 * @throws an error of the file system if the directory or a shard of names is missing
 */
export function* objectsOf(from: string | ReadObject, snapshot: ObjectHash): Generator<NamedObject> {
  const read: ReadObject = typeof from === 'string' ? (kind, hash) => readObject(from, kind, hash) : from;
  yield { kind: 'directory', hash: snapshot };
  const directory = parseDirectory(read('directory', snapshot));
  yield* objectsNamedBy(directory);
  for (const [name, table] of nameTables(directory)) {
    for (const entry of namesIn(table, read)) yield* namedByEntry(name, entry);
  }
}

/** The objects of a pointer's record of changes. */
export function objectsOfLog({ changes }: Pick<Pointer, 'changes'>): readonly NamedObject[] {
  return (changes?.parts ?? []).map(({ hash }) => ({ kind: 'changes', hash }));
}

/** The objects that the directory itself names, without those in inline tables. */
export function* objectsNamedBy(directory: Directory): Generator<NamedObject> {
  for (const kind of ALL_KINDS) {
    for (const hash of namedByDirectory(kind, directory)) yield { kind, hash };
  }
}
