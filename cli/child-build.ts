import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BuildReport } from '../build/build.ts';
import type { DatabaseFlags } from './options.ts';

const OFFPRINT = fileURLToPath(new URL('offprint.mjs', import.meta.url));

/** A build in another process failed; the message is what it said. */
export class ChildBuildFailed extends Error {
  override name = 'ChildBuildFailed';
}

/**
 * Builds in a process of its own, at low priority, so that serving never waits for it.
 *
 * @throws ChildBuildFailed
 */
export function buildInChild(
  { db, source, keys, out, config }: DatabaseFlags & { readonly out: string; readonly config?: string },
  signal: AbortSignal,
): Promise<BuildReport> {
  const args = [
    'build',
    '--json',
    '--db',
    db,
    '--out',
    out,
    ...(source === undefined ? [] : ['--source', source]),
    ...(keys === undefined ? [] : ['--keys', keys]),
    ...(config === undefined ? [] : ['--config', config]),
  ];
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
      else reject(new ChildBuildFailed(lastError(errors) || `The build ended with code ${code}.`));
    });
  });
}

function lastError(output: string): string {
  const at = output.lastIndexOf('error: ');
  return output.slice(at === -1 ? 0 : at + 'error: '.length).trim();
}
