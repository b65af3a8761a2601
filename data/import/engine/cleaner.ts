/**
 * A process that waits for the end of the one that started it, even where that is killed: then its standard input
 * ends. It ends the process groups that are left (`+PID` started, `-PID` ended), and removes the folder.
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
// What it was writing may still come for a moment.
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
