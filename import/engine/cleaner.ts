/**
 * A process that waits for its parent to end, even if the parent is killed: its standard input ends then. It kills the
 * remaining process groups (`+PID` started, `-PID` ended) and removes the folder.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , folder = ''] = process.argv;
const running = new Set<number>();

for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) running.add(pid);
  else running.delete(pid);
}
for (const pid of running) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
// Killed processes may still write for a moment.
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
