/** The command line. Each command is a file in commands/; what they share is in options.ts and settings.ts. */
import { Command, CommanderError } from 'commander';
import { colours } from './colours.ts';
import { buildCommand } from './commands/build.ts';
import { importCommand } from './commands/import.ts';
import { keysCommand } from './commands/keys.ts';
import { publishCommand } from './commands/publish.ts';
import { serveCommand } from './commands/serve.ts';
import { siteCommand } from './commands/site.ts';
import { snapshotsCommand } from './commands/snapshots.ts';
import { startCommand } from './commands/start.ts';
import { statusCommand } from './commands/status.ts';
import { describeFailure, WrongUsage } from './failure.ts';
import { VERSION } from './version.ts';

/** All commands, in the order in which help lists them. */
export function program(): Command {
  return new Command('offprint')
    .description("Publishes a blog's public data as a read-only JSON API, from files rendered ahead of time.")
    .version(VERSION)
    .addCommand(startCommand())
    .addCommand(serveCommand())
    .addCommand(buildCommand())
    .addCommand(publishCommand())
    .addCommand(importCommand())
    .addCommand(keysCommand())
    .addCommand(siteCommand())
    .addCommand(statusCommand())
    .addCommand(snapshotsCommand())
    .showHelpAfterError('(--help shows what is possible)');
}

/**
 * Runs a command.
 *
 * @returns the exit code: 0 done, 1 failed with one clear line, 2 wrong usage
 */
export async function main(args: readonly string[]): Promise<number> {
  const offprint = program();
  throwInsteadOfExit(offprint);
  try {
    await offprint.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    console.error(`${colours.red('error:')} ${describeFailure(error)}`);
    return error instanceof WrongUsage ? 2 : 1;
  }
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExit(child);
}
