import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isNumber, parseJson, recordOf } from '../../contract/json.ts';
import type { Processes } from './processes.ts';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** What wrk found. */
export interface Load {
  readonly requests: number;
  /** Read from the sockets, headers included. */
  readonly bytes: number;
  /** Microseconds it took. */
  readonly us: number;
  /** Answers with a status of 400 and above. */
  readonly statusErrors: number;
  /** Connections refused or broken, and answers that did not come within two seconds. */
  readonly socketErrors: number;
  /** Answers that were not the expected one, where that was checked. */
  readonly wrong: number;
  /** Microseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** What to ask of whom. */
export interface LoadOptions {
  /** Scheme, host, port, path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** Paths to ask for in place of the URL's own, in a file, and how many of its lines to pass over. */
  readonly targets?: { readonly file: string; readonly first: number };
  /** What every answer must be; checking costs wrk more than asking, so only outside of measurements. */
  readonly check?: { readonly status: number; readonly bodyFile: string };
  /** What to run wrk under, as `taskset -c 1`. */
  readonly under: readonly string[];
}

/** wrk is not there, or said something that is not understood. */
export class WrkFailed extends Error {
  override name = 'WrkFailed';
}

/** Asks with one thread for some seconds. @throws WrkFailed */
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

/** The result in wrk's output, as wrk.lua prints it. @throws WrkFailed, SyntaxError */
export function parseWrk(output: string): Load {
  const line = /^result (\{.*\})$/m.exec(output)?.[1];
  if (line === undefined) throw new WrkFailed(`wrk gave no result: ${output}`);
  return parseJson(line, isLoad, 'a result of wrk.lua');
}

/** @returns its version, as `4.1.0`; null where it is not installed */
export function wrkVersion(): string | null {
  try {
    // It knows --version, prints it, and ends with 1 all the same.
    execFileSync('wrk', ['--version'], { stdio: ['ignore', 'pipe', 'pipe'] });
    return '';
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    return /^wrk (?:debian\/)?([\d.]+)/m.exec(output)?.[1] ?? null;
  }
}
