/** The search index of a snapshot: made again where a word of its posts changed, and kept otherwise. */
import { type Directory, indexedIn } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePage, PAGE_SIZE } from '../../contract/pages.ts';
import { indexedPosts } from '../../contract/suffix-tree.ts';
import type { Progress } from '../../common/progress.ts';
import type { Excerpts } from '../blog.ts';
import type { ObjectStore } from '../object-writer.ts';
import { batchesOf, inParallel } from '../parallel.ts';
import { type Renderer, searchedWords } from '../renderer.ts';
import { AT_ONCE } from '../runs.ts';
import { parseSummary } from '../snapshots/records.ts';
import { type IndexObject, type Piece, PieceJoiner, unitsOf } from './suffix-tree.ts';
import { joinWords, type RunWords, type WordTable } from './words.ts';

/** Posts whose words are read as one piece of work. */
const POSTS_A_TASK = 8192;

/** What the index is made from. */
export interface IndexSetting {
  /** The posts of the snapshot, by position. */
  readonly ids: readonly number[];
  /** Their pages of summaries. */
  readonly pages: readonly ObjectHash[];
  /** The descriptions that texts give to some of these posts. */
  readonly excerptsOf: (ids: readonly number[]) => Excerpts;
  /** The last build's directory, if there was one. */
  readonly before: Directory | undefined;
  /** Reads pages, and gets the index. */
  readonly store: ObjectStore;
  /** For so many posts. */
  readonly rendererFor: (posts: number) => Renderer;
  readonly progress: Progress;
}

export async function buildIndex(setting: IndexSetting): Promise<Directory['suffixes']> {
  const { ids, pages, before, store, rendererFor, progress } = setting;
  const indexed = indexedPosts(ids.length);
  if (before && hasSameWords(store, before, pages, indexed)) return before.suffixes;
  if (indexed === 0) return [];

  const renderer = rendererFor(indexed);
  const table = await readWords(setting, ids.slice(0, indexed), renderer);
  const units = unitsOf(table);
  const objects: (readonly [string, ObjectHash])[] = [];
  const put = ({ first, bytes }: IndexObject) => objects.push([first, store.put('suffixes', bytes)]);
  const joiner = new PieceJoiner();
  // What is ready is written in the order of the units, and not kept.
  const ready = new Map<number, readonly Piece[]>();
  let next = 0;
  progress.begin('search index', units.length);
  await inParallel(units.entries(), AT_ONCE, async ([i, unit]) => {
    ready.set(i, await renderer.suffixes(table, unit));
    for (let pieces = ready.get(next); pieces; pieces = ready.get(next)) {
      ready.delete(next++);
      for (const object of joiner.add(pieces)) put(object);
    }
    progress.advance(1);
  });
  for (const object of joiner.end()) put(object);
  progress.end();
  return objects;
}

async function readWords(
  { excerptsOf, progress }: IndexSetting,
  ids: readonly number[],
  renderer: Renderer,
): Promise<WordTable> {
  const batches = [...batchesOf(ids, POSTS_A_TASK)];
  const runs: RunWords[] = [];
  progress.begin('words', batches.length);
  await inParallel(batches.entries(), AT_ONCE, async ([i, posts]) => {
    runs[i] = await renderer.words(posts, excerptsOf(posts));
    progress.advance(1);
  });
  progress.end();
  return joinWords(runs);
}

/** Whether the index of the last build is of the same posts with the same words. */
function hasSameWords(
  store: ObjectStore,
  before: Directory,
  pages: readonly ObjectHash[],
  indexed: number,
): boolean {
  if (indexedIn(before) !== indexed) return false;
  try {
    return pages
      .slice(0, indexed / PAGE_SIZE)
      .every((hash, page) => hash === before.pages[page] || wordsIn(hash) === wordsIn(before.pages[page]!));
  } catch {
    return false; // A page of the last build is damaged.
  }

  function wordsIn(page: ObjectHash): string {
    const summaries = decodePage(store.read('page', page)).map(parseSummary);
    return JSON.stringify(summaries.map((summary) => [summary.slug, searchedWords(summary)]));
  }
}
