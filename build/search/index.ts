/** The search index of a snapshot: made again where a word of its posts changed, and kept otherwise. */
import { type Directory, indexedIn } from '../../contract/directory.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePage, PAGE_SIZE } from '../../contract/pages.ts';
import { indexedPosts } from '../../contract/suffix-tree.ts';
import type { Progress } from '../../common/progress.ts';
import type { Excerpts } from '../blog.ts';
import type { ObjectWriter } from '../object-writer.ts';
import { batchesOf, inParallel } from '../parallel.ts';
import { type Renderer, searchedWords } from '../renderer.ts';
import { AT_ONCE } from '../runs.ts';
import { parseSummary } from '../snapshots/records.ts';
import { editIndex, type WordsEdit } from './edited-index.ts';
import type { Piece } from './piece-writer.ts';
import { type IndexObject, PieceJoiner, unitsOf } from './suffix-tree.ts';
import { joinWords, type RunWords, type WordTable } from './words.ts';

/** Posts whose words are read as one piece of work. */
const POSTS_A_TASK = 8192;

/** Of so many posts the words change in place: that is quicker than to make the index as a whole. */
const FEW_EDITS = 50;

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
  readonly store: ObjectWriter;
  /** For so many posts. */
  readonly rendererFor: (posts: number) => Renderer;
  readonly progress: Progress;
}

export async function buildIndex(setting: IndexSetting): Promise<Directory['suffixes']> {
  const indexed = indexedPosts(setting.ids.length);
  if (indexed === 0) return [];
  return editedIndex(setting, indexed) ?? wholeIndex(setting, indexed);
}

/** The last build's index, changed where words changed; undefined where that does not do. */
function editedIndex(setting: IndexSetting, indexed: number): Directory['suffixes'] | undefined {
  const { before, pages, store } = setting;
  const edits = editsSince(setting, indexed);
  if (!before || !edits || edits.length > FEW_EDITS) return undefined;
  const known = new Map<number, string[][]>();
  const pageOf = (page: number) => {
    let words = known.get(page);
    if (!words) known.set(page, (words = wordsIn(store, pages[page] ?? '')));
    return words;
  };
  return editIndex({
    ...{ before: before.suffixes, indexed, edits },
    wordsOf: (position) => pageOf(Math.floor(position / PAGE_SIZE))[position % PAGE_SIZE] ?? [],
    read: (hash) => store.readBytes('suffixes', hash),
    put: (bytes) => store.put('suffixes', bytes),
  });
}

async function wholeIndex(setting: IndexSetting, indexed: number): Promise<Directory['suffixes']> {
  const { ids, store, rendererFor, progress } = setting;
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

/** The posts whose words changed since the last build; undefined: its index is not of as many posts, or its pages are damaged. */
function editsSince(
  { before, pages, store }: IndexSetting,
  indexed: number,
): readonly WordsEdit[] | undefined {
  if (!before || indexedIn(before) !== indexed) return undefined;
  const edits: WordsEdit[] = [];
  try {
    for (const [page, hash] of pages.slice(0, indexed / PAGE_SIZE).entries()) {
      const old = before.pages[page];
      if (old === undefined) return undefined;
      if (old === hash) continue;
      const was = wordsIn(store, old);
      for (const [i, words] of wordsIn(store, hash).entries()) {
        const earlier = was[i] ?? [];
        if (words.join(' ') === earlier.join(' ')) continue;
        edits.push({ position: page * PAGE_SIZE + i, before: earlier, after: words });
      }
    }
  } catch {
    return undefined;
  }
  return edits;
}

/** The words of each post of a page. */
function wordsIn(store: ObjectWriter, page: ObjectHash): string[][] {
  return decodePage(store.read('page', page)).map((line) => searchedWords(parseSummary(line)));
}
