import { availableParallelism, platform } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import {
  isThorough,
  LONG_TESTS,
  type Project,
  projectOf,
  PROJECTS,
  testFiles,
  WINDOWS,
  WINDOWS_TESTS,
} from './test/projects.ts';
import { SkippedReporter } from './test/skipped-reporter.ts';

/** What holds for the tests of one project alone. */
const OPTIONS: Partial<Record<Project, { readonly retry?: number; readonly isolate?: boolean }>> = {
  // Files that share a process load the program once: half of the processor time. They leave nothing behind.
  fast: { isolate: false },
  node: { isolate: false },
  browser: { isolate: false },
  // Wrangler, which bundles the Worker, hangs now and then on a busy machine.
  worker: { isolate: false, retry: process.env['CI'] === undefined ? 0 : 1 },
};

// Tests start services of their own, so there are processes for them, and a core is left for what they start. Seven at
// least: many wait for a clock, a browser or workerd.
const FILES_AT_ONCE = Math.max(7, Math.floor(availableParallelism() / 2));

// Fewer collections of short-lived objects: 3 % of the processor time.
const EXEC_ARGV = ['--max-semi-space-size=64'];

/** First what waits, last what is short, so that no worker is left with a long file. Vitest sorts by name. */
const FIRST_TO_LAST: readonly string[] = ['worker', 'browser', 'node', 'fast'] satisfies readonly Project[];

class LongestProjectFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => FIRST_TO_LAST.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** The rules of Windows, for the tests' processes and those that they start. Other systems have rules of their own. */
const RULES =
  platform() === 'linux' ? ['--import', new URL('test/windows/rules.mjs', import.meta.url).href] : [];

const ON_WINDOWS = {
  name: WINDOWS,
  include: [...WINDOWS_TESTS],
  isolate: false,
  execArgv: [...EXEC_ARGV, ...RULES],
  // `spawnOffprint` leaves out the options of the person who runs the tests.
  env: { NODE_OPTIONS: RULES.join('='), OFFPRINT_TEST_NODE_OPTIONS: RULES.join('=') },
};

/** `npm run test:long`: some of the same files with many more cases, one after another. */
const LONG = { name: 'long', include: [...LONG_TESTS], env: { OFFPRINT_TEST_LONG: '1' } };

/**
 * What a mode runs of the projects: `quick` is `npm test`, `thorough` all that it leaves out. Without a mode, everything.
 *
 * @returns whether a file takes part
 */
function partOf(mode: string): (project: Project | typeof WINDOWS, file: string) => boolean {
  const isOwn = (project: Project | typeof WINDOWS, file: string) =>
    project === 'engines' || project === WINDOWS || isThorough(file);
  if (mode === 'quick') return (project, file) => !isOwn(project, file);
  return mode === 'thorough' ? isOwn : () => true;
}

export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ['test/temporary-files.ts', 'test/compiled-program.ts'],
    setupFiles: ['test/own-folder.ts'],
    reporters: ['default', new SkippedReporter()],
    fsModuleCache: true,
    fsModuleCachePath: 'node_modules/.cache/vitest',
    pool: 'forks',
    execArgv: EXEC_ARGV,
    sequence: { sequencer: LongestProjectFirst },
    maxWorkers: mode === 'long' ? 1 : FILES_AT_ONCE,
    // Of tests that run at once in one file: they wait for a clock.
    maxConcurrency: 30,
    // A busy machine decides no test: this only ends one that hangs.
    testTimeout: mode === 'long' ? 3_600_000 : 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    projects:
      mode === 'long'
        ? [{ extends: true as const, test: LONG }]
        : [
            ...PROJECTS.map((name) => ({
              extends: true as const,
              test: {
                name,
                include: testFiles().filter((file) => projectOf(file) === name && partOf(mode)(name, file)),
                ...OPTIONS[name],
              },
            })),
            ...(mode === 'quick' ? [] : [{ extends: true as const, test: ON_WINDOWS }]),
          ],
  },
}));
