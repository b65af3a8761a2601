/** Changes files of a process that stands still meanwhile. */
export function whileStopped(pid: number, change: () => void): void {
  process.kill(pid, 'SIGSTOP');
  change();
  process.kill(pid, 'SIGCONT');
}
