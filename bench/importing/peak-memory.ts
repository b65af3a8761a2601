import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OFFPRINT = fileURLToPath(new URL('../../cli/offprint.mjs', import.meta.url));

/** What a run of the command line used. */
export interface ProcessCost {
  readonly stdout: string;
  readonly seconds: number;
  /** The peak memory of the process (VmHWM in Linux's /proc). */
  readonly peakMb: number;
}

/**
 * Runs `offprint ARGUMENTS` in a child process and reads its memory from /proc. Linux only.
 *
 * @throws Error if it does not exit with 0
 */
export async function measure(args: readonly string[]): Promise<ProcessCost> {
  const started = performance.now();
  const child = spawn(process.execPath, [OFFPRINT, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid))), 50);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`offprint ${args.join(' ')} ended with ${String(code)}`);
  return { stdout, seconds: (performance.now() - started) / 1000, peakMb };
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1000;
  } catch {
    return 0; // It has exited.
  }
}
