import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { type Directory, parseDirectory } from '../../contract/directory.ts';
import type { NameEntries, NameTable } from '../../contract/name-table.ts';
import { hashInPath, type ObjectHash, objectPath, toObjectHash } from '../../contract/object-name.ts';
import { parsePointer, type Pointer, POINTER_PATH } from '../../contract/pointer.ts';
import { FILTER_NAMES, FILTERS } from '../../contract/filters.ts';
import {
  type NamedObject,
  namedByDirectory,
  namedByEntry,
  nameTables,
  type ObjectKind,
} from '../../contract/object-kinds.ts';

/** The sorted paths of all files in an output folder, relative to it. */
export function filesIn(out: string): string[] {
  if (!existsSync(out)) return [];
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(out, join(entry.parentPath, entry.name)))
    .sort();
}

/** The paths of all objects in an output folder, whether the snapshot names them or not. */
export function objectsIn(out: string): string[] {
  return filesIn(out).filter((path) => path.startsWith('objects/'));
}

export function pointerOf(out: string): Pointer {
  return parsePointer(readFileSync(join(out, POINTER_PATH), 'utf8'));
}

export function directoryOf(out: string): Directory {
  return parseDirectory(readObject(out, 'directory', pointerOf(out).snapshot));
}

export function readObject(out: string, kind: ObjectKind, hash: ObjectHash): string {
  return readFileSync(join(out, objectPath(kind, hash)), 'utf8');
}

/** An object of lines, read as the page about the format says: its columns, and its records as texts. */
export function readLines(
  out: string,
  hash: ObjectHash,
): { readonly columns: Record<string, unknown>; readonly records: readonly string[] } {
  const bytes = readFileSync(join(out, objectPath('lines', hash)));
  const [head = '', columns = ''] = bytes.toString().split('\n', 2);
  let at = Buffer.byteLength(`${head}\n${columns}\n`);
  const lengths: readonly (readonly number[])[] = JSON.parse(head);
  const records = lengths.map(([length = 0]) => {
    const record = bytes.toString('utf8', at, at + length);
    expect(bytes[at + length]).toBe(0x0a);
    at += length + 1;
    return record;
  });
  expect(at).toBe(bytes.length);
  return { columns: JSON.parse(columns), records };
}

/** The positions of a set. */
export function positionsIn(out: string, hash: ObjectHash): number[] {
  const gaps: readonly number[] = JSON.parse(readObject(out, 'positions', hash));
  let last = -1;
  return gaps.map((gap) => (last += gap));
}

/** The pairs of a name table, from all its shards. */
export function namesOf(out: string, table: NameTable): NameEntries {
  if ('inline' in table) return table.inline;
  return table.shards.flatMap((hash) =>
    readLines(out, hash).records.map((record): NameEntries[number] => JSON.parse(record)),
  );
}

/** The paths of all objects that the pointer and the published snapshot name, sorted. */
export function reachableIn(out: string): string[] {
  const { changes: log } = pointerOf(out);
  const paths = new Set(namedBySnapshot(out));
  for (const { hash } of log?.parts ?? []) paths.add(objectPath('lines', hash));
  return [...paths].sort();
}

/** The same without the record of changes, which depends on earlier publishes. */
export function namedBySnapshot(out: string): string[] {
  const directory = directoryOf(out);
  const tables = nameTables(directory);
  expect(tables.map(([name]) => name)).toEqual(
    expect.arrayContaining(['post', 'author', ...FILTER_NAMES.map((name) => FILTERS[name].table)]),
  );
  const named: readonly NamedObject[] = [
    { kind: 'directory', hash: pointerOf(out).snapshot },
    ...namedByDirectory(directory),
    ...tables.flatMap(([name, table]) => namesOf(out, table).flatMap((entry) => namedByEntry(name, entry))),
  ];
  return [...new Set(named.map(({ kind, hash }) => objectPath(kind, hash)))].sort();
}

/** The objects at `paths` whose content does not match their name, with the reason. */
export function brokenObjects(out: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!existsSync(join(out, path))) return [`${path} is missing`];
    const hash = toObjectHash(
      createHash('sha256')
        .update(readFileSync(join(out, path)))
        .digest(),
    );
    return hashInPath(path) === hash ? [] : [`${path} holds ${hash}`];
  });
}

/** Differences between the snapshots of two output folders, byte for byte; empty: none. */
export function differences(actual: string, expected: string): string[] {
  const [mine, theirs] = [pointerOf(actual), pointerOf(expected)];
  const found = mine.posts === theirs.posts ? [] : [`${mine.posts} posts instead of ${theirs.posts}`];
  const paths = { mine: new Set(namedBySnapshot(actual)), theirs: new Set(namedBySnapshot(expected)) };
  for (const path of paths.mine) if (!paths.theirs.has(path)) found.push(`names ${path}`);
  for (const path of paths.theirs) {
    if (!paths.mine.has(path)) found.push(`lacks ${path}`);
    else if (!existsSync(join(actual, path))) found.push(`${path} is named, but is no file`);
    else if (!readFileSync(join(actual, path)).equals(readFileSync(join(expected, path))))
      found.push(`${path} has other bytes`);
  }
  return found;
}

/** Files that are not objects or the gateway's: the build's own state, and the pointer. */
export function otherFilesIn(out: string): string[] {
  const others = ['objects/', 'state/quota.db', 'state/usage.db', 'state/counting.lock', 'state/results.db'];
  return filesIn(out).filter((path) => !others.some((start) => path.startsWith(start)));
}
