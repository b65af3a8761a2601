import { SCOPES } from '../../contract/api.ts';
import { readAccounts } from '../../data/accounts/accounts.ts';
import { createKey } from '../../data/accounts/keys.ts';
import type { BlogDatabase } from '../../data/database.ts';
import { createCommand } from '../accounts-flags.ts';
import type { Log } from '../log.ts';
import type { StartFlags } from '../options.ts';
import { isOnTerminal } from '../terminal.ts';

/** A new key, or how to create one. */
export type FirstKey = { readonly key: string } | { readonly hint: string; readonly command: string };

/** Creates the key of a first start, unless keys exist or others can read this log. */
export function firstKey(db: BlogDatabase, { form }: Log, options: StartFlags): FirstKey {
  const command = createCommand(options);
  if (readAccounts(db).length > 0) return { hint: 'use one you created earlier, or', command };
  if (form === 'json' || !isOnTerminal()) return { hint: 'none yet; create one', command };
  return createKey(db, { account: 'demo', name: 'created by the first start', scopes: SCOPES });
}
