import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { EngineFailed, EngineTooSlow } from '../errors.ts';
import { complaintIn } from './complaint.ts';
import type { Workspace } from './workspace.ts';

/** A program and the arguments that come before all others: `['bundle', 'exec', 'jekyll']`. */
export type Program = readonly [command: string, ...args: string[]];

export interface Run {
  readonly program: Program;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to this process's own variables. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly workspace: Workspace;
  /** In milliseconds; by default half an hour. */
  readonly limitMs?: number;
}

/** How much of what an engine prints is kept, in characters: its end. */
const KEPT = 20_000;
/** The largest sites take some minutes. One that hangs would hold up all later imports. */
const LIMIT_MS = 1_800_000;

/**
 * Runs an engine to its end, or ends it with all that it started when it takes too long.
 *
 * @returns what it printed on standard output
 * @throws EngineFailed, EngineTooSlow with what it printed
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
    detached: true, // The leader of a group, so that what it starts ends with it.
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

/** Passwords and keys of this program are not for what a site runs. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:OFFPRINT|AWS)_/.test(name)));
}

/** Where a program is that the owner would start by this name; null where there is none. */
export async function findProgram(name: string): Promise<string | null> {
  const folders = name.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  for (const folder of folders) {
    const path = resolve(folder, name); // It is started in another folder.
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // Another folder may have it.
    }
  }
  return null;
}
