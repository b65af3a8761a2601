/** The command line. Each command is a file in commands/; shared options are in options.ts and settings.ts. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command, CommanderError } from 'commander';
import { withoutSecrets } from '../contract/api-key.ts';
import { codeOf, messageOf } from '../common/thrown.ts';
import { colours } from './colours.ts';
import { COMMAND_LIST, type CommandName, isCommandName } from './command-list.ts';
import { describeFailure, EndsWith, WrongUsage } from './failure.ts';
import { example } from './options.ts';
import { guardConsole, printableLines } from './printable.ts';
import { tightenOutput } from './private-output.ts';
import { sourceReplaced } from './settings.ts';
import { outputFault, watchOutput } from './terminal.ts';
import { VERSION } from './version.ts';

/** Commands are loaded on demand: serving starts fast in little memory, without importers or builds. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  start: async () => (await import('./commands/start.ts')).startCommand(),
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  build: async () => (await import('./commands/build.ts')).buildCommand(),
  publish: async () => (await import('./commands/publish.ts')).publishCommand(),
  export: async () => (await import('./commands/export.ts')).exportCommand(),
  import: async () => (await import('./commands/import.ts')).importCommand(),
  withdraw: async () => (await import('./commands/withdraw.ts')).withdrawCommand(),
  accounts: async () => (await import('./commands/accounts.ts')).accountsCommand(),
  keys: async () => (await import('./commands/keys.ts')).keysCommand(),
  status: async () => (await import('./commands/status.ts')).statusCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  counts: async () => (await import('./commands/counts.ts')).countsCommand(),
  usage: async () => (await import('./commands/usage.ts')).usageCommand(),
  snapshots: async () => (await import('./commands/snapshots.ts')).snapshotsCommand(),
  backup: async () => (await import('./commands/backup.ts')).backupCommand(),
  restore: async () => (await import('./commands/restore.ts')).restoreCommand(),
};

const NAMES = Object.keys(COMMAND_LIST).filter(isCommandName);

/** @param wanted the commands to load; the others are only described in help */
export async function program(wanted: readonly string[] = NAMES): Promise<Command> {
  const offprint = new Command('offprint')
    .description("Publishes a blog's public data as a read-only JSON API, from files rendered ahead of time.")
    .version(VERSION)
    .addHelpText('after', example('start'));
  for (const name of NAMES) {
    const listed = () => new Command(name).description(COMMAND_LIST[name]);
    offprint.addCommand(wanted.includes(name) ? await COMMANDS[name]() : listed());
  }
  configureHelp(offprint);
  offprint.hook('preAction', (_, action) => {
    const empty = action.options.find((option) => action.getOptionValue(option.attributeName()) === '');
    if (empty) throw new WrongUsage(`${empty.long} is empty. Give it a value, or omit it.`);
    const { out, db, source }: { readonly [name in 'out' | 'db' | 'source']?: unknown } = action.opts();
    if (typeof source === 'string') {
      const isNamed = action.getOptionValueSource('source') === 'cli';
      const path = action.getOptionValueSource('db') === 'default' ? undefined : String(db);
      throw sourceReplaced(isNamed ? '--source' : 'OFFPRINT_SOURCE', source, path);
    }
    if (action.name() === 'doctor') return; // Read-only, and reports it.
    const folder = typeof db === 'string' ? dirname(db) : '';
    if (statSync(folder, { throwIfNoEntry: false })?.isFile())
      throw new WrongUsage(`--db must be in a folder, but ${folder} is a file.`);
    if (typeof out !== 'string') return;
    if (statSync(out, { throwIfNoEntry: false })?.isFile()) {
      throw new WrongUsage(`--out must be a folder, but ${out} is a file.`);
    }
    tightenOutput(out, (message) => console.error(message));
  });
  return offprint;
}

/**
 * Runs a command as a process: its output is made safe to print. A closed pipe is not an error: the rest of the output is
 * dropped, as for `head`.
 *
 * @returns the exit code, as `run`; 1 if standard output cannot be written
 */
export async function main(args: readonly string[]): Promise<number> {
  guardConsole();
  watchOutput();
  const code = await run(args);
  if (args[0] === 'start' || args[0] === 'serve') return code; // They serve on although their log cannot be written.
  const fault = await outputFault();
  if (fault === null || codeOf(fault) === 'EPIPE' || code !== 0) return code;
  console.error(`${colours.red('error:')} The output could not be written (${messageOf(fault)}).`);
  return 1;
}

/**
 * Runs a command.
 *
 * @returns the exit code: 0 success, 1 failure, 2 wrong usage; for `status` also 3
 */
export async function run(args: readonly string[]): Promise<number> {
  ignoreEmptyVariables();
  const offprint = await program(args);
  try {
    await offprint.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof EndsWith) return error.code;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const message = describeFailure(error);
    const { GITHUB_ACTIONS } = process.env;
    console.error(GITHUB_ACTIONS === 'true' ? annotation(message) : `${colours.red('error:')} ${message}`);
    return error instanceof WrongUsage ? 2 : 1;
  }
}

/** Offprint's own variables, and those that its libraries read for it. Others are passed on as they are to programs it runs. */
const OWN = /^(?:(?:OFFPRINT|AWS|CLOUDFLARE)_|PG|(?:HOST|PORT|ADDRESS_SECRET)$)/;

/**
 * Removes empty variables, which compose files and units of systemd pass for those that are not set. An empty HOST would
 * listen on every address. Child processes and threads inherit the rest.
 */
export function ignoreEmptyVariables(): void {
  for (const [name, value = ''] of Object.entries(process.env))
    if (OWN.test(name) && value.trim() === '') delete process.env[name];
}

/**
 * Settings of every command: throws instead of exiting, points to --help on errors, and does not print keys pasted in the
 * wrong place.
 */
function configureHelp(command: Command): void {
  command
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureHelp({
      subcommandTerm: (child) => child.name(),
      styleTitle: colours.bold,
      styleCommandText: colours.cyan,
      styleOptionText: colours.cyan,
    });
  command.configureOutput({ outputError: (text, write) => write(withoutSecrets(printableLines(text))) });
  for (const child of command.commands) configureHelp(child);
}

/**
 * An error as GitHub Actions shows it on the page of a run, which otherwise says only "exit code 1": a workflow command
 * (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
 */
function annotation(message: string): string {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::error title=Offprint::${escaped}`;
}
