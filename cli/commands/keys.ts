import { type Command, InvalidArgumentError } from 'commander';
import { checkKeysOutput } from '../../build/output/output-guard.ts';
import { colours } from '../colours.ts';
import { isScope, SCOPES, type Scope } from '../../contract/api.ts';
import { namedPrefix } from '../../contract/api-key.ts';
import { nameFault } from '../../data/accounts/account-name.ts';
import { changingKeys } from '../../data/accounts/change-keys.ts';
import {
  type CreatedKey,
  createKey,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
} from '../../data/accounts/keys.ts';
import { type BlogDatabase, readingFrom } from '../../data/database.ts';
import { type BucketFlags, checkBucket } from '../bucket.ts';
import { WrongUsage } from '../failure.ts';
import { putKeys, reportMerge } from '../keys.ts';
import {
  command,
  type CommandFlags,
  type DatabaseFlags,
  keysDatabase,
  mainCommand,
  sourceOf,
} from '../options.ts';
import { printable } from '../printable.ts';
import { noteOpenDatabase } from '../private-output.ts';
import { readConfig } from '../settings.ts';
import { isOnTerminal, table } from '../terminal.ts';

type Options = DatabaseFlags & CommandFlags & Partial<BucketFlags>;

type CreateOptions = Options & Omit<NewKey, 'admin'> & Partial<Pick<NewKey, 'admin'>>;

export function keysCommand(): Command {
  const shared = ['db', 'keys', 'out', 'config', 'json'] as const;
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
        .option('--scopes <list>', `permissions: ${SCOPES.join(', ')}`, parseScopes, [...SCOPES])
        .option('--admin', "the account is an administrator's, with a higher daily limit")
        .action(create),
    )
    .addCommand(command('list', 'list all keys', shared, 'keys list').action(list))
    .addCommand(
      command('revoke', 'revoke a key permanently', changing, 'keys revoke opk_1a2B3c4D')
        .argument('<prefix>', 'the key up to its second underscore, or all of it', namedPrefix)
        .action(revoke),
    )
    .addCommand(
      command(
        'rotate',
        'replace a key and print the new one once (in a terminal or with --json)',
        changing,
        'keys rotate opk_1a2B3c4D',
      )
        .argument('<prefix>', 'the key up to its second underscore, or all of it', namedPrefix)
        .action(rotate),
    );
}

async function create({ account, name, scopes, admin = false, ...options }: CreateOptions): Promise<void> {
  checkOutput(options);
  checkBucket(options);
  const created = changeKeys(options, (db) => createKey(db, { account, name, scopes, admin }), true);
  show(created, options.json);
  await putIntoBucket(options, [created.prefix]);
}

async function rotate(prefix: string, options: Options): Promise<void> {
  checkOutput(options);
  checkBucket(options);
  const created = changeKeys(options, (db) => rotateKey(db, prefix));
  show(created, options.json);
  await putIntoBucket(options, [created.prefix, prefix]);
}

async function revoke(prefix: string, { json, ...options }: Options): Promise<void> {
  checkBucket(options);
  changeKeys(options, (db) => revokeKey(db, prefix));
  await putIntoBucket(options, [prefix]);
  console.log(
    json
      ? JSON.stringify({ prefix, revoked: true })
      : `${colours.green('revoked')} ${printable(prefix)}: it stops working within 30 seconds`,
  );
}

/** @param mayMake whether to create a missing database */
function changeKeys<T>(options: Options, change: (db: BlogDatabase) => T, mayMake = false): T {
  const db = writableDatabase(options);
  const result = changingKeys(db, options.out, change, { mayMake, onMerge: reportMerge() });
  noteOpenDatabase(db, console.error);
  return result;
}

/** Keys are shown to a person, or to a program with `--json`, but never left in a file. */
function checkOutput({ json }: Options): void {
  if (json || isOnTerminal()) return;
  throw new WrongUsage(
    'A new key is printed only to a terminal, and standard output is not one. ' +
      'Nothing was changed. Add --json to get the key as JSON.',
  );
}

/** The new key was already shown and is in the database: an unreachable bucket does not undo it. */
async function putIntoBucket(options: Options, prefixes: readonly string[]): Promise<void> {
  const { to } = options;
  if (to !== undefined) await putKeys({ ...options, db: databaseOf(options), to }, prefixes);
}

function list({ json, ...options }: Options): void {
  const keys = readingFrom(databaseOf(options), listKeys);
  if (json) {
    console.log(JSON.stringify(keys));
    return;
  }
  if (keys.length === 0) {
    console.log('There are no keys yet. Create one with "keys create".');
    return;
  }
  const rows = keys.map(({ prefix, account, role, name, scopes, created_at, revoked_at }) => [
    ...[prefix, account, role, name, scopes.length === SCOPES.length ? 'all' : scopes.join(' ')],
    ...[created_at.slice(0, 10), revoked_at === null ? 'active' : `revoked ${revoked_at.slice(0, 10)}`],
  ]);
  console.log(table(['prefix', 'account', 'role', 'name', 'scopes', 'created', 'state'], rows));
}

/**
 * The database of keys. If it also contains the blog, it must be the blog that the output serves; a separate one belongs
 * to no blog.
 *
 * @throws OtherBlog, DatabaseError
 */
function writableDatabase(options: Options): string {
  const config = readConfig(options.config);
  const { db, out, keys } = options;
  if (keys === undefined && sourceOf(options, config) === undefined) checkKeysOutput({ db, out }, config);
  return keysDatabase(options, config);
}

function databaseOf(options: Options): string {
  return keysDatabase(options, readConfig(options.config));
}

function show(created: CreatedKey, json: boolean | undefined): void {
  if (json) {
    console.log(JSON.stringify(created));
    return;
  }
  const { key, prefix, account, name, scopes } = created;
  console.log(
    `${colours.green('created')} ${prefix} "${printable(name)}" of account ${printable(account)}, for ${scopes.join(', ')}.`,
  );
  console.log('Store the key now: it is shown only once.\n');
  console.log(`  ${key}\n`);
}

function parseName(text: string): string {
  const fault = nameFault(text);
  if (fault !== null) throw new InvalidArgumentError(`This name is not allowed: ${fault}.`);
  return text;
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
