/** The search index of a snapshot: an update of the last build's, or a new one. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Directory } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { Lines } from '../../contract/lines.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { searchedIn, searchedWords } from '../../contract/search/search-text.ts';
import { indexedPosts, maxTreePosts } from '../../contract/search/suffix-tree.ts';
import type { Progress } from '../../common/progress.ts';
import type { Post } from '../snapshot/blog.ts';
import type { BuildMemory } from '../snapshot/memory.ts';
import type { ObjectWriter } from '../snapshot/object-writer.ts';
import { inParallel, splitBatches } from '../snapshot/parallel.ts';
import type { Renderer } from '../snapshot/renderer.ts';
import { CONCURRENCY } from '../snapshot/pages.ts';
import type { PostChange } from '../snapshot/posts.ts';
import { editIndex, type WordsEdit } from './edited-index.ts';
import { ObjectCutter } from './object-cutter.ts';
import { numberPosts } from './post-numbers.ts';
import { divideIndex } from './table-node.ts';
import type { NewEntry } from './tree-writer.ts';
import { joinWords, type RunWords, type WordTable } from './words.ts';

/** Posts whose words are read in one task. */
const POSTS_A_TASK = 8192;

/** If the words of more posts changed, a new index is faster: more than 300, and more than one in 100. */
const FEW_EDITS = 300;
const FEW_OF = 100;

/** Cached pages during an update. */
const CACHED_PAGES = 4000;

/** The inputs of the index. */
interface IndexSetting {
  /** By position. */
  readonly posts: readonly Post[];
  /** What was rendered or removed since the last build. */
  readonly changes: readonly PostChange[];
  /** The pages of summaries. */
  readonly pages: readonly ObjectHash[];
  readonly memory: BuildMemory;
  /** The last build's directory, if there was one. */
  readonly before: Directory | undefined;
  /** Reads pages, and stores the index. */
  readonly store: ObjectWriter;
  /** A renderer for this number of posts. */
  readonly rendererFor: (posts: number) => Promise<Renderer>;
  readonly progress: Progress;
}

export async function buildIndex(setting: IndexSetting): Promise<Directory['suffixes']> {
  const indexed = indexedPosts(setting.posts.length);
  if (indexed === 0) return [];
  return changedIndex(setting, indexed) ?? newIndex(setting, indexed);
}

/** Updates the last build's index; undefined: there is none, too much changed, or it is damaged. */
function changedIndex(
  { posts, changes, pages, before, store }: IndexSetting,
  indexed: number,
): Directory['suffixes'] | undefined {
  const indexedBefore = indexedPosts(before?.posts ?? 0);
  if (!before || indexedBefore === 0 || maxTreePosts(indexedBefore) !== maxTreePosts(indexed))
    return undefined;
  const { numbers, positions, changed } = numberPosts(posts, changes, indexedBefore, indexed);
  if (changed.length > Math.max(FEW_EDITS, indexed / FEW_OF)) return undefined;
  const [wordsBefore, wordsNow] = [wordsIn(store, before.pages), wordsIn(store, pages)];
  try {
    const edits = changed.flatMap(({ number, was, is }): WordsEdit[] => {
      const [had, has] = [wordsBefore(was), wordsNow(is)];
      return had.join(' ') === has.join(' ') ? [] : [{ number, before: had, after: has }];
    });
    if (edits.length === 0 && !positions) return before.suffixes;
    return editIndex({
      objects: before.suffixes,
      indexed: indexedBefore,
      indexedNow: indexed,
      numbers,
      positions,
      edits,
      getWords: (number) => wordsNow(positions ? positions[number] : number),
      read: (hash) => store.read('suffixes', hash),
      put: (bytes) => store.put('suffixes', bytes),
    });
  } catch {
    return undefined;
  }
}

/** Returns a function: the words of the post at a position; empty if it is undefined. */
function wordsIn(
  store: ObjectWriter,
  pages: readonly ObjectHash[],
): (position: number | undefined) => readonly string[] {
  const read = new Map<number, Lines>();
  return (position) => {
    if (position === undefined) return [];
    const page = Math.floor(position / PAGE_SIZE);
    let lines = read.get(page);
    if (!lines) {
      if (read.size === CACHED_PAGES) read.clear();
      read.set(page, (lines = new Lines(store.read('lines', pages[page] ?? ''))));
    }
    return searchedWords(searchedIn(lines.at(position % PAGE_SIZE) ?? ''));
  };
}

async function newIndex(setting: IndexSetting, indexed: number): Promise<Directory['suffixes']> {
  const { posts, store, rendererFor, progress } = setting;
  const renderer = await rendererFor(indexed);
  const table = await readWords(setting, posts.slice(0, indexed), renderer);
  const units = divideIndex(table);
  const objects: (readonly [string, ObjectHash])[] = [];
  const cutter = new ObjectCutter(({ first, bytes }) => objects.push([first, store.put('suffixes', bytes)]));
  // Results are written in the order of the units, as soon as possible, to free their memory.
  const ready = new Map<number, readonly NewEntry[]>();
  let next = 0;
  progress.begin('search index', units.length);
  await inParallel(units.entries(), CONCURRENCY, async ([i, unit]) => {
    ready.set(i, await renderer.suffixes({ table, unit }));
    for (let entries = ready.get(next); entries; entries = ready.get(next)) {
      ready.delete(next++);
      for (const entry of entries) {
        cutter.add(entry);
        for (const { buffer } of [entry.list, entry.tree]) free(buffer);
      }
    }
    progress.advance(1);
  });
  cutter.end();
  progress.end();
  return objects;
}

/** Frees memory at once. V8 would collect it when there are 100 MB more. */
function free(buffer: ArrayBufferLike): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The index needs most memory, and the sets and pages before it left garbage of 100 bytes for each post. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

async function readWords(
  { memory, progress }: IndexSetting,
  posts: readonly Post[],
  renderer: Renderer,
): Promise<WordTable> {
  const batches = [...splitBatches(posts, POSTS_A_TASK)];
  const runs: RunWords[] = [];
  progress.begin('words', batches.length);
  await inParallel(batches.entries(), CONCURRENCY, async ([i, some]) => {
    runs[i] = await renderer.words(memory.pagePosts(some.map(({ id }) => id)));
    progress.advance(1);
  });
  progress.end();
  collectGarbage();
  return joinWords(runs);
}
