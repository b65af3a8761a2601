/**
 * Assigns test files to the projects of vitest.config.ts by what they import, also indirectly through test/ and
 * bench/. The first matching row applies. So each file is in exactly one project, without a list to maintain.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * By project: packages, and files of test/ and bench/, whose importers belong to it. Files that reach none of them
 * are `fast`.
 */
const NEEDS = {
  /** Hugo, Jekyll; npm generators; running Ghost, WordPress and PostgreSQL; packages that npm makes and installs. */
  engines: [
    'test/engines/generators.ts',
    'test/engines/installed.ts',
    'test/engines/running-systems.ts',
    'test/package/installed.ts',
    'test/service/postgres.ts',
    'test/package/release.test.ts',
  ],
  /** Chromium. */
  browser: ['playwright-core'],
  /** workerd, Wrangler, local buckets. */
  worker: ['miniflare', 'test/service/wrangler.ts'],
  /** Processes, builds, the command line, whole blogs and long texts. */
  node: [
    'node:child_process',
    'node:worker_threads',
    'test/build/publishing.ts',
    'test/conformance/command-line/place.ts',
    'test/conformance/differential.ts',
    'test/import/blogs.test.ts',
    'test/import/linear.test.ts',
  ],
} as const;

export const PROJECTS = ['fast', 'node', 'engines', 'worker', 'browser'] as const;
export type Project = (typeof PROJECTS)[number];

/**
 * What `npm test` leaves to `npm run test:thorough`, next to engines and the rules of Windows, so that it takes four minutes at
 * most: random cases, real blogs, failures and attacks, what waits for a clock, and parts that few changes touch. Beginnings
 * of paths.
 */
export const THOROUGH_TESTS = [
  'test/build/crash.test.ts',
  'test/build/disk-full.test.ts',
  'test/build/durability.test.ts',
  'test/build/incremental.test.ts',
  'test/build/schedule.test.ts',
  'test/build/search-index.test.ts',
  'test/build/sizes.test.ts',
  'test/changes/model.test.ts',
  'test/changes/worker-model.test.ts',
  'test/cli/doctor.test.ts',
  'test/cli/webhooks.test.ts',
  'test/conformance/bucket.test.ts',
  'test/conformance/command-line/background-imports.test.ts',
  'test/conformance/command-line/start-imports.test.ts',
  'test/conformance/node.differential.test.ts',
  'test/conformance/waiting.test.ts',
  'test/conformance/worker.differential.test.ts',
  'test/conformance/worker.quotas.test.ts',
  'test/docs/blocks.test.ts',
  'test/examples/',
  'test/gateway/same-time.test.ts',
  'test/import/access.test.ts',
  'test/import/blogs.test.ts',
  'test/import/hostile.test.ts',
  'test/import/linear.test.ts',
  'test/import/sql.test.ts',
  'test/import/wordpress/files.test.ts',
  'test/monitoring/',
  'test/publish/',
  'test/safety/',
  'test/search/',
  'test/usage/',
  'test/worker/aborting-clients.test.ts',
  'test/worker/faults.test.ts',
] as const;

/** @param file its path from the project's folder */
export function isThorough(file: string): boolean {
  return THOROUGH_TESTS.some((path) => file.startsWith(path));
}

/** What `npm run test:long` runs with many more cases (test/random-cases.ts). */
export const LONG_TESTS = [
  'test/build/crash.test.ts',
  'test/counts/exactness.test.ts',
  'test/safety/http-fuzz.test.ts',
  'test/safety/killed-service.test.ts',
  'test/safety/soak.test.ts',
  'test/worker/aborting-clients.test.ts',
] as const;

/**
 * A project with files of others: on Linux under the rules of Windows' file system, which test/windows/rules.mjs imitates; on
 * other systems under their own.
 */
export const WINDOWS = 'windows';

export const WINDOWS_TESTS = [
  'test/build/crash.test.ts',
  'test/build/incremental.test.ts',
  'test/build/prune.test.ts',
  'test/build/two-builds.test.ts',
  'test/export/export.test.ts',
  'test/import/markdown.test.ts',
  'test/import/write.test.ts',
  'test/publish/interrupted.test.ts',
  'test/safety/backup.test.ts',
] as const;

/** Every test file, by its path from the project's folder. */
export function testFiles(): string[] {
  return fastGlob.sync('test/**/*.test.ts', { cwd: ROOT }).sort();
}

/** @param file its path from the project's folder */
export function projectOf(file: string): Project {
  const needed = new Set([...reached(file)].flatMap((path) => [path, ...importsOf(path)]));
  const fits = (project: keyof typeof NEEDS) => NEEDS[project].some((need) => needed.has(need));
  return (['engines', 'browser', 'worker', 'node'] as const).find(fits) ?? 'fast';
}

/** The files of test/ and bench/ that one imports, directly or not, including itself. */
function reached(file: string): ReadonlySet<string> {
  const files = new Set([file]);
  for (const path of files) {
    for (const imported of importsOf(path))
      if (/^(?:test|bench)\/.*\.ts$/.test(imported)) files.add(imported);
  }
  return files;
}

const known = new Map<string, readonly string[]>();

/** Imported packages by name, and files by path from the project's folder. Type imports are ignored. */
function importsOf(path: string): readonly string[] {
  const before = known.get(path);
  if (before) return before;
  const text = existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '';
  const found = text.matchAll(/^(?:import|export)\s(?!type\b)[^;']*'([^']+)'|\bimport\('([^']+)'\)/gm);
  const imports = Array.from(found, ([, fixed, dynamic]) => fixed ?? dynamic ?? '').map((specifier) =>
    specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier,
  );
  known.set(path, imports);
  return imports;
}
