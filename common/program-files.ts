import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program's folder: the checkout, or the installed package, which has the same layout. */
const HOME = new URL('../', import.meta.url);

/** `.ts` in a checkout; `.js` in the compiled package. */
const EXTENSION = extname(import.meta.url);

/** Whether the program runs from the package, not from a checkout. */
export const IS_PACKAGE = EXTENSION !== '.ts';

/**
 * The path of a program file that is read at run time. release/package-files.ts lists the ones in the package.
 *
 * @param path from the program's folder
 */
export function programFile(path: string): string {
  return fileURLToPath(new URL(path, HOME));
}

/**
 * The path of a module that runs as a thread or a process.
 *
 * @param name its path from the program's folder, without extension
 */
export function programModule(name: string): string {
  return programFile(name + EXTENSION);
}
