import { isDeepStrictEqual } from 'node:util';
import type { Summary } from '../../contract/api.ts';
import { searchedWords } from '../../contract/search/search-text.ts';
import { wholeIndex } from '../../bench/generate/whole-index.ts';
import { collectWords, joinWords } from '../../build/search/words.ts';
import { objectHash } from '../../common/object-hash.ts';
import type { Directory } from '../../contract/directory.ts';
import { FILTER_NAMES, type FilterName, FILTERS } from '../../contract/filters.ts';
import { pageStart } from '../../contract/pages.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { indexedPosts } from '../../contract/search/suffix-tree.ts';
import {
  brokenObjects,
  directoryOf,
  namesOf,
  positionsIn,
  reachableIn,
  readLines,
  readObject,
} from './output.ts';

/**
 * Makes again what a snapshot derives from its summaries, and names the parts that differ. With plain SQL, which says the
 * summaries and what else can be read (plain-sql.ts), this covers the whole snapshot.
 */
export function derivedFaults(out: string): string[] {
  const broken = brokenObjects(out, reachableIn(out));
  if (broken.length > 0) return broken;
  const directory = directoryOf(out);
  const pages = directory.pages.map((hash) => readLines(out, hash));
  const lines = pages.flatMap(({ records }) => records);
  const summaries = lines.map(parseSummary);
  const details = new Map(namesOf(out, directory.names.post).map(([slug, hash]) => [slug, hash]));
  const keys = summaries.map(({ slug, published_at: time }) => ({ time: Date.parse(time) / 1000, slug }));
  const index = wholeIndex(
    joinWords([collectWords(summaries.slice(0, indexedPosts(directory.posts)).map(searchedWords))]),
  );
  const parts: readonly (readonly [part: string, is: unknown, expected: unknown])[] = [
    [
      'bodies',
      pages.flatMap(({ columns }) => columns['bodies']),
      summaries.map(({ slug }) => details.get(slug)),
    ],
    [
      'page_times',
      directory.page_times,
      keys.flatMap((key, at) => (at % PAGE_SIZE === 0 ? [pageStart(key, keys[at - 1])] : [])),
    ],
    ['most viewed', mostViewed(out, directory), expectedMostViewed(out, directory, lines)],
    ['suffixes', directory.suffixes, index.map(({ first, bytes }) => [first, objectHash(bytes)])],
  ];
  return [
    ...parts.filter(([, is, expected]) => !isDeepStrictEqual(is, expected)).map(([part]) => part),
    ...setFaults(out, directory, lines),
  ];
}

/** The summaries that a blog too large for a pack has copies of. */
const [IN_PACK, MOST_VIEWED, NEWEST_OF_SET] = [1024, 100, 50];

function mostViewed(out: string, { most_viewed: hash }: Directory): unknown {
  return hash === null ? null : readLines(out, hash);
}

function expectedMostViewed(out: string, { posts, popular }: Directory, lines: readonly string[]): unknown {
  const byViews = popular.flatMap((hash): number[] => JSON.parse(readObject(out, 'numbers', hash)));
  if (posts <= IN_PACK || byViews.length === 0) return null;
  const positions = byViews.slice(0, MOST_VIEWED);
  return { columns: {}, records: positions.map((position) => lines[position]) };
}

const parseSummary = (line: string): Summary => JSON.parse(line);

/** Values that must find an article. Others may too, such as a tag's slug, which its summary does not show. */
const VALUES: Readonly<Record<FilterName, (summary: Summary) => readonly string[]>> = {
  category: ({ category }) => (category ? [category.slug] : []),
  tag: ({ tags }) => tags,
  author: ({ author }) => (author ? [author.username] : []),
};

/** Each value of a summary must find its post, and a set's summaries must be those of its newest positions. */
function setFaults(out: string, { names, posts }: Directory, lines: readonly string[]): string[] {
  return FILTER_NAMES.flatMap((name) => {
    const { table, key } = FILTERS[name];
    const faults: string[] = [];
    const sets = new Map<string, ReadonlySet<number>>();
    for (const [value, hash, lineHash] of namesOf(out, names[table] ?? { inline: [] })) {
      const positions = positionsIn(out, hash);
      sets.set(value, new Set(positions));
      const newest = posts > IN_PACK ? positions.slice(-NEWEST_OF_SET) : [];
      // The union of several sets has none.
      if (lineHash === undefined) continue;
      const isRight = isDeepStrictEqual(
        readLines(out, String(lineHash)).records,
        newest.map((position) => lines[position]),
      );
      if (!isRight) faults.push(`summaries of ${name} ${value}`);
    }
    for (const [position, line] of lines.entries())
      for (const value of VALUES[name](parseSummary(line)))
        if (!sets.get(key(value))?.has(position)) faults.push(`${name} ${value} lacks a post`);
    return faults;
  });
}
