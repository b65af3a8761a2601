/**
 * CPU time and memory of a server, from Linux's /proc: its process and all descendants.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessUsage {
  /** CPU time in microseconds, user and system, since the start. */
  readonly cpuUs: number;
  /** Resident memory, in MB of 10^6 bytes. Shared pages count in each process. */
  readonly memoryMb: number;
}

/** Of a process and all its descendants. @throws if there is no /proc, or no such process */
export function usageOf(pid: number): ProcessUsage {
  const pids = familyOf(pid);
  return {
    cpuUs: sum(pids.map((each) => ticksOf(statOf(each)))) * (1e6 / ticksPerSecond()),
    memoryMb: sum(pids.map((each) => statusKb(each, 'VmRSS'))) * 0.001024,
  };
}

let knownTicks: number | undefined;

function ticksPerSecond(): number {
  return (knownTicks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100);
}

function familyOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(fieldsOf(statOf(Number(name)))[1]));
    } catch {
      // It has exited meanwhile.
    }
  }
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family;
}

function statOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8');
}

/** The fields after the name, which is in brackets and may contain anything (proc(5)). `state` is the first. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** utime and stime, including children that have exited. */
export function ticksOf(stat: string): number {
  return sum(fieldsOf(stat).slice(11, 15).map(Number));
}

/** A figure of /proc/PID/status. @throws if there is no such process */
function statusKb(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${figure}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
}

/** The peak memory of a process in MB; 0 if it has exited. */
export function peakOf(pid: number): number {
  try {
    return statusKb(pid, 'VmHWM') / 1000;
  } catch {
    return 0;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
