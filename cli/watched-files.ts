import { type FSWatcher, watch } from 'chokidar';
import { isRemote } from '../data/import/fingerprint.ts';
import { LEFT_OUT } from '../data/import/files.ts';

/** A save is often several events; a checkout, thousands. */
const SETTLED_MS = 300;

/**
 * Tells when files changed, soon after the last of a burst of changes. It only spares waiting for the schedule: where
 * watching is not possible (some network file systems), changes are found with the next tick.
 */
export class WatchedFiles {
  readonly #watcher: FSWatcher;
  #settling: NodeJS.Timeout | undefined;

  /**
   * @param paths of files, and of folders with all that is below them; addresses are passed over
   * @param failed is told once where watching is not possible
   */
  constructor(paths: readonly string[], changed: () => void, failed: (error: unknown) => void) {
    this.#watcher = watch(
      paths.filter((path) => !isRemote(path)),
      { ignoreInitial: true, followSymlinks: false, ignored: (path) => isLeftOut(path, paths) },
    );
    this.#watcher.on('all', () => {
      clearTimeout(this.#settling);
      this.#settling = setTimeout(changed, SETTLED_MS);
    });
    // What changed before the watching began is seen now.
    this.#watcher.once('ready', changed);
    this.#watcher.once('error', failed);
    this.#watcher.on('error', () => undefined);
  }

  async close(): Promise<void> {
    clearTimeout(this.#settling);
    await this.#watcher.close();
  }
}

/** What importers leave out, below the folders that are watched. */
function isLeftOut(path: string, roots: readonly string[]): boolean {
  const root = roots.find((known) => path.startsWith(`${known}/`));
  return (
    root !== undefined &&
    path
      .slice(root.length)
      .split('/')
      .some((name) => Object.hasOwn(LEFT_OUT, name))
  );
}
