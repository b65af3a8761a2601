import { isDeepStrictEqual } from 'node:util';
import { makePopularPages } from '../../build/snapshot/popular-pages.ts';
import { searchedWords } from '../../build/snapshot/renderer.ts';
import { parseSummary } from '../../build/history/records.ts';
import { wholeIndex } from '../../build/search/whole-index.ts';
import { collectWords, joinWords } from '../../build/search/words.ts';
import { objectHash } from '../../common/object-hash.ts';
import type { Directory } from '../../contract/directory.ts';
import { FILTER_NAMES, FILTERS } from '../../contract/filters.ts';
import { objectPath } from '../../contract/object-name.ts';
import { decodePage, PAGE_SIZE } from '../../contract/pages.ts';
import { decodePostHashes, pageStart } from '../../contract/post-hashes.ts';
import { indexedPosts } from '../../contract/search/suffix-tree.ts';
import { decodeSet, fullPages } from '../../contract/sets.ts';
import { brokenObjects, directoryOf, namesOf, reachableIn, readObject } from './output.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes again what a snapshot derives from its summaries, and names the parts that differ. With plain SQL, which says the
 * summaries and what else can be read (plain-sql.ts), this covers the whole snapshot.
 */
export function derivedFaults(out: string): string[] {
  const broken = brokenObjects(out, reachableIn(out));
  if (broken.length > 0) return broken;
  const directory = directoryOf(out);
  const lines = directory.pages.flatMap((hash) => decodePage(readObject(out, 'page', hash)));
  const summaries = lines.map(parseSummary);
  const details = new Map(namesOf(out, directory.names.post).map(([slug, hash]) => [slug, hash]));
  const keys = summaries.map(({ slug, published_at: time }) => ({ time: Date.parse(time) / 1000, slug }));
  const index = wholeIndex(
    joinWords([collectWords(summaries.slice(0, indexedPosts(directory.posts)).map(searchedWords))]),
  );
  const parts: readonly (readonly [part: string, is: unknown, expected: unknown])[] = [
    [
      'post_hashes',
      directory.post_hashes.flatMap((hash) => decodePostHashes(readObject(out, 'post_hashes', hash))),
      summaries.map(({ slug }) => details.get(slug)),
    ],
    [
      'page_times',
      directory.page_times,
      keys.flatMap((key, at) => (at % PAGE_SIZE === 0 ? [pageStart(key, keys[at - 1])] : [])),
    ],
    [
      'popular_pages',
      directory.popular_pages,
      makePopularPages(directory, {
        put: (_, text) => objectHash(text),
        read: (kind, hash) => readObject(out, kind, hash),
      }),
    ],
    ['suffixes', directory.suffixes, index.map(({ first, bytes }) => [first, objectHash(bytes)])],
  ];
  return [
    ...parts.filter(([, is, expected]) => !isDeepStrictEqual(is, expected)).map(([part]) => part),
    ...setFaults(out, directory, lines),
  ];
}

/** Each value of a summary must find its post, and a set's summaries must be those of its positions. */
function setFaults(out: string, { names }: Directory, lines: readonly string[]): string[] {
  return FILTER_NAMES.flatMap((name) => {
    const { table, key, valuesOf } = FILTERS[name];
    const faults: string[] = [];
    const sets = new Map<string, ReadonlySet<number>>();
    for (const [value, hash, listed] of namesOf(out, names[table] ?? { inline: [] })) {
      const { positions, newest } = decodeSet(readFileSync(join(out, objectPath('set', hash))));
      sets.set(value, new Set(positions));
      if (!listed) continue;
      const pages = listed.pages.flatMap((page) => decodePage(readObject(out, 'set_page', page)));
      const right = Array.from(positions, (position) => lines[position]);
      const isRight =
        listed.size === right.length &&
        listed.pages.length === fullPages(listed.size) &&
        isDeepStrictEqual([...pages, ...newest], right);
      if (!isRight) faults.push(`summaries of ${name} ${value}`);
    }
    for (const [position, line] of lines.entries())
      for (const value of valuesOf(parseSummary(line)))
        if (!sets.get(key(value))?.has(position)) faults.push(`${name} ${value} lacks a post`);
    return faults;
  });
}
