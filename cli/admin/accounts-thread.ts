/** A thread for requests about accounts: neither a locked database nor thousands of keys hold up readers. */
import { type AccountsPlace, uploadKeys } from '../accounts.ts';
import { describeFailure } from '../failure.ts';
import { readConfig } from '../settings.ts';
import { type AccountsOutcome, type AccountsRequest, answerAccounts } from './accounts-routes.ts';

/** Where accounts are, as it can be sent to a thread. */
export type SentPlace = Pick<AccountsPlace, 'db' | 'out' | 'counts' | 'bucket'> & {
  /** The path of the configuration, which may change meanwhile. */
  readonly config: string | undefined;
};

/** Makes its changes on this machine before any `await`, so requests are handled in order. */
export function answer([place, request]: readonly [SentPlace, AccountsRequest]): Promise<AccountsOutcome> {
  return answerAccounts(accountsPlace(place), request);
}

/** Brings changed keys to the bucket. @returns why it failed; null: it did not */
export async function upload([place, prefixes]: readonly [SentPlace, string[]]): Promise<string | null> {
  return uploadKeys(accountsPlace(place), prefixes).then(() => null, describeFailure);
}

function accountsPlace({ config, ...rest }: SentPlace): AccountsPlace {
  return {
    ...rest,
    /** Read only for a plan: no mistake in it stops a revocation. @throws ExplainedError */
    get limits() {
      return readConfig(config).limits;
    },
  };
}
