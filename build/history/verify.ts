import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ArticleKey, compareKeys } from '../../contract/article-order.ts';
import { decodeColumn } from '../../contract/columns.ts';
import { type Directory, parseDirectory } from '../../contract/directory.ts';
import { objectHash } from '../../common/object-hash.ts';
import { messageOf } from '../../common/thrown.ts';
import { FILTER_NAMES, type FilterName, FILTERS } from '../../contract/filters.ts';
import { Names, type NameEntries, type NameTable, tagKey } from '../../contract/name-table.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import { decodePage, PAGE_SIZE } from '../../contract/pages.ts';
import { decodePostHashes, pageStart } from '../../contract/post-hashes.ts';
import { decodePositions, decodeSet, fullPages } from '../../contract/sets.ts';
import { type NamedObject, OBJECT_KINDS } from '../../contract/object-kinds.ts';
import type { Pointer } from '../../contract/pointer.ts';
import type { ObjectStore } from '../snapshot/object-writer.ts';
import { makePopularPages } from '../snapshot/popular-pages.ts';
import { searchedWords } from '../snapshot/renderer.ts';
import { indexedPosts } from '../../contract/search/suffix-tree.ts';
import { wholeIndex } from '../search/whole-index.ts';
import { collectWords, joinWords } from '../search/words.ts';
import {
  parseAuthor,
  parseDetail,
  parseSummary,
  parseTerms,
  type StoredSummary as Summary,
} from './records.ts';
import { objectsOf, objectsOfLog, readNames, readObject } from './reachable.ts';

export interface VerifyReport {
  readonly snapshot: ObjectHash;
  readonly objects: number;
  readonly bytes: number;
  /** Empty: nothing is wrong. */
  readonly faults: readonly Fault[];
}

/** Something that is wrong with an object. */
export interface Fault {
  /** The object's path in the output. */
  readonly object: string;
  readonly fault: string;
}

/** Whether the record of changes can be continued: all its objects exist and match their hashes. */
export function isChangeLogIntact(out: string, pointer: Pick<Pointer, 'changes'>): boolean {
  return objectsOfLog(pointer).every(({ kind, hash }) => {
    const content = contentOf(join(out, objectPath(kind, hash)));
    return content !== null && objectHash(content) === hash;
  });
}

/**
 * Proves that a snapshot can be served. Reads all its objects, compares each with the hash in its name, and decodes it.
 * If all are intact, it compares them with each other: every list, count, set, column and index must follow from the
 * summaries and details.
 *
 * @param pointer names the snapshot and, if it is the current one, the record of changes
 */
export function verifySnapshot(out: string, pointer: Pick<Pointer, 'snapshot' | 'changes'>): VerifyReport {
  const { snapshot } = pointer;
  const faults: Fault[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  try {
    for (const { kind, hash } of objectsNamed(out, pointer)) {
      const path = objectPath(kind, hash);
      if (seen.has(path)) continue;
      seen.add(path);
      const content = contentOf(join(out, path));
      bytes += content?.length ?? 0;
      if (content === null) faults.push({ object: path, fault: 'is missing' });
      else if (objectHash(content) !== hash) {
        faults.push({ object: path, fault: 'does not match the hash in its name' });
      } else {
        const fault = decodingFault(() => OBJECT_KINDS[kind].decode(Uint8Array.from(content)));
        if (fault !== null) faults.push({ object: path, fault });
      }
    }
  } catch (error) {
    const fault = `names an object that cannot be read: ${messageOf(error)}`;
    if (faults.length === 0) faults.push({ object: objectPath('directory', snapshot), fault });
  }
  if (faults.length === 0) {
    const fault = decodingFault(() => {
      for (const found of crossCheck(out, snapshot)) faults.push(found);
    });
    if (fault !== null) faults.push({ object: objectPath('directory', snapshot), fault });
  }
  return { snapshot, objects: seen.size, bytes, faults };
}

function* objectsNamed(out: string, pointer: Pick<Pointer, 'snapshot' | 'changes'>): Generator<NamedObject> {
  yield* objectsOfLog(pointer);
  yield* objectsOf(out, pointer.snapshot);
}

function decodingFault(decode: () => unknown): string | null {
  try {
    decode();
    return null;
  } catch (error) {
    return `cannot be decoded: ${messageOf(error)}`;
  }
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function* crossCheck(out: string, snapshot: ObjectHash): Generator<Fault> {
  const directory = parseDirectory(readObject(out, 'directory', snapshot));
  const summaries = directory.pages.flatMap((hash) =>
    decodePage(readObject(out, 'page', hash)).map(parseSummary),
  );
  const fault = (text: string): Fault => ({ object: objectPath('directory', snapshot), fault: text });
  if (summaries.length !== directory.posts) {
    yield fault(`says ${directory.posts} posts, but its pages have ${summaries.length}`);
    return;
  }
  yield* checkOrder(summaries, fault);
  yield* checkDetails(out, directory, summaries, fault);
  yield* checkPositions(out, directory, summaries, fault);
  yield* checkSets(out, directory, summaries, fault);
  yield* checkFormerSlugs(out, directory, summaries, fault);
  yield* checkColumns(out, directory, fault);
  yield* checkSearch(directory, summaries, fault);
  yield* checkFiles(out, directory, fault);
}

type FaultOf = (text: string) => Fault;

function* checkOrder(summaries: readonly Summary[], fault: FaultOf): Generator<Fault> {
  for (const [i, summary] of summaries.entries()) {
    const before = summaries[i - 1];
    if (before && compareKeys(articleKey(before), articleKey(summary)) >= 0)
      yield fault(`has "${before.slug}" before "${summary.slug}", in the wrong order`);
  }
}

function articleKey({ slug, published_at: time }: Summary): ArticleKey {
  return { time: Date.parse(time) / 1000, slug };
}

function* checkDetails(
  out: string,
  { names }: Directory,
  summaries: readonly Summary[],
  fault: FaultOf,
): Generator<Fault> {
  const details = new Names(readNames(out, names.post));
  if (details.size !== summaries.length)
    yield fault(`names ${details.size} articles for ${summaries.length} summaries`);
  for (const summary of summaries) {
    const [, hash] = details.get(summary.slug) ?? [];
    if (hash === undefined) {
      yield fault(`has a summary of "${summary.slug}", but no article`);
      continue;
    }
    const data = parseDetail(readObject(out, 'post', hash));
    const isSame =
      data.slug === summary.slug &&
      data.title === summary.title &&
      data.published_at === summary.published_at &&
      JSON.stringify(data.tags) === JSON.stringify(summary.tags);
    if (!isSame)
      yield { object: objectPath('post', hash), fault: `differs from the summary of "${summary.slug}"` };
  }
}

/** Checks the lists by position: articles' objects and times of pages. */
function* checkPositions(
  out: string,
  { names, post_hashes: lists, page_times: times }: Directory,
  summaries: readonly Summary[],
  fault: FaultOf,
): Generator<Fault> {
  const details = new Names(readNames(out, names.post));
  const hashes = lists.flatMap((hash) => decodePostHashes(readObject(out, 'post_hashes', hash)));
  if (hashes.join() !== summaries.map(({ slug }) => details.get(slug)?.[1]).join()) {
    yield fault('has a list of articles by position that does not match their names');
  }
  const keys = summaries.map(articleKey);
  const starts = keys.flatMap((key, position) =>
    position % PAGE_SIZE === 0 ? [pageStart(key, keys[position - 1])] : [],
  );
  if (JSON.stringify(times) !== JSON.stringify(starts))
    yield fault('has times of pages that do not match their articles');
}

function* checkFormerSlugs(
  out: string,
  { names }: Directory,
  summaries: readonly Summary[],
  fault: FaultOf,
): Generator<Fault> {
  const found = readNames(out, names.moved).map(([former, slug]) => JSON.stringify([former, slug]));
  const listed = summaries.flatMap(({ slug, former_slugs: former = [] }) =>
    former.map((name) => JSON.stringify([name, slug])),
  );
  if (found.sort().join() !== listed.sort().join())
    yield fault('has former slugs that do not match those of its articles');
}

function* checkSets(
  out: string,
  directory: Directory,
  summaries: readonly Summary[],
  fault: FaultOf,
): Generator<Fault> {
  const listed = { category: categorySizes(out, directory), author: authorSizes(out, directory) };
  for (const name of ['category', 'author'] as const) {
    const entries = readNames(out, directory.names[FILTERS[name].table]);
    yield* compareSets(out, entries, positionsOf(name, summaries), name, fault, listed[name]);
  }
  for (const name of FILTER_NAMES) yield* checkFilter(out, directory, name, summaries, fault);
  yield* checkSetPages(out, directory);
  yield* checkTags(out, directory, summaries, fault);
}

/** The positions of the posts with each value of a filter. */
function positionsOf(name: 'category' | 'author', summaries: readonly Summary[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [position, summary] of summaries.entries()) {
    for (const value of FILTERS[name].valuesOf(summary))
      void (positions.get(value)?.push(position) ?? positions.set(value, [position]));
  }
  return positions;
}

/** Each value in a summary must find its post. */
function* checkFilter(
  out: string,
  directory: Directory,
  name: FilterName,
  summaries: readonly Summary[],
  fault: FaultOf,
): Generator<Fault> {
  const { table, key, valuesOf } = FILTERS[name];
  const names = directory.names[table];
  if (!names) return; // The snapshot is older than this filter.
  const sets = setsOf(out, names);
  const lacking = new Set<string>();
  for (const [position, summary] of summaries.entries()) {
    for (const value of valuesOf(summary)) if (!sets.get(key(value))?.has(position)) lacking.add(value);
  }
  for (const value of lacking) yield fault(`lacks posts of ${name} "${value}"`);
}

/** The summaries of a set must be those of its positions. */
function* checkSetPages(out: string, { pages, names }: Directory): Generator<Fault> {
  const linesOf = (kind: 'page' | 'set_page') => (hash: ObjectHash) =>
    decodePage(readObject(out, kind, hash));
  const all = pages.flatMap(linesOf('page'));
  for (const [, hash, listed] of FILTER_NAMES.flatMap((name) => readNames(out, names[FILTERS[name].table]))) {
    if (!listed) continue;
    const { positions, newest } = decodeSet(readFileSync(join(out, objectPath('set', hash))));
    const found = [...listed.pages.flatMap(linesOf('set_page')), ...newest];
    const isRight =
      listed.size === positions.length &&
      listed.pages.length === fullPages(listed.size) &&
      found.length === listed.size &&
      positions.every((position, rank) => found[rank] === all[position]);
    if (!isRight) yield { object: objectPath('set', hash), fault: 'has summaries of other posts' };
  }
}

function setsOf(out: string, names: NameTable | undefined): Map<string, ReadonlySet<number>> {
  return new Map(
    readNames(out, names).map(([key, hash]) => [key, new Set(decodePositions(readObject(out, 'set', hash)))]),
  );
}

/**
 * Summaries contain the names of tags, but not their slugs. So each key that belongs to only one tag must find as many
 * posts as the list of tags says.
 */
function* checkTags(
  out: string,
  { names, tags }: Directory,
  summaries: readonly Summary[],
  fault: FaultOf,
): Generator<Fault> {
  const sets = setsOf(out, names.with_tag);
  const listed = parseTerms(readObject(out, 'tags', tags));
  const counts = new Map<string, number>();
  for (const name of summaries.flatMap((summary) => summary.tags))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const said = new Map<string, number>();
  const sharing = new Map<string, number>();
  for (const { name, slug, posts_count } of listed) {
    said.set(name, (said.get(name) ?? 0) + posts_count);
    for (const key of new Set([tagKey(slug), tagKey(name)])) sharing.set(key, (sharing.get(key) ?? 0) + 1);
  }
  for (const name of new Set([...counts.keys(), ...said.keys()])) {
    const [count = 0, listedCount = 0] = [counts.get(name), said.get(name)];
    if (count !== listedCount)
      yield fault(`lists ${listedCount} posts with the tag "${name}", but has ${count}`);
  }
  const exact = names.with_exact_tag && setsOf(out, names.with_exact_tag);
  for (const { slug, posts_count } of listed) {
    const key = tagKey(slug);
    const found = sets.get(key)?.size;
    const one = exact?.get(slug) ?? (key === slug ? sets.get(key) : undefined);
    if (exact && one?.size !== posts_count) {
      yield fault(
        `lists ${posts_count} posts with the tag "${slug}", but finds ${one?.size ?? 0} by its exact slug`,
      );
    }
    if (sharing.get(key) === 1 ? found !== posts_count : (found ?? 0) < posts_count) {
      yield fault(`lists ${posts_count} posts with the tag "${slug}", but finds ${found ?? 'none'}`);
    }
  }
}

function* compareSets(
  out: string,
  entries: NameEntries,
  expected: ReadonlyMap<string, readonly number[]>,
  what: string,
  fault: FaultOf,
  listed: ReadonlyMap<string, number>,
): Generator<Fault> {
  for (const name of expected.keys()) {
    if (!entries.some(([known]) => known === name)) yield fault(`has posts of ${what} "${name}", but no set`);
  }
  for (const [name, hash] of entries) {
    const found = decodePositions(readObject(out, 'set', hash));
    const right = expected.get(name) ?? [];
    if (found.length !== right.length || !right.every((position, i) => found[i] === position)) {
      yield { object: objectPath('set', hash), fault: `is not the set of ${what} "${name}"` };
    }
    if (listed.get(name) !== right.length) {
      yield fault(
        `lists ${listed.get(name) ?? 'no'} posts of ${what} "${name}", but there are ${right.length}`,
      );
    }
  }
}

function categorySizes(out: string, { categories }: Directory): Map<string, number> {
  const listed = parseTerms(readObject(out, 'categories', categories));
  return new Map(listed.map(({ slug, posts_count }) => [slug, posts_count]));
}

function authorSizes(out: string, { author_pages }: Directory): Map<string, number> {
  const authors = author_pages.flatMap((hash) =>
    decodePage(readObject(out, 'authors', hash)).map(parseAuthor),
  );
  return new Map(authors.map(({ username, posts_count }) => [username, posts_count]));
}

function* checkColumns(out: string, directory: Directory, fault: FaultOf): Generator<Fault> {
  const views = directory.views.flatMap((hash) => decodeColumn(readObject(out, 'views', hash)));
  if (views.length !== directory.posts) yield fault(`has view counts of ${views.length} posts`);
  const right = views.flatMap((count, position) => (count > 0 ? position : []));
  right.sort((a, b) => (views[b] ?? 0) - (views[a] ?? 0) || b - a);
  const popular = directory.popular.flatMap((hash) => decodeColumn(readObject(out, 'popular', hash)));
  if (
    popular.length !== right.length ||
    directory.viewed !== right.length ||
    popular.some((at, i) => at !== right[i])
  ) {
    yield fault('has an order by views that does not match the view counts');
  }
  const store: ObjectStore = {
    put: (_, text) => objectHash(text),
    read: (kind, hash) => readObject(out, kind, hash),
  };
  if (makePopularPages(directory, store).join() !== directory.popular_pages.join())
    yield fault('has pages of the most viewed posts that do not match the view counts and summaries');
}

/** Paths of files must be unique, JSON files valid, and all assets of a page in the snapshot. */
function* checkFiles(out: string, { files }: Directory, fault: FaultOf): Generator<Fault> {
  const paths = new Set(files.map(({ path }) => path));
  if (paths.size !== files.length) yield fault('names two files by the same path');
  for (const { path, type, hash } of files) {
    const object = objectPath('file', hash);
    if (type.startsWith('application/json')) {
      const invalid = decodingFault(() => JSON.parse(readObject(out, 'file', hash)));
      if (invalid !== null) yield { object, fault: invalid };
    } else if (type.startsWith('text/html')) {
      const loaded = readObject(out, 'file', hash).matchAll(/(?:src|href)="(\/docs\/[^"]*)"/g);
      for (const [, asset = ''] of loaded) {
        if (!paths.has(asset))
          yield { object, fault: `is the page at ${path}, and loads ${asset}, which is missing` };
      }
    }
  }
}

function* checkSearch(directory: Directory, summaries: readonly Summary[], fault: FaultOf): Generator<Fault> {
  const indexed = summaries.slice(0, indexedPosts(directory.posts));
  const objects = wholeIndex(joinWords([collectWords(indexed.map(searchedWords))]));
  const right = objects.map(({ first, bytes }) => [first, objectHash(bytes)]);
  if (JSON.stringify(right) !== JSON.stringify(directory.suffixes))
    yield fault('has a search index that does not match the posts');
}
