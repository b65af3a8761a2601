import { isProcessAlive } from './process-alive.ts';

/** How often to check that npm still runs. */
const PARENT_CHECK_MS = 500;

/**
 * Resolves on a signal to stop, by Ctrl-C, a process manager or a terminal that is closed. A second signal ends the process at once.
 *
 * npm sends SIGTERM to the shell between it and this process. The shell exits without forwarding it, so a process started
 * by npm also stops when its parent exits.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve();
      });
    }
    if (process.env['npm_lifecycle_event'] === undefined) return;
    const parent = process.ppid;
    const checking = setInterval(() => {
      if (process.ppid === parent && isProcessAlive(parent)) return; // Windows keeps the number.
      clearInterval(checking);
      resolve();
    }, PARENT_CHECK_MS);
    checking.unref();
  });
}
