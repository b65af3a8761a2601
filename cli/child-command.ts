import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { type BuildReport, isBuildReport } from '../build/build-report.ts';
import { isPublishReport, type PublishReport } from '../build/publish/last-publish.ts';
import { programFile } from '../common/program-files.ts';
import { type Check, listOf, parseJson } from '../contract/json.ts';
import type { BucketFlags } from './bucket.ts';
import { ChildCommandFailed } from './failure.ts';
import { type ImportOutcome, isImportOutcome } from './import-record.ts';
import type { CommandFlags, DatabaseFlags } from './options.ts';

const OFFPRINT = programFile('cli/offprint.mjs');

/** As in the first line of offprint.mjs, which only a shell reads. V8 cannot change it after its start. */
const YOUNG_GENERATION = '--max-semi-space-size=4';

/**
 * Builds in a child process at low priority, so that serving never waits.
 *
 * @throws ChildCommandFailed
 */
export function buildInChild(
  { db, out, config }: DatabaseFlags & Omit<CommandFlags, 'json'>,
  signal: AbortSignal,
): Promise<BuildReport> {
  return runInChild(['build', '--no-import'], { db, out, config }, isBuildReport, signal);
}

/**
 * Runs the imports of `offprint.json` in such a process.
 *
 * @returns the result of each import, including failures
 * @throws ChildCommandFailed
 */
export function importInChild(
  { db, out, config }: DatabaseFlags & Omit<CommandFlags, 'json'>,
  signal: AbortSignal,
): Promise<readonly ImportOutcome[]> {
  return runInChild(['import'], { db, out, config }, listOf(isImportOutcome), signal, true);
}

/**
 * Publishes to a bucket in such a process.
 *
 * @throws ChildCommandFailed
 */
export function publishInChild(
  { out, to, endpoint }: BucketFlags & { readonly out: string },
  signal: AbortSignal,
): Promise<PublishReport> {
  return runInChild(['publish'], { out, to, endpoint }, isPublishReport, signal);
}

/**
 * @param answersFailure whether the command also prints JSON with exit code 1
 * @returns the command's JSON output
 */
async function runInChild<T>(
  command: readonly string[],
  flags: Readonly<Record<string, string | undefined>>,
  isReport: Check<T>,
  signal: AbortSignal,
  answersFailure = false,
): Promise<T> {
  const named = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const output = await outputOf([...command, '--json', ...named], signal, answersFailure);
  try {
    return parseJson(output, isReport, 'a report');
  } catch {
    throw new ChildCommandFailed(`"${command[0]}" ended without a report.`);
  }
}

function outputOf(args: readonly string[], signal: AbortSignal, answersFailure: boolean): Promise<string> {
  const command = [YOUNG_GENERATION, OFFPRINT, ...args];
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      command,
      { signal, maxBuffer: Infinity },
      (error, output, errors) => {
        if (error === null || (error.code === 1 && answersFailure && output !== '')) return resolve(output);
        // A text: it could not be started, or was stopped by the signal.
        const reason = typeof error.code === 'string' ? error.message : lastError(errors);
        reject(new ChildCommandFailed(reason || `"${args[0]}" ended with exit code ${error.code}.`));
      },
    );
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  });
}

function lastError(output: string): string {
  const at = output.lastIndexOf('error: ');
  return output.slice(at === -1 ? 0 : at + 'error: '.length).trim();
}
