import { pathToFileURL } from 'node:url';
import { Tinypool } from 'tinypool';
import { programModule } from '../../common/program-files.ts';
import type { AccountsAnswer, AccountsRequest } from './accounts-routes.ts';
import type { AccountsOutcome, AccountsTask, SentPlace } from './accounts-thread.ts';

const IDLE_MS = 60_000;

/** Answers requests about accounts in order, in a thread that exists while there are any. */
export class AccountsPool {
  readonly #place: SentPlace;
  readonly #log: (message: string) => void;
  readonly #pool = new Tinypool({
    filename: pathToFileURL(programModule('cli/admin/accounts-thread')).href,
    ...{ minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS },
  });

  constructor(place: SentPlace, log: (message: string) => void) {
    this.#place = place;
    this.#log = log;
  }

  /** @throws Error that is nobody's mistake */
  async answer(request: AccountsRequest): Promise<AccountsAnswer> {
    const task: AccountsTask = { place: this.#place, request };
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- Tinypool has no types for what accounts-thread.ts gives.
    const { answer, messages }: AccountsOutcome = await this.#pool.run(task);
    messages.forEach(this.#log);
    return answer;
  }
}
