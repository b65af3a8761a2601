import { pathToFileURL } from 'node:url';
import { Tinypool } from 'tinypool';
import type { ObjectHash } from '../../contract/object-name.ts';
import type { Outcome, PagePost } from './blog.ts';
import { SourceMoved, ThreadTooSmall } from '../errors.ts';
import { OutputUnwritable } from '../../common/errors.ts';
import { programModule } from '../../common/program-files.ts';
import type { Written } from './object-writer.ts';
import type { RenderSetting, RenderTask, TaskOutcome, TaskResults } from './render-thread.ts';
import type { Renderer } from './renderer.ts';
import type { Unit } from '../search/table-node.ts';
import type { Entry } from '../search/tree-writer.ts';
import type { RunWords, WordTable } from '../search/words.ts';

/** A thread's heap, in MB: batches are small, and their garbage is collected soon. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 24 };

/** Renders on all cores. Each thread reads the database and stages objects itself. */
export class ThreadedRenderer implements Renderer {
  readonly #setting: RenderSetting;
  readonly #pool: Tinypool;
  #objects = 0;
  #bytes = 0;

  constructor(setting: RenderSetting, threads: number) {
    this.#setting = setting;
    this.#pool = new Tinypool({
      filename: pathToFileURL(programModule('build/snapshot/render-thread')).href,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: THREAD_LIMITS,
    });
  }

  posts(ids: readonly number[]): Promise<Outcome[]> {
    return this.#run('posts', { ids });
  }

  pages(posts: readonly PagePost[]): Promise<ObjectHash[]> {
    return this.#run('pages', { posts });
  }

  words(posts: readonly PagePost[]): Promise<RunWords> {
    return this.#run('words', { posts });
  }

  suffixes(table: WordTable, unit: Unit): Promise<Entry[]> {
    return this.#run('suffixes', { index: { table, unit } });
  }

  async close(): Promise<Written> {
    await this.#pool.destroy();
    return { objects: this.#objects, bytes: this.#bytes };
  }

  /** @throws SourceMoved, ThreadTooSmall, OutputUnwritable */
  async #run<Kind extends keyof TaskResults>(
    kind: Kind,
    given: Partial<Omit<RenderTask, 'setting'>>,
  ): Promise<TaskResults[Kind]> {
    const task: RenderTask = { setting: this.#setting, ids: [], posts: [], ...given };
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- Tinypool has no types for what render-thread.ts gives.
    const outcome: TaskOutcome<TaskResults[Kind]> = await this.#pool
      .run(task, { name: kind })
      .catch(explained);
    switch (outcome.kind) {
      case 'moved':
        throw new SourceMoved();
      case 'unwritable':
        throw new OutputUnwritable(outcome.path, outcome.code);
      case 'done':
        this.#objects += outcome.written.objects;
        this.#bytes += outcome.written.bytes;
        return outcome.value;
    }
  }
}

function explained(error: unknown): never {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  throw isFull ? new ThreadTooSmall() : error;
}
