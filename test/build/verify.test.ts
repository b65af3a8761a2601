import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FolderStorage } from '../../build/history/folder-storage.ts';
import { verify } from '../../build/history/verify.ts';
import { objectHash } from '../../common/object-hash.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { offprintInProcess } from '../service/in-process.ts';
import { directoryOf, namesOf, pointerOf } from './output.ts';
import { editing, publish, shortBlog } from './publishing.ts';
import { derivedFaults } from './second-builder.ts';
import { folderUntil } from './temporary-folder.ts';

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

/** An output whose snapshot has another text instead of an object, under the name of that text's hash. */
function forged(part: Part, change: (before: string) => string): string {
  const out = copyOfPublished();
  const put = (of: ObjectKind, content: string): ObjectHash => {
    const name = objectHash(content);
    mkdirSync(dirname(join(out, objectPath(of, name))), { recursive: true });
    writeFileSync(join(out, objectPath(of, name)), content);
    return name;
  };
  const pointer = pointerOf(out);
  const [kind, hash] = ANY[part]();
  if (hash === undefined) throw new Error(`The blog has no ${part}.`);
  const read = (of: ObjectKind, name: ObjectHash) => readFileSync(join(out, objectPath(of, name)), 'utf8');
  const before = read(kind, hash);
  const forgery = put(kind, change(before));
  expect(forgery).not.toBe(hash);
  const snapshot =
    kind === 'directory'
      ? forgery
      : put('directory', read('directory', pointer.snapshot).replaceAll(hash, forgery));
  writeFileSync(join(out, POINTER_PATH), JSON.stringify({ ...pointer, snapshot }));
  return out;
}

/** An object for each part of a snapshot that a gateway decodes. */
const ANY = {
  directory: () => ['directory', pointerOf(published).snapshot],
  'page of summaries': () => ['lines', directoryOf(published).pages[0]],
  'view counts': () => ['numbers', directoryOf(published).views[0]],
  'order by views': () => ['numbers', directoryOf(published).popular[0]],
  set: () => [
    'positions',
    namesOf(published, directoryOf(published).names.by_author ?? { inline: [] })[0]?.[1],
  ],
  suffixes: () => ['suffixes', directoryOf(published).suffixes[0]?.[1]],
} as const satisfies Readonly<Record<string, () => readonly [ObjectKind, ObjectHash | undefined]>>;
type Part = keyof typeof ANY;

const faultsOf = async (out: string) => (await verify(new FolderStorage(out), pointerOf(out))).faults;

test('an intact snapshot has no faults', async () => {
  expect(await faultsOf(published)).toEqual([]);
  expect(derivedFaults(published)).toEqual([]);
});

// Ready answers are served without parsing, so any bytes can be served.
test.each(Object.keys(ANY).filter((part): part is Part => part in ANY))(
  'verify finds an object that no gateway can read: %s',
  async (part) => {
    const out = forged(part, () => 'nonsense');
    expect((await faultsOf(out)).map(({ fault }) => fault)).toEqual([
      expect.stringContaining('cannot be decoded'),
    ]);
    const { code, stderr } = await offprintInProcess(['snapshots', 'verify', '--out', out]);
    expect(code, stderr).toBe(1);
    expect(stderr).not.toContain('    at ');
  },
);

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

test.each([
  ['bodies', 'page of summaries', /^\{"bodies":\["(\w{26})","(\w{26})"/m, '{"bodies":["$2","$1"'],
  ['page_times', 'directory', /"page_times":\[(\d+)/, '"page_times":[1'],
  ['suffixes', 'directory', /"suffixes":\[\["[^"]*","\w{26}"\],?/, '"suffixes":['],
] as const)('the second builder finds other %s', (part, kind, right, wrong) => {
  expect(derivedFaults(forged(kind, (text) => text.replace(right, wrong)))).toContain(part);
});
