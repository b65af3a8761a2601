import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import type { CommandResult, Environment } from './command.ts';

/**
 * The command line without a process of its own: for what a command does and prints. What a process is (signals,
 * kills, standard streams, escaping of what is printed) is tested with `command.ts`, at some ten times the cost.
 *
 * Two commands may run at once. Each has its own output, but all share this process's environment: one with other
 * variables waits until those that run have ended.
 */

/** What the command that is running prints, by stream. */
interface Printed {
  stdout: string;
  stderr: string;
}

const printing = new AsyncLocalStorage<Printed>();

capture(process.stdout, 'stdout');
capture(process.stderr, 'stderr');
console.log = captured(console.log, 'stdout');
console.error = captured(console.error, 'stderr');

// Nothing of the caller's own settings reaches a command.
for (const name of Object.keys(process.env)) {
  if (/^(?:OFFPRINT_(?:DB|SOURCE|KEYS|OUT|CONFIG|LOG)|AWS_\w+|HOST|PORT|NO_COLOR|FORCE_COLOR)$/.test(name)) {
    delete process.env[name];
  }
}

/** The variables of the commands that are running, and how many these are. */
let shared: Environment = {};
let running = 0;
/** Resolved when none is running. */
let idle = Promise.withResolvers<void>();

/** Runs `offprint ARGUMENTS` in this process, to its end. */
export async function offprintInProcess(
  args: readonly string[],
  environment: Environment = {},
): Promise<CommandResult> {
  const { run } = await import('../../cli/main.ts'); // Not before the environment is as above.
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
 * Runs `offprint ARGUMENTS --json` in this process and gives what it answers.
 *
 * @throws Error where it does not end with 0, with all that it printed
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
