import type { Command } from 'commander';
import { changeAccount, dropAccount, keyState, listAccounts, showAccount, uploadKeys } from '../accounts.ts';
import {
  type AccountsFlags,
  checkedPlace,
  createCommand,
  parseName,
  accountsPlace,
} from '../accounts-flags.ts';
import { colours } from '../colours.ts';
import { confirm } from '../confirm.ts';
import { WrongUsage } from '../failure.ts';
import { command, mainCommand } from '../options.ts';
import { printable } from '../printable.ts';
import { noteOpenDatabase } from '../private-output.ts';
import { count, counted, printResult, table } from '../terminal.ts';

export function accountsCommand(): Command {
  const shared = ['db', 'out', 'settings', 'json'] as const;
  const changing = [...shared, 'to', 'endpoint'] as const;
  return mainCommand('accounts', [], 'accounts set ada --plan partner')
    .addCommand(command('accounts list', 'list all accounts', shared).action(list))
    .addCommand(
      command(
        'show',
        'show the plan, the keys and the usage of an account',
        [...shared, 'counts'],
        'accounts show ada',
      )
        .argument('<name>', 'the account')
        .action(show),
    )
    .addCommand(
      command('set', 'create an account, or change its plan', changing, 'accounts set ada --plan partner')
        .argument('<name>', 'the account', parseName)
        .requiredOption('--plan <name>', 'the plan: user, admin, or another in limits.day of offprint.json')
        .action(set),
    )
    .addCommand(
      command('remove', 'revoke all keys of an account and remove it', changing, 'accounts remove ada')
        .argument('<name>', 'the account')
        .option('--yes', 'do not ask for confirmation')
        .action(remove),
    );
}

function list({ json, ...options }: AccountsFlags): void {
  const accounts = listAccounts(accountsPlace(options), new Date());
  const rows = accounts.map(({ name, plan, keys }) => [name, plan, count(keys)]);
  const text =
    rows.length === 0
      ? `There are no accounts yet. The first key creates one: ${createCommand(options)}`
      : table(['account', 'plan', 'keys'], rows);
  printResult(json, accounts, text);
}

async function show(name: string, { json, ...options }: AccountsFlags): Promise<void> {
  const now = new Date();
  const account = await showAccount(accountsPlace(options), name, now);
  const { used, keys } = account;
  const rows = keys.map((key) => [
    key.prefix,
    key.name,
    key.created_at.slice(0, 10),
    key.expires_at?.slice(0, 10) ?? '',
    keyState(key, now),
  ]);
  const text = [
    `${colours.bold(printable(account.name))}, plan ${account.plan}`,
    `used    ${counted(used.today, 'request')} today, ${count(used.month)} this month\n`,
    keys.length === 0
      ? `It has no keys. Create one: ${createCommand(options, name)}`
      : table(['prefix', 'name', 'created', 'expires', 'state'], rows),
  ];
  printResult(json, account, text.join('\n'));
}

async function set(
  name: string,
  { plan, json, ...options }: AccountsFlags & { readonly plan: string },
): Promise<void> {
  const place = checkedPlace(options);
  const { result, prefixes } = changeAccount(place, name, plan);
  noteOpenDatabase(place.db, console.error);
  const { account, before } = result;
  printResult(
    json,
    { name: account.name, plan: account.plan, before },
    `${colours.green(before === null ? 'created' : 'changed')} account ${printable(account.name)}: plan ${plan}` +
      `${before === null || before === plan ? '' : ` (was ${before})`}. Gateways apply it within 30 seconds.`,
  );
  await uploadKeys(place, prefixes);
}

async function remove(
  name: string,
  { yes, json, ...options }: AccountsFlags & { readonly yes?: boolean },
): Promise<void> {
  const place = checkedPlace(options);
  if (!yes) {
    const { name: shown, keys } = await showAccount(place, name, new Date());
    const active = keys.filter(({ revoked_at }) => revoked_at === null).length;
    if (!(await confirm(`Remove the account "${shown}" and permanently revoke ${counted(active, 'key')}?`)))
      throw new WrongUsage('Nothing was changed. Add --yes to remove an account without confirmation.');
  }
  const { result, prefixes } = dropAccount(place, name);
  printResult(
    json,
    result,
    `${colours.green('removed')} account ${printable(result.name)}: ${counted(prefixes.length, 'key')} revoked. ` +
      'They stop working within 30 seconds.',
  );
  await uploadKeys(place, prefixes);
}
