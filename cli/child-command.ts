import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BuildReport } from '../build/build.ts';
import type { PublishReport } from '../build/publish/publish.ts';

const OFFPRINT = fileURLToPath(new URL('offprint.mjs', import.meta.url));

/** A command in another process failed; the message is what it said. */
export class ChildCommandFailed extends Error {
  override name = 'ChildCommandFailed';
}

/**
 * Builds in a process of its own, at low priority, so that serving never waits for it.
 *
 * @throws ChildCommandFailed
 */
export function buildInChild(
  { db, out, config }: { readonly db: string; readonly out: string; readonly config?: string | undefined },
  signal: AbortSignal,
): Promise<BuildReport> {
  const configured = config === undefined ? [] : ['--config', config];
  return runInChild(['build', '--json', '--db', db, '--out', out, ...configured], signal);
}

/**
 * Publishes to a bucket in a process of its own, likewise.
 *
 * @throws ChildCommandFailed
 */
export function publishInChild(
  {
    out,
    to,
    endpoint,
  }: { readonly out: string; readonly to: string; readonly endpoint?: string | undefined },
  signal: AbortSignal,
): Promise<PublishReport> {
  const at = endpoint === undefined ? [] : ['--endpoint', endpoint];
  return runInChild(['publish', '--json', '--out', out, '--to', to, ...at], signal);
}

/** @returns what the command answers in JSON */
function runInChild<T>(args: readonly string[], signal: AbortSignal): Promise<T> {
  const child = spawn(process.execPath, [OFFPRINT, ...args], { stdio: ['ignore', 'pipe', 'pipe'], signal });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);

  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(output));
      else reject(new ChildCommandFailed(lastError(errors) || `"${args[0]}" ended with code ${code}.`));
    });
  });
}

function lastError(output: string): string {
  const at = output.lastIndexOf('error: ');
  return output.slice(at === -1 ? 0 : at + 'error: '.length).trim();
}
