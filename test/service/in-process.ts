import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import type { CommandResult, Environment } from './command.ts';

/**
 * Runs commands inside the tests' process, to test what a command does and prints. Signals, kills, standard streams
 * and escaping are tested with `command.ts`, which costs some ten times as much.
 *
 * Two commands may run in parallel. Each has its own output, but they share this process's environment: a command
 * with other variables waits until the running ones have ended.
 */

/** The output of the running command, by stream. */
interface Printed {
  stdout: string;
  stderr: string;
}

const printing = new AsyncLocalStorage<Printed>();

capture(process.stdout, 'stdout');
capture(process.stderr, 'stderr');
console.log = captured(console.log, 'stdout');
console.error = captured(console.error, 'stderr');

// Without the caller's own Offprint settings.
for (const name of Object.keys(process.env)) {
  if (
    /^(?:OFFPRINT_(?:DB|SOURCE|KEYS|OUT|CONFIG|LOG)|AWS_\w+|HOST|PORT|GITHUB_ACTIONS|NO_COLOR|FORCE_COLOR)$/.test(
      name,
    )
  ) {
    delete process.env[name];
  }
}

/** The variables of the running commands, and their number. */
let shared: Environment = {};
let running = 0;
/** Resolves when no command is running. */
let idle = Promise.withResolvers<void>();

/** Runs `offprint ARGUMENTS` in this process, and waits for its end. */
export async function offprintInProcess(
  args: readonly string[],
  environment: Environment = {},
): Promise<CommandResult> {
  const { run } = await import('../../cli/main.ts'); // Only after the environment is set.
  while (running > 0 && !isDeepStrictEqual(environment, shared)) await idle.promise;
  shared = environment;
  running += 1;
  Object.assign(process.env, environment);
  try {
    const printed: Printed = { stdout: '', stderr: '' };
    const code = await printing.run(printed, () => run(args));
    return { code, ...printed };
  } finally {
    running -= 1;
    if (running === 0) {
      for (const name of Object.keys(environment)) delete process.env[name];
      idle.resolve();
      idle = Promise.withResolvers();
    }
  }
}

/**
 * Runs `offprint ARGUMENTS --json` in this process and returns its answer.
 *
 * @throws Error with all its output, if it does not exit with 0
 */
export async function answerOf(args: readonly string[], environment?: Environment): Promise<unknown> {
  const { code, stdout, stderr } = await offprintInProcess([...args, '--json'], environment);
  if (code !== 0) throw new Error(`offprint ${args.join(' ')} ended with ${code}:\n${stderr}${stdout}`);
  const answer: unknown = JSON.parse(stdout);
  return answer;
}

function captured(
  print: (...texts: readonly unknown[]) => void,
  stream: keyof Printed,
): (...texts: readonly unknown[]) => void {
  return (...texts) => {
    const printed = printing.getStore();
    if (printed === undefined) print(...texts);
    else printed[stream] += `${texts.join(' ')}\n`;
  };
}

function capture(target: NodeJS.WriteStream, stream: keyof Printed): void {
  const write = target.write.bind(target);
  target.write = (chunk: Uint8Array | string, ...rest: readonly never[]) => {
    const printed = printing.getStore();
    if (printed === undefined) return write(chunk, ...rest);
    printed[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  };
}
