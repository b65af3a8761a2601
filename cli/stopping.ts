/** How often is looked whether npm is still there. */
const LOOKING_MS = 500;

/**
 * Resolves when the process is asked to stop, by Ctrl-C or a process manager. Asked twice, it stops hard.
 *
 * npm hands SIGTERM to the shell between it and this process, which ends without handing it on. So a process that npm
 * started also stops when its parent has gone.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve();
      });
    }
    if (process.env['npm_lifecycle_event'] === undefined) return;
    const parent = process.ppid;
    const looking = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(looking);
      resolve();
    }, LOOKING_MS);
    looking.unref();
  });
}
