import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { EngineFailed, EngineTooSlow } from '../errors.ts';
import { complaintIn } from './complaint.ts';
import type { Workspace } from './workspace.ts';

/** A program and its first arguments: `['bundle', 'exec', 'jekyll']`. */
export type Program = readonly [command: string, ...args: string[]];

export interface Run {
  readonly program: Program;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to this process's own variables. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly workspace: Workspace;
  /** In milliseconds; default: half an hour. */
  readonly limitMs?: number;
}

/** How many characters of an engine's output are kept, from its end. */
const KEPT = 20_000;
/** The largest sites take some minutes. A hanging engine would block all later imports. */
const LIMIT_MS = 1_800_000;

/**
 * Runs an engine until it ends; after the time limit, kills it with everything that it started.
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
  limitMs = LIMIT_MS,
}: Run): Promise<string> {
  const [command, ...before] = program;
  const child = spawn(command, [...before, ...args], {
    cwd,
    env: { ...ownEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // The leader of a process group, so that its child processes end with it.
  });
  workspace.watch(child);
  let stdout = '';
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    printed = (printed + text).slice(-KEPT);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(-KEPT)));
  const name = [command, ...before].join(' ');
  const code = await new Promise<number | null>((end, reject) => {
    const timer = setTimeout(() => {
      endGroup(child.pid);
      reject(new EngineTooSlow(name, limitMs, complaintIn(printed)));
    }, limitMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new EngineFailed(name, null, error.message));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      end(code);
    });
  });
  if (code !== 0) throw new EngineFailed(name, code, complaintIn(printed));
  return stdout;
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** A site's programs must not see this program's passwords and keys. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:OFFPRINT|AWS)_/.test(name)));
}

/** The path of the program that this name would start; null if there is none. */
export async function findProgram(name: string): Promise<string | null> {
  const folders = name.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  for (const folder of folders) {
    const path = resolve(folder, name); // It is started from another folder.
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}
