/** Runs in each thread of a ThreadedRenderer. Each has its own database connection. */
import type { ObjectHash } from '../../contract/object-name.ts';
import type { Outcome, PagePost } from './blog.ts';
import { OutputUnwritable } from '../../common/errors.ts';
import type { HtmlAdditions } from '../html/policy.ts';
import { type Existing, ObjectWriter, type Written } from './object-writer.ts';
import { PlainRenderer } from './renderer.ts';
import type { Unit } from '../search/table-node.ts';
import type { Entry } from '../search/tree-writer.ts';
import type { RunWords, WordTable } from '../search/words.ts';
import type { Site } from './site.ts';
import { Source } from './source.ts';

/** The settings that all threads of a build share. */
export interface RenderSetting {
  readonly db: string;
  readonly out: string;
  readonly site: Site;
  readonly html: HtmlAdditions;
  /** `revision.content` in the build's own transaction: threads must see the same. */
  readonly content: number;
  readonly existing: Existing;
}

export interface RenderTask {
  readonly setting: RenderSetting;
  /** For `posts`. */
  readonly ids: readonly number[];
  /** For `pages` and `words`. */
  readonly posts: readonly PagePost[];
  /** For `suffixes`: the unit of the search index, and the words to make it from. */
  readonly index?: { readonly table: WordTable; readonly unit: Unit };
}

export interface TaskResults {
  readonly posts: Outcome[];
  readonly pages: ObjectHash[];
  readonly words: RunWords;
  readonly suffixes: Entry[];
}

/** Errors lose their class between threads, so expected errors are returned as values. */
export type TaskOutcome<T> =
  | { readonly kind: 'done'; readonly value: T; readonly written: Written }
  | { readonly kind: 'moved' }
  | { readonly kind: 'unwritable'; readonly path: string; readonly code: string };

export function posts(task: RenderTask): Promise<TaskOutcome<TaskResults['posts']>> {
  return running(task, ({ renderer }) => renderer.posts(task.ids));
}

export function pages(task: RenderTask): Promise<TaskOutcome<TaskResults['pages']>> {
  return running(task, ({ renderer }) => renderer.pages(task.posts));
}

export function words(task: RenderTask): Promise<TaskOutcome<TaskResults['words']>> {
  return running(task, ({ renderer }) => renderer.words(task.posts));
}

export function suffixes(task: RenderTask): Promise<TaskOutcome<TaskResults['suffixes']>> {
  const { index } = task;
  if (!index) throw new TypeError('A task for suffixes needs its words and unit.');
  return running(task, ({ renderer }) => renderer.suffixes(index.table, index.unit));
}

interface Thread {
  readonly renderer: PlainRenderer;
  readonly writer: ObjectWriter;
}

/** A thread reads each post a few times, far apart: more was no faster. */
const CACHE_KIB = 4096;

/** Created at the first task: one transaction for the lifetime of the thread. */
let thread: Thread | undefined;

async function running<T>(task: RenderTask, work: (thread: Thread) => Promise<T>): Promise<TaskOutcome<T>> {
  thread ??= begin(task.setting);
  if (!thread) return { kind: 'moved' };
  const before = thread.writer.written();
  try {
    const value = await work(thread);
    const after = thread.writer.written();
    const written = { objects: after.objects - before.objects, bytes: after.bytes - before.bytes };
    return { kind: 'done', value, written };
  } catch (error) {
    if (error instanceof OutputUnwritable) return { kind: 'unwritable', path: error.path, code: error.code };
    throw error;
  }
}

function begin({ db, out, site, html, content, existing }: RenderSetting): Thread | undefined {
  const source = new Source(db, CACHE_KIB);
  if (source.begin().content !== content) {
    source.close();
    return undefined;
  }
  const writer = new ObjectWriter(out, existing);
  return {
    renderer: new PlainRenderer(source, source.readTaxonomy([], []), site, html, writer),
    writer,
  };
}
