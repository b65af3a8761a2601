import { readFileSync } from 'node:fs';

/** Whether a process runs: one that has ended is still listed until its parent has asked for its exit code. */
export function isRunning(pid: number): boolean {
  try {
    // `PID (sleep) Z …`
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
