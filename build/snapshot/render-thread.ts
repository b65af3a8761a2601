/** Runs in each thread of a ThreadedRenderer. Each has its own database connection. */
import { OutputUnwritable } from '../../common/errors.ts';
import type { HtmlAdditions } from '../html/policy.ts';
import { type Existing, ObjectWriter, type WrittenObjects } from './object-writer.ts';
import { type Given, type Made, PlainRenderer, type Renderer, type TaskKind } from './renderer.ts';
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

export interface RenderTask<Kind extends TaskKind> {
  readonly setting: RenderSetting;
  readonly kind: Kind;
  readonly given: Given<Kind>;
}

/** Errors lose their class between threads, so expected errors are returned as values. */
export type TaskOutcome<T> =
  | { readonly kind: 'done'; readonly value: T; readonly written: WrittenObjects }
  | { readonly kind: 'moved' }
  | { readonly kind: 'unwritable'; readonly path: string; readonly code: string };

interface Thread {
  readonly renderer: Renderer;
  readonly writer: ObjectWriter;
}

/** A thread reads each post a few times, far apart: more was no faster. */
const CACHE_KIB = 4096;

/** Created at the first task: one transaction for the lifetime of the thread. */
let thread: Thread | undefined;

export default async function run<Kind extends TaskKind>(
  task: RenderTask<Kind>,
): Promise<TaskOutcome<Made<Kind>>> {
  thread ??= begin(task.setting);
  if (!thread) return { kind: 'moved' };
  const before = thread.writer.written();
  try {
    const value = await thread.renderer[task.kind](task.given);
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
