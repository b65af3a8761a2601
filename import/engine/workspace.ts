import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programModule } from '../../common/program-files.ts';

const CLEANER = programModule('import/engine/cleaner');

/**
 * A temporary folder that is removed when this process ends, even if it is killed. The programs that were started for
 * it end too. A separate process does both (cleaner.ts).
 */
export interface Workspace {
  readonly folder: string;
  /** Registers a program that must end with this process. It leads a process group. */
  readonly watch: (child: ChildProcess) => void;
  readonly remove: () => Promise<void>;
}

export async function makeWorkspace(): Promise<Workspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'offprint-engine-')));
  // In its own session: otherwise Ctrl-C would end it before it has cleaned up.
  const cleaner = spawn(process.execPath, [CLEANER, folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  const ended = once(cleaner, 'exit');
  return {
    folder,
    watch(child) {
      const { pid } = child;
      if (pid === undefined) return;
      cleaner.stdin.write(`+${pid}\n`);
      child.once('exit', () => cleaner.stdin.write(`-${pid}\n`));
    },
    async remove() {
      cleaner.stdin.end();
      await ended;
    },
  };
}
