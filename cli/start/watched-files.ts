import { watch } from 'chokidar';
import { isRemote } from '../../import/sources/fingerprint.ts';
import { withSlashes } from '../../common/slashes.ts';
import { LEFT_OUT } from '../../import/sources/files.ts';

/** Debounce: one save is often several events, a checkout thousands. */
const SETTLED_MS = 300;

/**
 * Reports file changes, debounced. It only avoids waiting for the schedule: where watching is not possible (some network
 * file systems), the next scheduled check finds the changes.
 *
 * @param paths files, and folders to watch recursively; addresses are ignored
 * @param failed called once if watching is not possible
 * @returns stops it
 */
export function watchFiles(
  paths: readonly string[],
  changed: () => void,
  failed: (error: unknown) => void,
): () => Promise<void> {
  let settling: NodeJS.Timeout | undefined;
  const watcher = watch(
    paths.filter((path) => !isRemote(path)),
    { ignoreInitial: true, followSymlinks: false, ignored: (path) => isLeftOut(path, paths) },
  )
    .on('all', () => {
      clearTimeout(settling);
      settling = setTimeout(changed, SETTLED_MS);
    })
    .once('ready', changed) // Catch changes from before the watch.
    .once('error', failed)
    .on('error', () => undefined);
  return () => {
    clearTimeout(settling);
    return watcher.close();
  };
}

/** Paths in watched folders that importers ignore. */
export function isLeftOut(
  path: string,
  roots: readonly string[],
  separator?: { readonly sep: string },
): boolean {
  const written = withSlashes(path, separator);
  const root = roots.map((one) => withSlashes(one, separator)).find((one) => written.startsWith(`${one}/`));
  return (
    root !== undefined &&
    written
      .slice(root.length)
      .split('/')
      .some((name) => Object.hasOwn(LEFT_OUT, name))
  );
}
