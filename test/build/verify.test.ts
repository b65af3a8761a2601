import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifySnapshot } from '../../build/history/verify.ts';
import { type ObjectKind } from '../../contract/object-kinds.ts';
import { objectHash } from '../../common/object-hash.ts';
import { wholeIndex } from '../../build/search/whole-index.ts';
import { collectWords, joinWords } from '../../build/search/words.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { insertPost, writeEmptyBlog } from '../service/odd-blog.ts';
import { offprintInProcess } from '../service/in-process.ts';
import { directoryOf, pointerOf } from './output.ts';
import { editing, publish, shortBlog } from './publishing.ts';
import { folderUntil } from './temporary-folder.ts';

/** A small published blog; each test damages one object of a copy. */
const folder = folderUntil(afterAll);
const db = join(folder, 'blog.db');
const published = join(folder, 'published');

beforeAll(async () => {
  writeEmptyBlog(db);
  editing(db, (blog) => {
    blog.exec(`
      INSERT INTO tags (slug, name) VALUES ('go', 'Go'), ('golang', 'Go'), ('rust', 'Rust');
      INSERT INTO categories (slug, name) VALUES ('news', 'News');
      INSERT INTO authors (username, name) VALUES ('ada', 'Ada');`);
    insertPost(blog, { slug: 'first', tags: ['go', 'rust'], category: 'news', author: 'ada', views: 3 });
    insertPost(blog, { slug: 'second', tags: ['go', 'golang'], author: 'ada', views: 1 });
  });
  await publish(db, published);
});

let copies = 0;

/** An output whose snapshot has another text instead of an object, under the name of that text's hash. */
function forged(
  kind: ObjectKind,
  hash: ObjectHash,
  text: (before: string) => string | Uint8Array,
  from = published,
): string {
  const out = join(folder, `forged-${(copies += 1)}`);
  cpSync(from, out, { recursive: true });
  const put = (of: ObjectKind, content: string | Uint8Array): ObjectHash => {
    const name = objectHash(content);
    const path = join(out, objectPath(of, name));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return name;
  };
  const pointer = pointerOf(out);
  const read = (of: ObjectKind, name: ObjectHash) => readFileSync(join(out, objectPath(of, name)), 'utf8');
  const before = read(kind, hash);
  const after = text(before);
  expect(after).not.toBe(before);
  const forgery = put(kind, after);
  const snapshot =
    kind === 'directory'
      ? forgery
      : put('directory', read('directory', pointer.snapshot).replaceAll(hash, forgery));
  writeFileSync(join(out, POINTER_PATH), JSON.stringify({ ...pointer, snapshot }));
  return out;
}

const faultsOf = (out: string) => verifySnapshot(out, pointerOf(out)).faults;

/** An object of each kind that this blog's directory names. */
function anyOf(
  kind: Exclude<ObjectKind, 'directory' | 'changes' | 'names' | 'set_page' | 'popular_page' | 'suffixes'>,
): ObjectHash {
  const {
    pages,
    post_hashes: hashes,
    author_pages,
    views,
    popular,
    categories,
    tags,
    overview,
    files,
    names,
  } = directoryOf(published);
  const first = (table: (typeof names)['by_author']) =>
    table && 'inline' in table ? table.inline[0]?.[1] : undefined;
  const found = {
    ...{
      page: pages[0],
      post_hashes: hashes[0],
      authors: author_pages[0],
      views: views[0],
      popular: popular[0],
    },
    ...{ categories, tags, overview, file: files[0]?.hash },
    ...{ post: first(names.post), author: first(names.author), set: first(names.by_author) },
  }[kind];
  if (found === undefined) throw new Error(`The blog has no ${kind}.`);
  return found;
}

describe('verifying a snapshot', () => {
  test('finds nothing in an intact snapshot', () => {
    expect(faultsOf(published)).toEqual([]);
  });

  // An overview is served without parsing, so any bytes can be served.
  test.each(['post', 'page', 'views', 'popular', 'set', 'authors', 'categories', 'tags'] as const)(
    'finds an object that no gateway can read: %s',
    async (kind) => {
      const out = forged(kind, anyOf(kind), () => 'nonsense');
      expect(faultsOf(out)).not.toEqual([]);
      const { code, stderr } = await offprintInProcess(['snapshots', 'verify', '--out', out]);
      expect(code, stderr).toBe(1);
      expect(stderr).not.toContain('    at ');
    },
  );

  test('finds a page that loads files that the snapshot lacks', () => {
    const out = forged('file', anyOf('file'), (text) =>
      text.replace(/\/docs\/page\.\w+\.css/, '/docs/page.css'),
    );
    expect(faultsOf(out)).toEqual([
      {
        object: expect.stringMatching(/^objects\/file\/..\/\w{26}$/),
        fault: 'is the page at /, and loads /docs/page.css, which is missing',
      },
    ]);
  });

  test('finds a description that is not JSON', () => {
    const description = directoryOf(published).files.find(({ path }) => path === '/openapi.json');
    const out = forged('file', description?.hash ?? '', (text) => text.slice(1));
    expect(faultsOf(out).map(({ fault }) => fault)).toEqual([expect.stringMatching(/^cannot be decoded/)]);
  });

  test.each([
    ['post_hashes', /^\["(\w{26})","(\w{26})"/, '["$2","$1"', 'a list of articles by position'],
    ['directory', /"page_times":\[(\d+)/, '"page_times":[1', 'times of pages'],
  ] as const)('finds articles by position that differ from those by name: %s', (kind, right, wrong, what) => {
    const hash = kind === 'directory' ? pointerOf(published).snapshot : anyOf(kind);
    const out = forged(kind, hash, (text) => text.replace(right, wrong));
    expect(faultsOf(out).map(({ fault }) => fault)).toEqual([expect.stringContaining(`has ${what}`)]);
  });

  test('finds a record of changes that cannot be decoded', async () => {
    const [out, copy] = [join(folder, 'changed'), join(folder, 'changed.db')];
    cpSync(published, out, { recursive: true });
    cpSync(db, copy);
    editing(copy, (blog) => blog.exec("UPDATE posts SET title = 'Changed' WHERE id = 1"));
    await publish(copy, out);
    const [part] = pointerOf(out).changes?.parts ?? [];
    writeFileSync(join(out, objectPath('changes', part?.hash ?? '')), '{}');
    expect(faultsOf(out).map(({ object }) => object)).toEqual([expect.stringContaining('objects/changes/')]);
  });

  test('finds a search index that cannot be decoded or has other words', async () => {
    const [blog, whole] = [join(folder, 'indexed.db'), join(folder, 'indexed')];
    shortBlog(blog, 400, 7);
    await publish(blog, whole);
    expect(faultsOf(whole)).toEqual([]);
    const [first] = directoryOf(whole).suffixes;
    const forgedIndex = (bytes: string | Uint8Array) =>
      faultsOf(forged('suffixes', first?.[1] ?? '', () => bytes, whole));
    expect(forgedIndex('nonsense')).toEqual([
      {
        object: expect.stringContaining('objects/suffixes/'),
        fault: expect.stringMatching(/^cannot be decoded/),
      },
    ]);
    const [other] = wholeIndex(joinWords([collectWords([['other'], ['words']])]));
    expect(forgedIndex(other?.bytes ?? '')).toEqual([
      {
        object: expect.stringContaining('objects/directory/'),
        fault: 'has a search index that does not match the posts',
      },
    ]);
  });

  test.each([
    ['Go', /"slug":"go","posts_count":2/, '"slug":"go","posts_count":1'],
    ['Go', /"slug":"golang","posts_count":1/, '"slug":"golang","posts_count":2'],
    ['Rust', /"posts_count":1,"url":"[^"]*rust"/, '"posts_count":7,"url":"https://blog.example/tags/rust"'],
  ])('finds a tag with a wrong count: %s', (name, count, wrong) => {
    const out = forged('tags', anyOf('tags'), (text) => text.replace(count, wrong));
    expect(faultsOf(out).map(({ fault }) => fault)).toContainEqual(
      expect.stringMatching(new RegExp(`lists \\d posts with the tag "${name}"`)),
    );
  });
});
