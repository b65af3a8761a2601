import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program's own folder: the checkout, or the installed package, which has its files in the same places. */
const HOME = new URL('../', import.meta.url);

/** `.ts` in a checkout; `.js` in the package, which is compiled. */
const EXTENSION = extname(import.meta.url);

/** Whether the program was installed as a package, and is not a checkout. */
export const IS_PACKAGE = EXTENSION !== '.ts';

/**
 * The path of a file that belongs to the program and is read while it runs. The package has those that
 * release/package-files.ts lists.
 *
 * @param path from the program's folder
 */
export function programFile(path: string): string {
  return fileURLToPath(new URL(path, HOME));
}

/**
 * The path of a module that is run by its path: a thread, or a process of its own.
 *
 * @param name its path from the program's folder, without an extension
 */
export function programModule(name: string): string {
  return programFile(name + EXTENSION);
}
