import { pathToFileURL } from 'node:url';
import { Tinypool } from 'tinypool';
import { SourceMoved, ThreadTooSmall } from '../errors.ts';
import { OutputUnwritable } from '../../common/errors.ts';
import { programModule } from '../../common/program-files.ts';
import type { ObjectWriter } from './object-writer.ts';
import type { RenderSetting, RenderTask, TaskOutcome } from './render-thread.ts';
import type { Given, Made, Renderer, TaskKind } from './renderer.ts';

/** A thread's heap, in MB: batches are small, and their garbage is collected soon. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 24 };

/** Renders on all cores. Each thread reads the database and stages objects itself. */
export class ThreadedRenderer implements Renderer {
  readonly #setting: RenderSetting;
  readonly #store: ObjectWriter;
  readonly #pool: Tinypool;

  /** @param store counts what the threads stage */
  constructor(setting: RenderSetting, store: ObjectWriter, threads: number) {
    this.#setting = setting;
    this.#store = store;
    this.#pool = new Tinypool({
      filename: pathToFileURL(programModule('build/snapshot/render-thread')).href,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: THREAD_LIMITS,
    });
  }

  readonly posts = (given: Given<'posts'>) => this.#run('posts', given);
  readonly pages = (given: Given<'pages'>) => this.#run('pages', given);
  readonly words = (given: Given<'words'>) => this.#run('words', given);
  readonly suffixes = (given: Given<'suffixes'>) => this.#run('suffixes', given);

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  /** @throws SourceMoved, ThreadTooSmall, OutputUnwritable */
  async #run<Kind extends TaskKind>(kind: Kind, given: Given<Kind>): Promise<Made<Kind>> {
    const task: RenderTask<Kind> = { setting: this.#setting, kind, given };
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- Tinypool has no types for what render-thread.ts gives.
    const outcome: TaskOutcome<Made<Kind>> = await this.#pool.run(task).catch(explained);
    switch (outcome.kind) {
      case 'moved':
        throw new SourceMoved();
      case 'unwritable':
        throw new OutputUnwritable(outcome.path, outcome.code);
      case 'done':
        this.#store.count(outcome.written);
        return outcome.value;
    }
  }
}

function explained(error: unknown): never {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  throw isFull ? new ThreadTooSmall() : error;
}
