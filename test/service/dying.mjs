/**
 * Preloaded by a command: kills the process before its nth change of the file system (DIES_BEFORE). Otherwise
 * prints the number of changes to standard error.
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
