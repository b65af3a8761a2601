import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { tmpdir } from 'node:os';
import { OFFPRINT } from './program.ts';

/** The result of a command. */
export interface CommandResult {
  /** Null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment variables of a command, in addition to those of every process. */
export type Environment = Readonly<Record<string, string>>;

/** In the project `windows`, its rules. */
const NODE_OPTIONS = process.env['OFFPRINT_TEST_NODE_OPTIONS'] ?? '';

/**
 * Starts `offprint ARGUMENTS` without the caller's own Offprint settings.
 *
 * @param program another copy of cli/offprint.mjs
 * @param under a command to run it under, such as `taskset -c 0`
 */
export function spawnOffprint(
  args: readonly string[],
  cwd: string = tmpdir(),
  environment: Environment = {},
  program: string = OFFPRINT,
  under: readonly string[] = [],
): ChildProcessWithoutNullStreams {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:OFFPRINT_|AWS_|HOST$|PORT$|NODE_OPTIONS$|GITHUB_ACTIONS$|NO_COLOR$|FORCE_COLOR$)/.test(name),
    ),
  );
  const [command = process.execPath, ...rest] = [...under, process.execPath, program, ...args];
  return spawn(command, rest, { cwd, env: { ...env, NODE_OPTIONS, ...environment } });
}

/** Runs `offprint ARGUMENTS` in the folder `cwd`, and waits for its end. */
export async function offprint(
  args: readonly string[],
  cwd?: string,
  environment?: Environment,
): Promise<CommandResult> {
  return resultOf(spawnOffprint(args, cwd, environment));
}

export type EndSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGUSR1' | 'SIGKILL';

/** A running command, and its output so far. */
export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, as they came. */
  readonly output: string;
  /** Its exit code; null after a signal. */
  readonly ended: Promise<number | null>;
  /** Waits for its end. When it is killed, its child processes write on for a moment. @returns its exit code; null after a signal */
  end(signal: EndSignal): Promise<number | null>;
  /** Resolves when `text` was printed on either stream; rejects if the process ends first. */
  printed(text: string | RegExp): Promise<void>;
}

/** Reads the output of a command. */
export function following(child: ChildProcessWithoutNullStreams): RunningCommand {
  let [stdout, stderr, output] = ['', '', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    output += text;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return {
    child,
    ended,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    get output() {
      return output;
    },
    end(signal) {
      child.kill(signal); // No effect if it has ended.
      return ended;
    },
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (typeof text === 'string' ? output.includes(text) : text.test(output)) resolve();
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        ended.then(
          (code) => reject(new Error(`It ended with ${code} without ${String(text)}:\n${output}`)),
          reject,
        );
        look();
      }),
  };
}

/** Waits for a command to end. */
export async function resultOf(child: ChildProcessWithoutNullStreams): Promise<CommandResult> {
  const running = following(child);
  const code = await running.ended;
  return { code, stdout: running.stdout, stderr: running.stderr };
}
