import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { programFile } from '../common/program-files.ts';
import { type Check, parseJson } from '../contract/json.ts';
import { ChildCommandFailed } from './failure.ts';

const OFFPRINT = programFile('cli/offprint.mjs');

/** As in the first line of offprint.mjs, which only a shell reads. V8 cannot change it after its start. */
const YOUNG_GENERATION = '--max-semi-space-size=4';

/**
 * Runs a command in a child process at low priority, so that serving never waits.
 *
 * @param options by name; undefined: not given
 * @returns its report; `import` also reports with exit code 1
 * @throws ChildCommandFailed
 */
export async function runInChild<T>(
  command: readonly string[],
  options: Readonly<Record<string, string | undefined>>,
  isReport: Check<T>,
  signal: AbortSignal,
): Promise<T> {
  const given = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const output = await runOffprint([...command, '--json', ...given], signal);
  try {
    return parseJson(output, isReport, 'a report');
  } catch {
    throw new ChildCommandFailed(`"${command[0]}" exited without a report.`);
  }
}

function runOffprint(args: readonly string[], signal: AbortSignal): Promise<string> {
  const command = [YOUNG_GENERATION, OFFPRINT, ...args];
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      command,
      { signal, maxBuffer: Infinity },
      (error, output, errors) => {
        if (error === null || (error.code === 1 && output !== '')) return resolve(output);
        // A text: it could not be started, or was stopped by the signal.
        const reason = typeof error.code === 'string' ? error.message : lastError(errors);
        reject(new ChildCommandFailed(reason || `"${args[0]}" failed with exit code ${error.code}.`));
      },
    );
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  });
}

function lastError(output: string): string {
  const at = output.lastIndexOf('error: ');
  return output.slice(at === -1 ? 0 : at + 'error: '.length).trim();
}
