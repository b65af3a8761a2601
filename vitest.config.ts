import { availableParallelism, platform } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SkippedReporter } from './test/skipped-reporter.ts';

/** A test file's folder says what it needs, and so which command runs it (test/README.md). */
const PROJECTS = {
  /** Site generators, Ghost and WordPress. */
  engines: 'test/engines/**/*.test.ts',
  /** Random cases, real blogs, failures and attacks, what waits for a clock, and parts that few changes touch. */
  thorough: 'test/*/thorough/**/*.test.ts',
  /** Processes, browsers, workerd, whole blogs. */
  system: 'test/*/system/**/*.test.ts',
  /** Rules as functions, and the interface in one process. These also run on Windows. */
  fast: 'test/**/*.test.ts',
} as const;
type Project = keyof typeof PROJECTS;
const NOT_FAST = [PROJECTS.engines, PROJECTS.thorough, PROJECTS.system, 'test/windows/rules.test.ts'];

/** By mode: `quick` is `npm test`, `thorough` all that it leaves out. Without a mode, everything. */
const MODES: Readonly<Record<string, readonly Project[]>> = {
  quick: ['system', 'fast'],
  thorough: ['engines', 'thorough'],
};

/** What `npm run test:long` runs with many more cases (test/random-cases.ts), one file after another. */
const LONG = {
  name: 'long',
  include: [
    'test/{build/thorough/crash,counts/thorough/exactness,worker/thorough/aborting-clients}.test.ts',
    'test/safety/thorough/{http-fuzz,killed-service,soak}.test.ts',
  ],
  env: { OFFPRINT_TEST_LONG: '1' },
};

// Tests start services of their own, so there are processes for them, and a core is left for what they start. Seven at
// least: many wait for a clock, a browser or workerd.
const FILES_AT_ONCE = Math.max(7, Math.floor(availableParallelism() / 2));

// Fewer collections of short-lived objects: 3 % of the processor time.
const EXEC_ARGV = ['--max-semi-space-size=64'];

/** Projects with long files first, so that no worker is left with one. Vitest sorts projects by name. */
class LongestProjectFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = Object.keys(PROJECTS);
    const place = ({ project }: TestSpecification) => order.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** The rules of Windows, for the tests' processes and those that they start. Other systems have rules of their own. */
const RULES =
  platform() === 'linux' ? ['--import', new URL('test/windows/rules.mjs', import.meta.url).href] : [];

/** Files of others again: on Linux under the rules of Windows' file system, on other systems under their own. */
const ON_WINDOWS = {
  name: 'windows',
  include: [
    'test/build/{thorough/{crash,incremental},system/{prune,two-builds}}.test.ts',
    'test/import/{markdown,write}.test.ts',
    'test/{export/system/export,publish/thorough/interrupted,safety/thorough/backup,windows/rules}.test.ts',
  ],
  isolate: false,
  execArgv: [...EXEC_ARGV, ...RULES],
  // `spawnOffprint` leaves out the options of the person who runs the tests.
  env: { NODE_OPTIONS: RULES.join('='), OFFPRINT_TEST_NODE_OPTIONS: RULES.join('=') },
};

export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ['test/away-from-midnight.ts', 'test/temporary-files.ts', 'test/compiled-program.ts'],
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
            ...Object.entries(PROJECTS)
              .filter(([name]) => MODES[mode]?.some((project) => project === name) ?? true)
              .map(([name, include]) => ({
                extends: true as const,
                test: {
                  name,
                  include: [include],
                  exclude: name === 'fast' ? NOT_FAST : [],
                  // Files that share a process load the program once: half of the processor time. They leave nothing behind.
                  isolate: name === 'engines',
                },
              })),
            ...(mode === 'quick' ? [] : [{ extends: true as const, test: ON_WINDOWS }]),
          ],
  },
}));
