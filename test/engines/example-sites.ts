/**
 * The sites in examples/, copied to folders where they can be built.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildSite, siteFolder } from './generators.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export interface ExampleSite {
  /**
   * Builds it from the API. @returns the generator's output
   *
   * @throws Error with its output if the build fails
   */
  build(url: string, key: string): Promise<string>;
  /** The folder that it is built into. */
  readonly output: string;
  /** The pages, by path: `posts/one/index.html`. */
  pages(): ReadonlyMap<string, string>;
  remove(): void;
}

export async function exampleSite(name: 'eleventy' | 'astro'): Promise<ExampleSite> {
  const folder = siteFolder(name);
  cpSync(join(ROOT, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/node_modules|\.cache/.test(path.slice(ROOT.length)),
  });
  // The client, packed by `npm pack`.
  const client = join(folder, 'node_modules/offprint-client');
  cpSync(join(ROOT, 'client/package.json'), join(client, 'package.json'));
  for (const entry of ['client', 'client/source/files']) {
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    await run(process.execPath, [tsc, '-p', join(ROOT, entry), '--outDir', join(client, 'dist')]);
  }
  const output = join(folder, name === 'astro' ? 'dist' : '_site');

  return {
    output,
    build: (url, key) => buildSite(name, folder, { OFFPRINT_URL: url, OFFPRINT_KEY: key }),
    pages() {
      if (!existsSync(output)) return new Map();
      const paths = readdirSync(output, { recursive: true, encoding: 'utf8' });
      return new Map(
        paths
          .filter((path) => path.endsWith('.html'))
          .sort()
          .map((path) => [path, readFileSync(join(output, path), 'utf8')]),
      );
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
