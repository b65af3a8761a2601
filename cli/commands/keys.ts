import { type Command, InvalidArgumentError } from 'commander';
import { colours } from '../colours.ts';
import { isScope, SCOPES, type Scope } from '../../contract/api.ts';
import { type CreatedKey, createKey, listKeys, revokeKey, rotateKey } from '../../data/accounts/keys.ts';
import { openForReading } from '../../data/database.ts';
import { checkBucket } from '../bucket.ts';
import { changingKeys, putKeys } from '../keys.ts';
import { command, type DatabaseFlags, keysDatabase } from '../options.ts';
import { readConfig } from '../settings.ts';
import { table } from '../terminal.ts';

interface Options extends DatabaseFlags {
  readonly out: string;
  readonly config?: string;
  readonly to?: string;
  readonly endpoint?: string;
  readonly json?: boolean;
}

interface CreateOptions extends Options {
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly admin?: boolean;
}

export function keysCommand(): Command {
  const shared = ['db', 'keys', 'out', 'config', 'json'] as const;
  const changing = [...shared, 'to', 'endpoint'] as const;
  return command(
    'keys',
    'make, list, revoke and rotate API keys',
    [],
    'keys create --account ada --name "my site"',
  )
    .addCommand(
      command(
        'create',
        'make a key; it is shown this once',
        changing,
        'keys create --account ada --name "my site"',
      )
        .requiredOption(
          '--account <name>',
          'whose key it is; the daily limit belongs to the account',
          notBlank,
        )
        .requiredOption('--name <text>', 'what the key is for', notBlank)
        .option('--scopes <list>', `permissions, of ${SCOPES.join(', ')}`, parseScopes, [...SCOPES])
        .option('--admin', "the account is an administrator's, with a higher daily limit")
        .action(create),
    )
    .addCommand(command('list', 'all keys', shared, 'keys list').action(list))
    .addCommand(
      command('revoke', 'take a key away for good', changing, 'keys revoke opk_1a2B3c4D')
        .argument('<prefix>', 'the part of the key up to the second underscore')
        .action(revoke),
    )
    .addCommand(
      command('rotate', 'replace a key by a new one', changing, 'keys rotate opk_1a2B3c4D')
        .argument('<prefix>', 'the part of the key up to the second underscore')
        .action(rotate),
    );
}

async function create({ account, name, scopes, admin = false, ...options }: CreateOptions): Promise<void> {
  checkBucket(options);
  const created = changingKeys(
    databaseOf(options),
    options.out,
    (open) => createKey(open, { account, name, scopes, admin }),
    true,
  );
  show(created, options.json);
  await putIntoBucket(options, [created.prefix]);
}

async function rotate(prefix: string, options: Options): Promise<void> {
  checkBucket(options);
  const created = changingKeys(databaseOf(options), options.out, (open) => rotateKey(open, prefix));
  show(created, options.json);
  await putIntoBucket(options, [created.prefix, prefix]);
}

async function revoke(prefix: string, { json, ...options }: Options): Promise<void> {
  checkBucket(options);
  changingKeys(databaseOf(options), options.out, (open) => revokeKey(open, prefix));
  await putIntoBucket(options, [prefix]);
  console.log(
    json
      ? JSON.stringify({ prefix, revoked: true })
      : `${colours.green('revoked')} ${prefix}, within 30 seconds`,
  );
}

/** A key that was made has been shown by now, and holds in the database: a bucket out of reach undoes nothing. */
async function putIntoBucket(options: Options, prefixes: readonly string[]): Promise<void> {
  const { to } = options;
  if (to !== undefined) await putKeys({ ...options, db: databaseOf(options), to }, prefixes);
}

function list({ json, ...options }: Options): void {
  const db = openForReading(databaseOf(options));
  const keys = listKeys(db);
  db.close();
  if (json) {
    console.log(JSON.stringify(keys));
    return;
  }
  if (keys.length === 0) {
    console.log('There are no keys yet. "keys create" makes one.');
    return;
  }
  const rows = keys.map(({ prefix, account, role, name, scopes, created_at, revoked_at }) => [
    ...[prefix, account, role, name, scopes.join(' ')],
    ...[created_at.slice(0, 10), revoked_at === null ? 'active' : `revoked ${revoked_at.slice(0, 10)}`],
  ]);
  console.log(table(['prefix', 'account', 'role', 'name', 'scopes', 'created', 'state'], rows));
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
    `${colours.green('created')} ${prefix} "${name}" of account ${account}, for ${scopes.join(', ')}.`,
  );
  console.log('Keep the key itself safe: it is shown this once.\n');
  console.log(`  ${key}\n`);
}

function notBlank(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be blank.');
  return text;
}

function parseScopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const scopes = names.filter(isScope);
  if (scopes.length < names.length) {
    const unknown = names.filter((name) => !isScope(name)).join(', ');
    throw new InvalidArgumentError(`There is no permission "${unknown}". There are ${SCOPES.join(', ')}.`);
  }
  return [...new Set(scopes)];
}
