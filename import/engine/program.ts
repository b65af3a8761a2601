import { access, constants } from 'node:fs/promises';
import nodePath from 'node:path';
import { engineMissing } from '../errors.ts';

type Paths = Pick<typeof nodePath, 'delimiter' | 'extname' | 'resolve' | 'sep'>;

/**
 * The path of a site's engine.
 *
 * @param where the engine's name, and where to get it: `Hugo (https://gohugo.io/installation/)`
 * @param site its folder
 * @throws OptionNeeded if it is not installed
 */
export async function mustFindProgram(name: string, where: string, site: string): Promise<string> {
  const path = await findProgram(name);
  if (path === null) throw engineMissing(name, where, site);
  return path;
}

/** The path of the program that this name would start; null if there is none. */
export async function findProgram(name: string): Promise<string | null> {
  for (const path of programPaths(name, process.env)) {
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

/**
 * Where a system looks for a program, in its order. On Windows the variable PATHEXT has the extensions of programs: `jekyll`
 * starts `jekyll.bat`.
 */
export function programPaths(
  name: string,
  { PATH = '', PATHEXT }: Readonly<Record<string, string | undefined>>,
  paths: Paths = nodePath,
): string[] {
  const isPath = name.includes('/') || name.includes(paths.sep);
  const folders = isPath ? [''] : PATH.split(paths.delimiter).filter(Boolean);
  const known = PATHEXT?.split(';').filter(Boolean) ?? [];
  const hasExtension =
    known.length === 0 || known.some((end) => name.toLowerCase().endsWith(end.toLowerCase()));
  const endings = hasExtension ? [''] : known;
  // It is started from another folder.
  return folders.flatMap((folder) => endings.map((end) => paths.resolve(folder, name + end)));
}

/** How to start a program, for `spawn`. */
interface SpawnCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly windowsVerbatimArguments?: boolean;
}

/**
 * Node starts no batch files of Windows (`.bat`, `.cmd`) since CVE-2024-27980: cmd.exe runs them. It gets the line as
 * cross-spawn quotes it: each argument in quotation marks, and then a circumflex before each character that cmd.exe would
 * interpret.
 *
 * @param shell cmd.exe
 */
export function toSpawnCommand(
  program: string,
  args: readonly string[],
  shell = process.env['ComSpec'] ?? 'cmd.exe',
): SpawnCommand {
  if (!/\.(?:bat|cmd)$/i.test(program)) return { command: program, args };
  const line = [program.replace(META, '^$&'), ...args.map(quoted)].join(' ');
  return { command: shell, args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true };
}

const META = /[()\][%!^"`<>&|;, *?]/g;

/** Backslashes before a quotation mark count twice (CommandLineToArgvW). */
function quoted(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`.replace(META, '^$&');
}
