import { existsSync } from 'node:fs';
import { readPath } from '../../build/output/live-source.ts';
import { Source } from '../../build/snapshot/source.ts';
import { PREFIX } from '../../contract/api.ts';
import { colours } from '../colours.ts';
import { commandLine } from '../command-line.ts';
import { sourceOf, type StartFlags } from '../options.ts';
import { printable } from '../printable.ts';
import type { Service } from '../service.ts';
import type { Config } from '../settings.ts';
import { counted } from '../terminal.ts';
import type { FirstKey } from './first-key.ts';

/** What a start says when it serves. */
export interface Welcome {
  readonly key: FirstKey;
  readonly cron: string;
  readonly isSample: boolean;
}

/** Says what is served and where: for people, or as an event of the log. */
export function welcome(
  options: StartFlags,
  config: Config,
  { log, admin, gateway }: Service,
  { key, cron, isSample }: Welcome,
): void {
  const { url } = gateway;
  const { posts = 0, authors = 0 } = gateway.snapshot()?.directory ?? {};
  const name = printable(siteName(options, config));
  const served = `${name}: ${counted(posts, 'post')}, ${counted(authors, 'author')}`;
  if (log.form === 'json') {
    log.info(`serving ${served}`, { url, admin: admin.url, posts, authors });
    return;
  }
  const lines = [
    '',
    `  ${colours.bold('Offprint')} is serving ${served}`,
    '',
    `  ${colours.dim('address')}   ${colours.cyan(url + PREFIX)}`,
    `  ${colours.dim('page')}      ${colours.cyan(`${url}/`)}`,
    ...(admin.url === null ? [] : [`  ${colours.dim('metrics')}   ${colours.cyan(`${admin.url}/metrics`)}`]),
    `  ${colours.dim('rebuild')}   on change (checked ${cron === '* * * * *' ? 'every minute' : `by "${cron}"`})`,
    ...('hint' in key
      ? [`  ${colours.dim('key')}       ${key.hint}:`, `  ${' '.repeat(10)}${key.command}`]
      : [
          `  ${colours.dim('key')}       ${colours.bold(key.key)}  ${colours.dim('shown only once')}`,
          '',
          `  curl "${url}${PREFIX}/posts?per_page=3" \\`,
          `    -H "Authorization: Bearer ${key.key}"`,
        ]),
    ...(isSample
      ? [
          '',
          `  ${colours.dim('This is a sample. Your own blog:')}`,
          `  ${commandLine('import markdown FOLDER --db my.db --site URL')}`,
          `  ${commandLine('start --db my.db --out my-out')}`,
        ]
      : []),
    '',
    `  ${colours.dim('Ctrl-C stops.')}`,
    '',
  ];
  console.log(lines.join('\n'));
}

function siteName(options: StartFlags, config: Config): string {
  const path = readPath({ ...options, source: sourceOf(options, config) });
  // If a live database could not be read yet, the last snapshot is still served.
  if (!existsSync(path)) return config.site.name ?? 'the blog';
  const source = new Source(path);
  try {
    return source.readSite(config.site).name;
  } finally {
    source.close();
  }
}
