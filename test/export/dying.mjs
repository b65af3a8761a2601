/**
 * Loaded before a command: kills the process before the file system is changed for the nth time (DIES_BEFORE). A process
 * that lives says on standard error how often that was.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const last = Number(process.env['DIES_BEFORE']);
let changes = 0;
for (const name of ['renameSync', 'rmSync', 'rmdirSync']) {
  const change = fs[name];
  fs[name] = (...args) => {
    changes += 1;
    if (changes === last) process.kill(process.pid, 'SIGKILL');
    return change(...args);
  };
}
syncBuiltinESMExports();
process.on('exit', () => console.error(`changes: ${changes}`));
