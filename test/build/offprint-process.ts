import {
  type CommandResult,
  type Environment,
  following,
  resultOf,
  type RunningCommand,
  spawnOffprint,
} from '../service/command.ts';

/** How a command runs, in addition to its arguments. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Environment;
  /** A command to run it under, such as `taskset -c 0`. */
  readonly under?: readonly string[];
}

/** Starts `offprint ARGUMENTS` without the caller's own Offprint settings. */
export function startOffprint(args: readonly string[], options?: RunOptions): RunningCommand {
  return following(spawned(args, options));
}

/** Runs `offprint ARGUMENTS` and waits for its end. */
export function runOffprint(args: readonly string[], options?: RunOptions): Promise<CommandResult> {
  return resultOf(spawned(args, options));
}

function spawned(args: readonly string[], { cwd, env, under }: RunOptions = {}) {
  return spawnOffprint(args, cwd, { NO_COLOR: '1', ...env }, undefined, under);
}

/** The lines on standard error. */
export function messagesOf(stderr: string): string[] {
  return stderr.split('\n').filter((line) => line !== '');
}
