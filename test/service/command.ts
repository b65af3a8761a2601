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
 */
export function spawnOffprint(
  args: readonly string[],
  cwd: string = tmpdir(),
  environment: Environment = {},
  program: string = OFFPRINT,
): ChildProcessWithoutNullStreams {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:OFFPRINT_|AWS_|HOST$|PORT$|NODE_OPTIONS$|GITHUB_ACTIONS$|NO_COLOR$|FORCE_COLOR$)/.test(name),
    ),
  );
  return spawn(process.execPath, [program, ...args], { cwd, env: { ...env, NODE_OPTIONS, ...environment } });
}

/** Runs `offprint ARGUMENTS` in the folder `cwd`, and waits for its end. */
export async function offprint(
  args: readonly string[],
  cwd?: string,
  environment?: Environment,
): Promise<CommandResult> {
  return resultOf(spawnOffprint(args, cwd, environment));
}

/** Waits for a command to end. */
export async function resultOf(child: ChildProcessWithoutNullStreams): Promise<CommandResult> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, stdout, stderr };
}

/**
 * Runs `offprint ARGUMENTS --json` and returns its answer.
 *
 * @throws Error with all its output, if it does not exit with 0
 */
export async function offprintJson(args: readonly string[], environment?: Environment): Promise<unknown> {
  const { code, stdout, stderr } = await offprint([...args, '--json'], undefined, environment);
  if (code !== 0) throw new Error(`offprint ${args.join(' ')} ended with ${code}:\n${stderr}${stdout}`);
  return JSON.parse(stdout);
}
