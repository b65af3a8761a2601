import { type Command, InvalidArgumentError, Option } from 'commander';
import { ExplainedError } from '../../common/errors.ts';
import { messageOf } from '../../common/thrown.ts';
import { colours } from '../colours.ts';
import { isScope, SCOPES, type Scope } from '../../contract/api.ts';
import { namedPrefix } from '../../contract/api-key.ts';
import { type CreatedKey, type NewKey, type Rotation, storedKeys } from '../../data/accounts/keys.ts';
import { readingFrom } from '../../data/database.ts';
import {
  type AccountsPlace,
  addKey,
  allKeys,
  type Changed,
  dropKey,
  keyState,
  replaceKey,
  uploadKeys,
} from '../accounts.ts';
import {
  type AccountsFlags,
  checkedPlace,
  createCommand,
  parseFuture,
  parseName,
  accountsPlace,
} from '../accounts-flags.ts';
import { describeExpiring } from '../expiry.ts';
import { WrongUsage } from '../failure.ts';
import { command, mainCommand } from '../options.ts';
import { printable } from '../printable.ts';
import { noteOpenDatabase } from '../private-output.ts';
import { isOnTerminal, moment, outputFault, printResult, table } from '../terminal.ts';

type CreateOptions = AccountsFlags & NewKey;

export function keysCommand(): Command {
  const shared = ['db', 'out', 'settings', 'json'] as const;
  const changing = [...shared, 'to', 'endpoint'] as const;
  return mainCommand('keys', [], 'keys create --account ada --name "my site"')
    .addCommand(
      command(
        'create',
        'create a key and print it once (in a terminal or with --json)',
        changing,
        'keys create --account ada --name "my site"',
      )
        .requiredOption(
          '--account <name>',
          "the key's account; all keys of an account share its daily limit",
          parseName,
        )
        .requiredOption('--name <text>', 'what the key is for', parseName)
        .addOption(
          new Option('--scopes <list>', `permissions, separated by commas: ${SCOPES.join(', ')}`)
            .argParser(parseScopes)
            .default([...SCOPES], 'all'),
        )
        .option(
          '--plan <name>',
          'plan of a new account: user, admin, or another plan in limits.day; default: user',
        )
        .option('--expires <time>', 'expiry: 2027-01-01, 2027-01-01T12:00:00Z, or 90d', parseFuture)
        .action(create),
    )
    .addCommand(command('keys list', 'list all keys', shared).action(list))
    .addCommand(
      command('revoke', 'revoke a key permanently', changing, 'keys revoke opk_1a2B3c4D')
        .argument('<prefix>', 'the key, or its prefix (up to the second underscore)', namedPrefix)
        .action(revoke),
    )
    .addCommand(
      command(
        'rotate',
        'replace a key and print the new one once (in a terminal or with --json)',
        changing,
        'keys rotate opk_1a2B3c4D',
      )
        .argument('<prefix>', 'the key, or its prefix (up to the second underscore)', namedPrefix)
        .option(
          '--grace <time>',
          'how long the old key keeps working, such as 7d; default: it stops immediately',
          parseFuture,
        )
        .option('--expires <time>', 'expiry of the new key; default: the same as the old key', parseFuture)
        .action(rotate),
    );
}

async function create({
  account,
  name,
  scopes,
  plan,
  expires,
  json,
  ...options
}: CreateOptions): Promise<void> {
  await change(options, json, (place) => addKey(place, { account, name, scopes, plan, expires }));
}

async function rotate(
  prefix: string,
  { grace, expires, json, ...options }: AccountsFlags & Rotation,
): Promise<void> {
  await change(options, json, (place) => replaceKey(place, prefix, new Date(), { grace, expires }));
}

async function revoke(prefix: string, { json, ...options }: AccountsFlags): Promise<void> {
  const place = checkedPlace(options);
  const { prefixes } = dropKey(place, prefix);
  noteOpenDatabase(place.db, console.error);
  printResult(
    json,
    { prefix, revoked: true },
    `${colours.green('revoked')} ${printable(prefix)}: it stops working within 30 seconds`,
  );
  await uploadKeys(place, prefixes);
}

/**
 * Creates a key and shows it, to a person or to a program with `--json`: it is never left in a file. After that an
 * unreachable bucket does not undo it.
 */
async function change(
  options: AccountsFlags,
  json: boolean | undefined,
  create: (place: AccountsPlace) => Changed<CreatedKey>,
): Promise<void> {
  if (!json && !isOnTerminal())
    throw new WrongUsage(
      'A new key is printed only to a terminal, and standard output is not one. ' +
        'Nothing was changed. Add --json to get the key as JSON.',
    );
  const place = checkedPlace(options);
  const { result, prefixes } = create(place);
  noteOpenDatabase(place.db, console.error);
  printResult(json, result, describeCreated(result));
  const fault = await outputFault();
  if (fault !== null) {
    dropKey(place, result.prefix);
    throw new ExplainedError(
      `The output could not be written (${messageOf(fault)}), so the new key ${result.prefix} was revoked. Create another.`,
    );
  }
  await uploadKeys(place, prefixes);
}

function list({ json, ...options }: AccountsFlags): void {
  const { db: path, out } = accountsPlace(options);
  const { keys, records } = readingFrom(path, (db) => ({
    keys: allKeys(db, out),
    records: storedKeys(db).map(({ record }) => record),
  }));
  const now = new Date();
  const rows = keys.map((key) => [
    key.prefix,
    key.account,
    key.plan,
    key.name,
    key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(' '),
    key.created_at.slice(0, 10),
    key.expires_at?.slice(0, 10) ?? '',
    keyState(key, now),
  ]);
  const soon = describeExpiring(records, now);
  const text =
    rows.length === 0
      ? `There are no keys yet. Create one: ${createCommand(options)}`
      : table(['prefix', 'account', 'plan', 'name', 'scopes', 'created', 'expires', 'state'], rows) +
        (soon === null ? '' : `\n\n${colours.yellow('expiring')} ${printable(soon)}`);
  printResult(json, keys, text);
}

function describeCreated({ key, prefix, account, name, scopes, expires_at }: CreatedKey): string {
  const until = expires_at === null ? '' : `, until ${moment(expires_at)}`;
  return (
    `${colours.green('created')} ${prefix} "${printable(name)}" of account ${printable(account)}, for ${scopes.join(', ')}${until}.\n` +
    `Store the key now: it is shown only once.\n\n  ${key}\n`
  );
}

function parseScopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const scopes = names.filter(isScope);
  if (scopes.length < names.length) {
    const unknown = names.filter((name) => !isScope(name)).join(', ');
    throw new InvalidArgumentError(`There is no permission "${unknown}". Choose from ${SCOPES.join(', ')}.`);
  }
  return [...new Set(scopes)];
}
