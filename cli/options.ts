import { Command, InvalidArgumentError, Option } from 'commander';
import type { BuildOptions } from '../build/build.ts';
import { DEFAULT_CONNECTIONS } from '../common/bucket/target.ts';
import type { Progress } from '../common/progress.ts';
import { shellQuoted } from '../common/shell.ts';
import { commandLine } from './command-line.ts';
import { COMMAND_LIST, type CommandName } from './command-list.ts';
import { colours } from './colours.ts';
import {
  DEFAULT_CONFIG,
  DEFAULT_DB,
  DEFAULT_HOST,
  DEFAULT_OUT,
  DEFAULT_PORT,
  readConfig,
  type ReadConfig,
} from './settings.ts';
import { VERSION } from './version.ts';

/** Log formats of a service (log.ts). */
const LOG_FORMS = ['off', 'text', 'json'] as const;
export type LogForm = (typeof LOG_FORMS)[number];

export interface AdminAddress {
  readonly host: string;
  readonly port: number;
}

/** `9090`, `127.0.0.1:9090`, `[::1]:9090`; without a host, only this machine. */
function parseAdminAddress(text: string): AdminAddress {
  const [, ipv6, name, digits] = /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw new InvalidArgumentError('It must be a port, or a host and a port, such as 127.0.0.1:9090.');
  return { host: ipv6 ?? name ?? '127.0.0.1', port };
}

/** Options shared by several commands, some with a fallback to an environment variable. */
export const OPTIONS = {
  db: () =>
    new Option('--db <file>', "the blog's database").default(DEFAULT_DB, 'data/blog.db').env('OFFPRINT_DB'),
  out: () =>
    new Option('--out <folder>', 'the output folder').default(DEFAULT_OUT, 'out').env('OFFPRINT_OUT'),
  config: () =>
    new Option(
      '--config <file>',
      `the configuration file; default: ${DEFAULT_CONFIG.split('/').at(-1)}, if it exists`,
    ).env('OFFPRINT_CONFIG'),
  counts: () =>
    new Option(
      '--counts <address>',
      'PostgreSQL database for counting across processes: postgres://USER@HOST/DATABASE; default: one process, in --out',
    ).env('OFFPRINT_COUNTS'),
  host: () => new Option('--host <address>', 'address to listen on').default(DEFAULT_HOST).env('HOST'),
  port: () =>
    new Option('--port <number>', 'port to listen on; 0: any free port')
      .default(DEFAULT_PORT)
      .env('PORT')
      .argParser(numberFrom(0, 65_535)),
  to: () => new Option('--to <address>', 'the bucket: s3://BUCKET or s3://BUCKET/PREFIX'),
  endpoint: () => new Option('--endpoint <url>', "the bucket's S3 endpoint").env('AWS_ENDPOINT_URL'),
  drain: () =>
    new Option('--drain <time>', 'how long to keep answering requests after SIGTERM, such as 10s')
      .default(0, '0s')
      .env('OFFPRINT_DRAIN')
      .argParser(unitParser({ s: 1000, m: 60_000 }, 'a time from 0s to 10m, such as 10s', 600_000)),
  connections: () =>
    new Option('--connections <number>', 'parallel uploads')
      .default(DEFAULT_CONNECTIONS)
      .argParser(numberFrom(1, 256)),
  admin: () =>
    new Option('--admin <address>', 'PORT or HOST:PORT for metrics, rebuilds and accounts; default: none')
      .env('OFFPRINT_ADMIN')
      .argParser(parseAdminAddress),
  log: () =>
    new Option('--log <form>', 'off: events; text: events and requests; json: both, as JSON')
      .choices(LOG_FORMS)
      .default('off')
      .env('OFFPRINT_LOG'),
  json: () => new Option('--json', 'print JSON'),
};

/** Names of shared options; `settings` is `config`, and the action receives the settings of that file. */
type OptionName = keyof typeof OPTIONS | 'settings';

/** A command of the list of commands, with some of the shared options. @param examples under its help; default: its name */
export function mainCommand(
  name: CommandName,
  options: readonly OptionName[],
  ...examples: readonly string[]
): Command {
  return command(name, COMMAND_LIST[name], options, ...examples);
}

/** The same for a command of a command. @param name without examples, of both: `keys list` */
export function command(
  name: string,
  description: string,
  options: readonly OptionName[],
  ...examples: readonly string[]
): Command {
  const made = new Command(name.split(' ').at(-1)).description(description);
  for (const option of options) made.addOption(OPTIONS[option === 'settings' ? 'config' : option]());
  // Removed: main.ts prints what replaces it.
  if (options.includes('db')) made.addOption(new Option('--source <file>').env('OFFPRINT_SOURCE').hideHelp());
  if (options.includes('settings'))
    made.hook('preAction', (_, action) => {
      action.setOptionValue('settings', readConfig(action.opts<CommandFlags>().config));
    });
  return made.addHelpText('after', example(...(examples.length === 0 ? [name] : examples)));
}

/** Formats the examples under a command's help. */
export function example(...commands: readonly string[]): string {
  return ['', colours.bold('Example:'), ...commands.map((command) => `  ${commandLine(command)}`)].join('\n');
}

/** Options of most commands, as commander returns them. */
export interface CommandFlags {
  readonly out: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** The settings of the configuration file. */
export interface Configured {
  readonly settings: ReadConfig;
}

/** Options of a service. */
export interface ServiceFlags extends Omit<CommandFlags, 'json'>, Configured {
  readonly host: string;
  readonly port: number;
  readonly log: LogForm;
  readonly counts?: string;
  readonly admin?: AdminAddress;
  /** Milliseconds. */
  readonly drain: number;
}

/** Options of `start`. */
export interface StartFlags extends DatabaseFlags, ServiceFlags {
  readonly cron?: string;
  readonly publishTo?: string;
  readonly endpoint?: string;
  /** A path, or a format and a path. */
  readonly import?: readonly string[];
}

/** The option for the database, as commander returns it. */
export interface DatabaseFlags {
  readonly db: string;
}

/** Options of `build`, as commander returns them. */
export interface BuildFlags extends DatabaseFlags, Configured {
  readonly out: string;
  readonly strict?: boolean;
  readonly force?: boolean;
  readonly full?: boolean;
}

/** Build settings, from options and configuration. */
export function buildOptions(flags: BuildFlags, progress: Progress): BuildOptions {
  const { db, out, settings, strict = false, force = false, full = false } = flags;
  const { blog, site, limits, html, isFound: configured, api_url: apiUrl } = settings;
  return {
    db,
    out,
    blog,
    configured,
    site,
    limits,
    html,
    apiUrl,
    strict,
    force,
    full,
    now: new Date(),
    progress,
    builtBy: `offprint ${VERSION}`,
  };
}

/** The given options that are not the defaults, as in a shell, for commands to run next: ` --db my.db`. */
export function givenOptions<Name extends 'db' | 'out' | 'config' | 'to' | 'endpoint'>(
  flags: { readonly [name in Name]?: string | undefined },
  names: readonly Name[],
): string {
  return names
    .filter((name) => flags[name] !== undefined && flags[name] !== OPTIONS[name]().defaultValue)
    .map((name) => ` --${name} ${shellQuoted(flags[name] ?? '')}`)
    .join('');
}

/** A parser of a number with a unit, for commander. @param units what one of each is */
export function unitParser(
  units: Readonly<Record<string, number>>,
  form: string,
  most = Infinity,
): (text: string) => number {
  return (text) => {
    const [, number, unit = ''] = /^(\d{1,6})([A-Za-z]+)$/.exec(text) ?? [];
    const value = Number(number) * (units[unit] ?? NaN);
    if (!(value <= most)) throw new InvalidArgumentError(`It must be ${form}.`);
    return value;
  };
}

/** A parser of whole numbers in a range, for commander. */
export function numberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
    return number;
  };
}
