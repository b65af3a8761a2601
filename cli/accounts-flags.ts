import { InvalidArgumentError } from 'commander';
import { checkKeysOutput } from '../build/output/output-guard.ts';
import { nameFault } from '../data/accounts/account-name.ts';
import type { AccountsPlace } from './accounts.ts';
import { type BucketFlags, checkBucket } from './bucket.ts';
import { shellQuoted } from '../common/shell.ts';
import { commandLine } from './command-line.ts';
import { parseExpiry } from './expiry.ts';
import { type CommandFlags, type Configured, type DatabaseFlags, givenOptions } from './options.ts';

/** Options of the commands about accounts and keys, as commander returns them. */
export type AccountsFlags = DatabaseFlags &
  CommandFlags &
  Configured &
  Partial<BucketFlags> & { readonly counts?: string };

/** Where accounts are read. */
export function accountsPlace({ db, out, counts, settings, to, endpoint }: AccountsFlags): AccountsPlace {
  return {
    db,
    out,
    counts,
    limits: settings.limits,
    bucket: to === undefined ? undefined : { to, endpoint },
  };
}

/**
 * Where accounts are changed. The database must have the blog that the output serves.
 *
 * @throws OtherBlog, DatabaseError, WrongUsage, CredentialsMissing
 */
export function checkedPlace(flags: AccountsFlags): AccountsPlace {
  checkBucket(flags);
  checkKeysOutput(flags, flags.settings);
  return accountsPlace(flags);
}

/** The command that creates a key in the same place. */
export function createCommand(flags: DatabaseFlags & CommandFlags, account = 'NAME'): string {
  const given = givenOptions(flags, ['db', 'out', 'config']);
  return commandLine(`keys create --account ${shellQuoted(account)} --name TEXT${given}`);
}

/** A name of an account or a key. */
export function parseName(text: string): string {
  const fault = nameFault(text);
  if (fault !== null) throw new InvalidArgumentError(`This name is not allowed: ${fault}.`);
  return text;
}

/** A time in the future, as an option. */
export function parseFuture(text: string): Date {
  const time = parseExpiry(text, new Date());
  if (typeof time === 'string') throw new InvalidArgumentError(`It ${time}.`);
  return time;
}
