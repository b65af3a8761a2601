/** Site generators that are too large for this project, where `install-generators` put them. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { addFiles } from '../import/folder.ts';

/** The folder that `install-generators` made. */
const GENERATORS = process.env['OFFPRINT_TEST_GENERATORS'] ?? '/nowhere';

/** By the names of their folders, how each builds a site: a program of its package, with arguments. */
const COMMANDS = {
  astro: ['astro', 'build'],
  docusaurus: ['docusaurus', 'build'],
  gatsby: ['gatsby', 'build'],
  nextjs: ['next', 'build'],
} as const;

export type Generator = keyof typeof COMMANDS;

/** They are large: .ci/run says where one could not be installed. */
export function isTested(generator: Generator): boolean {
  const isThere = existsSync(join(GENERATORS, generator, 'installed.json'));
  if (!isThere)
    console.warn(
      `${generator} is not installed (test/engines/install-generators), so its template is not run.`,
    );
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
 * An empty folder for a site. It is in the folder of the generator, since bundlers look for packages in the folders above,
 * and do not follow links out of them.
 */
export function siteFolder(generator: Generator): string {
  return mkdtempSync(join(GENERATORS, generator, 'site-'));
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
    [join(GENERATORS, generator, 'node_modules/.bin', program), ...args],
    // Without what Vitest sets: it would change what is built.
    { cwd: site, env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', ...quiet, ...environment } },
  );
  return stdout;
}
