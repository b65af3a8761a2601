import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isNumber, parseJson, recordOf } from '../../contract/json.ts';
import type { Processes } from '../processes.ts';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** The result of wrk. */
export interface Load {
  readonly requests: number;
  /** Bytes read from the sockets, including headers. */
  readonly bytes: number;
  /** Duration in microseconds. */
  readonly us: number;
  /** Answers with a status of 400 and above. */
  readonly statusErrors: number;
  /** Connections refused or broken, and answers that took more than two seconds. */
  readonly socketErrors: number;
  /** Answers that differ from the expected one, if checked. */
  readonly wrong: number;
  /** Microseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** The target, and how to measure. */
export interface LoadOptions {
  /** Scheme, host, port, path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** A file of paths to use instead of the URL's, and the number of its lines to skip. */
  readonly targets?: { readonly file: string; readonly first: number };
  /** The expected answer. Checking costs wrk more than sending, so it is not used in measurements. */
  readonly check?: { readonly status: number; readonly bodyFile: string };
  /** A command to run wrk under, such as `taskset -c 1`. */
  readonly under: readonly string[];
}

/** wrk is not installed, or its output is not understood. */
export class WrkFailed extends Error {
  override name = 'WrkFailed';
}

/** Runs wrk with one thread for some seconds. @throws WrkFailed */
export async function runWrk(processes: Processes, options: LoadOptions): Promise<Load> {
  const { url, headers, connections, seconds, targets, check, under } = options;
  const args = [
    ...['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '-s', SCRIPT],
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...[url, '--'],
    ...(targets ? ['targets', targets.file, String(targets.first)] : []),
    ...(check ? ['check', String(check.status), check.bodyFile] : []),
  ];
  const { code, output } = await processes.run([...under, ...args]);
  if (code !== 0) throw new WrkFailed(`wrk ended with ${code}: ${output}`);
  return parseWrk(output);
}

const isLoad = recordOf<Load>({
  requests: isNumber,
  bytes: isNumber,
  us: isNumber,
  statusErrors: isNumber,
  socketErrors: isNumber,
  wrong: isNumber,
  p50: isNumber,
  p99: isNumber,
});

/** The result from wrk's output, which wrk.lua prints. @throws WrkFailed, SyntaxError */
export function parseWrk(output: string): Load {
  const line = /^result (\{.*\})$/m.exec(output)?.[1];
  if (line === undefined) throw new WrkFailed(`wrk gave no result: ${output}`);
  return parseJson(line, isLoad, 'a result of wrk.lua');
}

/** @returns its version, such as `4.1.0`; null: not installed */
export function wrkVersion(): string | null {
  try {
    // `wrk --version` prints the version but exits with 1.
    execFileSync('wrk', ['--version'], { stdio: ['ignore', 'pipe', 'pipe'] });
    return '';
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    return /^wrk (?:debian\/)?([\d.]+)/m.exec(output)?.[1] ?? null;
  }
}
