import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { tmpdir } from 'node:os';
import { OFFPRINT } from '../service/program.ts';

/** How a command runs, in addition to its arguments. */
export interface RunOptions {
  readonly cwd?: string;
  /** Environment variables, in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** A command to run it under, such as `taskset -c 0`. */
  readonly under?: readonly string[];
}

/** A running command, and its output so far. */
export interface OffprintProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdout: string;
  readonly stderr: string;
  /** Its exit code; null after a signal. */
  readonly ended: Promise<number | null>;
  /** Resolves when `text` was printed on either stream; rejects if the process ends first. */
  printed(text: string | RegExp): Promise<void>;
}

/** The result of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `offprint ARGUMENTS` without the caller's own Offprint settings. */
export function startOffprint(
  args: readonly string[],
  { cwd = tmpdir(), env = {}, under = [] }: RunOptions = {},
): OffprintProcess {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:OFFPRINT_|HOST$|PORT$|NODE_OPTIONS$)/.test(name),
  );
  const [command = process.execPath, ...rest] = [...under, process.execPath, OFFPRINT, ...args];
  const child = spawn(command, rest, { cwd, env: { ...Object.fromEntries(own), NO_COLOR: '1', ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
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
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const all = stdout + stderr;
          if (typeof text === 'string' ? all.includes(text) : text.test(all)) resolve();
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        ended.then(
          () => reject(new Error(`It ended without printing ${String(text)}:\n${stdout}${stderr}`)),
          reject,
        );
        look();
      }),
  };
}

/** Runs `offprint ARGUMENTS` and waits for its end. */
export async function runOffprint(args: readonly string[], options?: RunOptions): Promise<Outcome> {
  const running = startOffprint(args, options);
  const code = await running.ended;
  return { code, stdout: running.stdout, stderr: running.stderr };
}

/** The lines on standard error. */
export function messagesOf(stderr: string): string[] {
  return stderr.split('\n').filter((line) => line !== '');
}
