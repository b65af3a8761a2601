import { PREFIX, SCOPES } from '../../contract/api.ts';
import { readAccounts } from '../../data/accounts/accounts.ts';
import { createKey } from '../../data/accounts/keys.ts';
import type { BlogDatabase } from '../../data/database.ts';
import { createCommand } from '../accounts-flags.ts';
import { colours } from '../colours.ts';
import { commandLine } from '../command-line.ts';
import type { Log } from '../log.ts';
import { givenOptions, type StartFlags } from '../options.ts';
import { printable } from '../printable.ts';
import type { Service } from '../service.ts';
import { counted, isOnTerminal } from '../terminal.ts';

/** A new key, or how to create one. */
type FirstKey = { readonly key: string } | { readonly hint: string; readonly command: string };

/** Creates the key of a first start, unless keys exist or others can read this log. */
export function firstKey(db: BlogDatabase, { form }: Log, options: StartFlags): FirstKey {
  const command = createCommand(options);
  if (readAccounts(db).length > 0) return { hint: 'use an existing one, or create one', command };
  if (form === 'json' || !isOnTerminal()) return { hint: 'none yet; create one', command };
  return createKey(db, { account: 'demo', name: 'created by the first start', scopes: SCOPES });
}

/** What a start says when it serves. */
export interface Welcome {
  readonly key: FirstKey;
  readonly cron: string;
  readonly isSample: boolean;
  /** Whether it follows a blog. */
  readonly isFollowing: boolean;
}

/** Says what is served and where: for people, or as an event of the log. */
export function welcome(
  { log, admin, gateway }: Service,
  options: StartFlags,
  { key, cron, isSample, isFollowing }: Welcome,
): void {
  const { url } = gateway;
  const { posts = 0, authors = 0, site } = gateway.snapshot()?.directory ?? {};
  const served = `${printable(site?.name ?? 'the blog')}: ${counted(posts, 'post')}, ${counted(authors, 'author')}`;
  if (log.form === 'json') {
    log.info(`serving ${served}`, { url, admin: admin?.url ?? null, posts, authors });
    return;
  }
  const lines = [
    '',
    `  ${colours.bold('Offprint')} is serving ${served}`,
    '',
    `  ${colours.dim('address')}   ${colours.cyan(url + PREFIX)}`,
    `  ${colours.dim('page')}      ${colours.cyan(`${url}/`)}`,
    ...(admin === null ? [] : [`  ${colours.dim('metrics')}   ${colours.cyan(`${admin.url}/metrics`)}`]),
    `  ${colours.dim('rebuild')}   on change (checked ${cron === '* * * * *' ? 'every minute' : `by "${cron}"`})`,
    ...('hint' in key
      ? [`  ${colours.dim('key')}       ${key.hint}:`, `  ${' '.repeat(10)}${key.command}`]
      : [
          `  ${colours.dim('key')}       ${colours.bold(key.key)}  ${colours.dim('shown only once')}`,
          '',
          `  curl "${url}${PREFIX}/posts?per_page=3" \\`,
          `    -H "Authorization: Bearer ${key.key}"`,
        ]),
    ...(isSample || (posts === 0 && !isFollowing)
      ? [
          '',
          `  ${colours.dim(`${isSample ? 'This is a sample' : 'Nothing is published'}. For your own blog, stop it and run:`)}`,
          `  ${commandLine(`start --import ~/blog${givenOptions(options, ['out', 'config'])}`)}`,
        ]
      : []),
    ...(posts === 0 && isFollowing
      ? [
          '',
          `  ${colours.dim('Nothing is published: the blog has no published posts, or all were left out.')}`,
        ]
      : []),
    '',
    `  ${colours.dim('Ctrl-C stops.')}`,
    '',
  ];
  console.log(lines.join('\n'));
}
