import { EngineFailed, EngineTooSlow } from '../errors.ts';
import { complaintIn } from './complaint.ts';
import { engineEnvironment } from './environment.ts';
import { startOf } from './program.ts';
import type { Workspace } from './workspace.ts';

/** A program and its first arguments: `['bundle', 'exec', 'jekyll']`. */
export type Program = readonly [command: string, ...args: string[]];

export interface Run {
  readonly program: Program;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to what engines see of this process's variables. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly workspace: Workspace;
  /** Ends the engine; default: after half an hour. */
  readonly limit?: AbortSignal;
}

/** How many characters of an engine's output are kept, from its end. */
const KEPT = 20_000;
/** The largest sites take some minutes. A hanging engine would block all later imports. */
const LIMIT_MS = 1_800_000;

/**
 * Runs an engine until it ends; at the limit, kills it with everything that it started.
 *
 * @returns its standard output
 * @throws EngineFailed, EngineTooSlow with its output
 */
export async function runEngine({
  program,
  args,
  cwd,
  environment,
  workspace,
  limit = AbortSignal.timeout(LIMIT_MS),
}: Run): Promise<string> {
  const [command, ...before] = program;
  const name = [command, ...before].join(' ');
  const start = startOf(command, [...before, ...args]);
  let stdout = '';
  let printed = '';
  const code = await new Promise<number | null>((end, reject) => {
    const kill = workspace.start(
      { ...start, args: [...start.args], cwd, env: { ...engineEnvironment(process.env), ...environment } },
      (event) => {
        if ('text' in event) {
          if (event.stream === 'stdout') stdout += event.text;
          printed = (printed + event.text).slice(-KEPT);
          return;
        }
        limit.removeEventListener('abort', stop);
        if ('code' in event) end(event.code);
        else reject(new EngineFailed(name, null, event.error));
      },
    );
    const stop = () => {
      kill();
      reject(new EngineTooSlow(name, LIMIT_MS, complaintIn(printed)));
    };
    limit.addEventListener('abort', stop);
  });
  if (code !== 0) throw new EngineFailed(name, code, complaintIn(printed));
  return stdout;
}
