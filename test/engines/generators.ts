/**
 * Generators of sites and API clients that are too large for this project, installed by `install-generators`.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lacks } from '../lacks.ts';

/** The folder of `install-generators`. */
const GENERATORS = process.env['OFFPRINT_TEST_GENERATORS'] ?? '/nowhere';

/** The command that builds a site with each, by the names of their folders. */
const COMMANDS = {
  astro: ['astro', 'build'],
  eleventy: ['eleventy', '--quiet'],
} as const;

type Generator = keyof typeof COMMANDS;

/** A folder of generators/. */
type Installed = Generator | 'api-clients';

/** In CI a missing generator is an error, unless .ci/run says why it could not be installed. */
export function isTested(name: Installed): boolean {
  return !lacks('site generators', existsSync(join(GENERATORS, name, 'installed.json')));
}

/**
 * An empty folder for a site or a client. It is inside the generator's folder, because bundlers look for packages
 * in parent folders and do not follow links out of them.
 */
export function siteFolder(name: Installed): string {
  return mkdtempSync(join(GENERATORS, name, 'site-'));
}

/** The path of an executable from the packages of a folder. */
export function programOf(name: Installed, program: string): string {
  return join(GENERATORS, name, 'node_modules/.bin', program);
}

/** Builds the site in a folder. @returns the generator's output */
export async function buildSite(
  generator: Generator,
  site: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [program, ...args] = COMMANDS[generator];
  const { PATH, HOME, TMPDIR } = process.env;
  const quiet = {
    CI: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [programOf(generator, program), ...args],
    // Without the variables of Vitest, which would change the build.
    { cwd: site, env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', ...quiet, ...environment } },
  );
  return stdout;
}
