import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Tinypool } from 'tinypool';
import { programModule } from '../../common/program-files.ts';
import { describeFailure } from '../failure.ts';
import type { AccountsAnswer, AccountsOutcome, AccountsRequest } from './accounts-routes.ts';
import type * as thread from './accounts-thread.ts';

const IDLE_MS = 60_000;

/** How long an answer waits for the bucket: a healthy one takes a fraction of it. */
const UPLOAD_WAIT_MS = 2000;

/**
 * Answers requests about accounts in order, in a thread that exists while there are any. Changed keys reach the bucket
 * after they were changed here, by one upload at a time: a slow one cannot overwrite a later one.
 */
export class AccountsPool {
  readonly #place: thread.SentPlace;
  readonly #log: (message: string) => void;
  readonly #pool = new Tinypool({
    filename: pathToFileURL(programModule('cli/admin/accounts-thread')).href,
    // While an upload waits for the bucket, the thread answers other requests.
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: 100,
    idleTimeout: IDLE_MS,
  });
  readonly #changed = new Set<string>();
  #uploading: Promise<string | null> = Promise.resolve(null);
  /** Takes all keys that are changed before it begins; null: none waits. */
  #nextUpload: Promise<string | null> | null = null;

  constructor(place: thread.SentPlace, log: (message: string) => void) {
    this.#place = place;
    this.#log = log;
  }

  /** @throws Error of the thread */
  async answer(request: AccountsRequest): Promise<AccountsAnswer> {
    const task: Parameters<typeof thread.answer>[0] = [this.#place, request];
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- Tinypool has no types for what accounts-thread.ts gives.
    const { answer, prefixes, messages }: AccountsOutcome = await this.#pool.run(task, { name: 'answer' });
    for (const message of messages) this.#log(message);
    const { bucket } = this.#place;
    if (bucket === undefined || prefixes.length === 0) return answer;
    const late = `The change was made on this machine. ${bucket.to} has not answered yet; the upload continues.`;
    const warning = await Promise.race([this.#upload(prefixes), wait(UPLOAD_WAIT_MS, late)]);
    return warning === null ? answer : { ...answer, body: { ...answer.body, warning } };
  }

  /** @returns why it failed; null: it did not. `start` uploads again on its schedule */
  #upload(prefixes: readonly string[]): Promise<string | null> {
    for (const prefix of prefixes) this.#changed.add(prefix);
    this.#nextUpload ??= this.#uploading = this.#uploading.then(() => this.#uploadChanged());
    return this.#nextUpload;
  }

  async #uploadChanged(): Promise<string | null> {
    const task: Parameters<typeof thread.upload>[0] = [this.#place, [...this.#changed]];
    this.#changed.clear();
    this.#nextUpload = null;
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- as above
    const fault: string | null = await this.#pool.run(task, { name: 'upload' }).catch(describeFailure);
    if (fault !== null) this.#log(fault);
    return fault;
  }
}
