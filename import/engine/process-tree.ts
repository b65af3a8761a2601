import { spawnSync } from 'node:child_process';

/**
 * Kills a program that leads a process group, with everything that it started. Windows has no groups, but knows the parent
 * of each process.
 */
export function killTree(leader: number): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(leader), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
