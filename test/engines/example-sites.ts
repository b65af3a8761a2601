/**
 * The sites in examples/, copied to folders where they can be built.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  const folder = name === 'astro' ? siteFolder('astro') : mkdtempSync(join(tmpdir(), 'offprint-eleventy-'));
  const modules = join(folder, 'node_modules');
  cpSync(join(ROOT, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/node_modules|\.cache/.test(path.slice(ROOT.length)),
  });
  // The client, packed by `npm pack`.
  const client = join(modules, 'offprint-client');
  cpSync(join(ROOT, 'client/package.json'), join(client, 'package.json'));
  for (const entry of ['client', 'client/source/files']) {
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    await run(process.execPath, [tsc, '-p', join(ROOT, entry), '--outDir', join(client, 'dist')]);
  }
  if (name === 'eleventy') symlinkSync(join(ROOT, 'node_modules/@11ty'), join(modules, '@11ty'));
  const output = join(folder, name === 'astro' ? 'dist' : '_site');

  return {
    output,
    async build(url, key) {
      const environment = { OFFPRINT_URL: url, OFFPRINT_KEY: key };
      if (name === 'astro') return buildSite('astro', folder, environment);
      const { PATH, HOME, TMPDIR } = process.env;
      const { stdout } = await run(process.execPath, [join(modules, '@11ty/eleventy/cmd.cjs'), '--quiet'], {
        cwd: folder,
        env: { PATH, HOME, TMPDIR, ...environment },
      });
      return stdout;
    },
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
