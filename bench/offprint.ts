import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Limits } from '../contract/policy.ts';
import { type BlogDatabase, openForWriting } from '../data/database.ts';
import { generateBlog } from './generate/blog.ts';
import { peakOf } from './process-usage.ts';

export const OFFPRINT = fileURLToPath(new URL('../cli/offprint.mjs', import.meta.url));

/** Starts the command line as a shell does, by the first line of offprint.mjs. */
export const COMMAND = [process.execPath, '--max-semi-space-size=4', OFFPRINT] as const;

/** High enough that no measurement reaches them. */
export const NO_LIMITS: Limits = { day: { address: 1e9, user: 1e9, admin: 1e9 }, minute: 1e9 };

/** What a run of the command line used. */
export interface ProcessCost {
  readonly stdout: string;
  readonly seconds: number;
  /** The peak memory of the process. */
  readonly peakMb: number;
}

/**
 * Runs `offprint ARGUMENTS` in a child process and reads its memory from /proc. Linux only.
 *
 * @throws Error if it does not exit with 0
 */
export async function measure(args: readonly string[]): Promise<ProcessCost> {
  const started = performance.now();
  const [node, ...program] = COMMAND;
  const child = spawn(node, [...program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid ?? 0))), 50);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`offprint ${args.join(' ')} ended with ${String(code)}`);
  return { stdout, seconds: (performance.now() - started) / 1000, peakMb };
}

/** A blog's files, and the options that name them to a build. */
export interface BlogFiles {
  readonly db: string;
  readonly out: string;
  readonly config: string;
  readonly options: readonly string[];
}

/** Generates a blog in `folder`, without building it. */
export function makeBlog(folder: string, posts: number, limits: Limits = NO_LIMITS): BlogFiles {
  mkdirSync(folder, { recursive: true });
  const [db, out, config] = [join(folder, 'blog.db'), join(folder, 'out'), join(folder, 'offprint.json')];
  generateBlog(db, { posts });
  writeFileSync(config, JSON.stringify({ limits, trusted_proxies: 1 }));
  return { db, out, config, options: ['--db', db, '--out', out, '--config', config] };
}

/** Builds the blog. @returns the report of the build as JSON, and the peak memory */
export function buildBlog({ options }: BlogFiles): Promise<ProcessCost> {
  return measure(['build', ...options, '--json']);
}

/** Edits a blog's database. */
export function editBlog({ db }: BlogFiles, edit: (open: BlogDatabase) => unknown): void {
  const open = openForWriting(db);
  try {
    edit(open);
  } finally {
    open.close();
  }
}
