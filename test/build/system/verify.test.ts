import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FolderStorage } from '../../../build/history/folder-storage.ts';
import { verify } from '../../../build/history/verify.ts';
import { objectHash } from '../../../common/object-hash.ts';
import type { Directory } from '../../../contract/directory.ts';
import type { ObjectKind } from '../../../contract/object-kinds.ts';
import { type ObjectHash, objectPath } from '../../../contract/object-name.ts';
import { POINTER_PATH } from '../../../contract/pointer.ts';
import { offprintInProcess } from '../../service/in-process.ts';
import { directoryOf, namesOf, pointerOf, readObject } from '../output.ts';
import { editing, publish, shortBlog } from '../publishing.ts';
import { folderUntil } from '../temporary-folder.ts';

/** A published blog with a search index and a record of changes; each test damages one object of a copy. */
const folder = folderUntil(afterAll);
const published = join(folder, 'published');

beforeAll(async () => {
  const db = join(folder, 'blog.db');
  shortBlog(db, 400, 7);
  await publish(db, published);
  editing(db, (blog) => blog.exec("UPDATE posts SET title = 'Changed' WHERE id = 1"));
  await publish(db, published);
});

let copies = 0;

function copyOfPublished(): string {
  const out = join(folder, `copy-${(copies += 1)}`);
  cpSync(published, out, { recursive: true });
  return out;
}

/** An output whose snapshot has nonsense instead of an object, under the name of its hash. */
function forged(kind: ObjectKind, hash: ObjectHash): string {
  const out = copyOfPublished();
  const put = (of: ObjectKind, content: string): ObjectHash => {
    const name = objectHash(content);
    mkdirSync(dirname(join(out, objectPath(of, name))), { recursive: true });
    writeFileSync(join(out, objectPath(of, name)), content);
    return name;
  };
  const pointer = pointerOf(out);
  const forgery = put(kind, 'nonsense');
  const named = readObject(out, 'directory', pointer.snapshot).replaceAll(hash, forgery);
  const snapshot = kind === 'directory' ? forgery : put('directory', named);
  writeFileSync(join(out, POINTER_PATH), JSON.stringify({ ...pointer, snapshot }));
  return out;
}

const faultsOf = async (out: string) => (await verify(new FolderStorage(out), pointerOf(out))).faults;

test('an intact snapshot has no faults', async () => {
  expect(await faultsOf(published)).toEqual([]);
});

// Ready answers are served without parsing, so any bytes can be served.
test.each<[string, ObjectKind, (directory: Directory) => ObjectHash | undefined]>([
  ['directory', 'directory', () => pointerOf(published).snapshot],
  ['page of summaries', 'lines', ({ pages }) => pages[0]],
  ['view counts', 'numbers', ({ views }) => views[0]],
  ['order by views', 'numbers', ({ popular }) => popular[0]],
  ['set', 'positions', ({ names }) => namesOf(published, names.by_author ?? { inline: [] })[0]?.[1]],
  ['suffixes', 'suffixes', ({ suffixes }) => suffixes[0]?.[1]],
])('verify finds an object that no gateway can read: %s', async (_, kind, find) => {
  const hash = find(directoryOf(published));
  expect(hash).toBeDefined();
  const out = forged(kind, hash ?? '');
  expect((await faultsOf(out)).map(({ fault }) => fault)).toEqual([
    expect.stringContaining('cannot be decoded'),
  ]);
  const { code, stderr } = await offprintInProcess(['snapshots', 'verify', '--out', out]);
  expect(code, stderr).toBe(1);
  expect(stderr).not.toContain('    at ');
});

test('verify finds what is missing, and what does not match its name', async () => {
  const out = copyOfPublished();
  const [part] = pointerOf(out).changes?.parts ?? [];
  const object = objectPath('lines', part?.hash ?? '');
  writeFileSync(join(out, object), '{}');
  expect(await faultsOf(out)).toEqual([{ object, fault: 'does not match the hash in its name' }]);
  const directory = objectPath('directory', pointerOf(out).snapshot);
  rmSync(join(out, directory));
  expect(await faultsOf(out)).toContainEqual({ object: directory, fault: 'is missing' });
});
