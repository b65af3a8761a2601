/** Generators of sites and of API clients that are too large for this project, where `install-generators` put them. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { addFiles } from '../import/folder.ts';

/** The folder that `install-generators` made. */
const GENERATORS = process.env['OFFPRINT_TEST_GENERATORS'] ?? '/nowhere';

/** By the names of their folders, how each builds a site: a program of one of its packages, with arguments. */
const COMMANDS = {
  astro: ['astro', 'build'],
  docusaurus: ['docusaurus', 'build'],
  gatsby: ['gatsby', 'build'],
  nextjs: ['next', 'build'],
} as const;

export type Generator = keyof typeof COMMANDS;

/** A folder of generators/. */
type Installed = Generator | 'api-clients';

/** They are large: .ci/run says where one could not be installed. */
export function isTested(name: Installed): boolean {
  const isThere = existsSync(join(GENERATORS, name, 'installed.json'));
  if (!isThere)
    console.warn(`${name} is not installed (test/engines/install-generators), so its tests are skipped.`);
  return isThere;
}

/** Builds a site with these files, for the length of the test; the site's folder. */
export async function build(
  generator: Generator,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<string> {
  const site = siteFolder(generator);
  onTestFinished(() => rmSync(site, { recursive: true, force: true, maxRetries: 3 }));
  addFiles(site, files);
  await buildSite(generator, site);
  return site;
}

/**
 * An empty folder for a site or a client. It is in the folder of the generator, since bundlers look for packages in the
 * folders above, and do not follow links out of them.
 */
export function siteFolder(name: Installed): string {
  return mkdtempSync(join(GENERATORS, name, 'site-'));
}

/** The path of a program that came with the packages of a folder. */
export function programOf(name: Installed, program: string): string {
  return join(GENERATORS, name, 'node_modules/.bin', program);
}

/** Builds the site in a folder. @returns what the generator printed */
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
    GATSBY_TELEMETRY_DISABLED: '1',
    NEXT_TELEMETRY_DISABLED: '1',
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [programOf(generator, program), ...args],
    // Without what Vitest sets: it would change what is built.
    { cwd: site, env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', ...quiet, ...environment } },
  );
  return stdout;
}
