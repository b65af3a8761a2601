/** A thread for requests about accounts: neither a locked database nor thousands of keys hold up readers. */
import { type AccountsPlace, configuredLimits } from '../accounts.ts';
import { reportMerge } from '../keys.ts';
import { type AccountsAnswer, type AccountsRequest, answerAccounts } from './accounts-routes.ts';

/** Where accounts are, as it can be sent to a thread. */
export type SentPlace = Pick<AccountsPlace, 'db' | 'out' | 'bucket'> & {
  /** The path of the configuration, which may change meanwhile. */
  readonly config: string | undefined;
};

export interface AccountsTask {
  readonly place: SentPlace;
  readonly request: AccountsRequest;
}

export interface AccountsOutcome {
  readonly answer: AccountsAnswer;
  /** For the log. */
  readonly messages: readonly string[];
}

/** @throws Error that is nobody's mistake */
export default async function carryOut({ place, request }: AccountsTask): Promise<AccountsOutcome> {
  const messages: string[] = [];
  const { config, ...rest } = place;
  const answer = await answerAccounts(
    { ...rest, limits: configuredLimits(config), onMerge: reportMerge((message) => messages.push(message)) },
    request,
  );
  return { answer, messages };
}
