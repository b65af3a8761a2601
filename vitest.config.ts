import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG_TESTS, type Project, projectOf, PROJECTS, testFiles } from './test/projects.ts';
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

/** First what waits, last what is short, so that no worker is left with a long file. Vitest sorts by name. */
const FIRST_TO_LAST: readonly string[] = ['worker', 'browser', 'node', 'fast'] satisfies readonly Project[];

class LongestProjectFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => FIRST_TO_LAST.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** `npm run test:long`: some of the same files with many more cases, one after another. */
const LONG = { name: 'long', include: [...LONG_TESTS], env: { OFFPRINT_TEST_LONG: '1' } };

export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ['test/temporary-files.ts', 'test/compiled-program.ts'],
    reporters: ['default', new SkippedReporter()],
    fsModuleCache: true,
    fsModuleCachePath: 'node_modules/.cache/vitest',
    pool: 'forks',
    // Fewer collections of short-lived objects: 3 % of the processor time.
    execArgv: ['--max-semi-space-size=64'],
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
        : PROJECTS.map((name) => ({
            extends: true as const,
            test: {
              name,
              include: testFiles().filter((file) => projectOf(file) === name),
              ...OPTIONS[name],
            },
          })),
  },
}));
