import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import type { TestProject } from 'vitest/node';
import { PACKAGE_FILES } from '../release/package-files.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/offprint-compiled');
const DAY_MS = 86_400_000;

/** The sources of the compiled program: all but those of folders that it never has, so that a new folder counts. */
const SOURCES = [...PACKAGE_FILES, '**/*.{ts,mjs,js,css,svg}', 'package{,-lock}.json'];
const OTHERS = ['**/node_modules/**', '{bench,client,dist,examples,out,test}/**'];

/**
 * Compiles the program like the npm package, because its processes start with two thirds of the CPU time
 * (service/program.ts). The result is cached for the next run. In watch mode, the sources are used.
 */
export default async function setup({ vitest }: TestProject): Promise<void> {
  if (vitest.config.watch || vitest.projects.every(({ name }) => name === 'fast')) return;
  const program = join(CACHE, sourcesHash());
  if (!existsSync(program)) {
    mkdirSync(CACHE, { recursive: true });
    for (const old of readdirSync(CACHE).map((name) => join(CACHE, name)))
      if (statSync(old).mtimeMs < Date.now() - DAY_MS) rmSync(old, { recursive: true, force: true });
    const { compileProgram } = await import('../release/compile.ts');
    const unfinished = `${program}.${process.pid}`;
    await compileProgram(unfinished);
    rmSync(program, { recursive: true, force: true });
    renameSync(unfinished, program);
  }
  process.env['OFFPRINT_TEST_PROGRAM'] = join(program, 'cli/offprint.mjs');
}

/** The paths, from the project's folder, of the files that the compiled program depends on. */
function programSources(): string[] {
  return fastGlob.sync(SOURCES, { cwd: ROOT, dot: true, ignore: OTHERS }).sort();
}

function sourcesHash(): string {
  const hash = createHash('sha256');
  for (const path of programSources()) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}
