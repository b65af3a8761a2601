import { availableParallelism, platform } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import fastGlob from 'fast-glob';
import { SkippedReporter } from './test/skipped-reporter.ts';

/** A test file is in the first of these projects that names it. */
const PROJECTS = {
  /** Site generators, Ghost, WordPress, PostgreSQL, and packages that npm makes and installs. */
  engines: [
    'test/{engines,package}/**',
    'test/conformance/postgres.test.ts',
    'test/counts/{exactness,faults,tables}.test.ts',
    'test/deploy/workflows.test.ts',
  ],
  /** Chromium. */
  browser: [
    'test/**/browser.test.ts',
    'test/site/**',
    'test/safety/{box,html}.test.ts',
    'test/{examples/reader,usage/usage}.test.ts',
  ],
  /** workerd, Wrangler, local buckets. */
  worker: [
    'test/worker/**',
    'test/conformance/{revocation,worker,worker.*}.test.ts',
    'test/{client/workerd,docs/blocks,publish/{bucket,races,start},withdraw/withdraw}.test.ts',
  ],
  /** No processes, no whole blogs: these also run on Windows. */
  fast: [
    'test/*.test.ts',
    'test/{client/{requests,sync,types},conformance/in-process,examples/{client,paths}}.test.ts',
    'test/{accounts/key-files,changes/change-log,cli/confirm,export/file-name,usage/usage-log}.test.ts',
    'test/{build/{articles,object-cutter},data/{former-slugs,refused-changes,schema}}.test.ts',
    'test/{deploy/workflow-secrets,publish/{retry,target},safety/articles,windows/paths}.test.ts',
    'test/{contract/!(new-filter),counts/!(exactness|faults|tables),gateway/!(disk-reads|newest|same-time|copied-summaries)}.test.ts',
    'test/docs/!(answers|commands|deploy|import-sql).test.ts',
    'test/import/**/!(access|blogs|departures|files|hostile|linear|pages|sql).test.ts',
  ],
  /** All others: processes, builds, the command line. */
  node: ['test/**', '!test/windows/rules.test.ts'],
} as const;
type Project = keyof typeof PROJECTS;

/**
 * What `npm test` leaves to `npm run test:thorough`, next to engines and the rules of Windows, so that it takes four minutes at
 * most: random cases, real blogs, failures and attacks, what waits for a clock, and parts that few changes touch.
 */
const THOROUGH = [
  'test/{examples,monitoring,publish,safety,search,usage}/**',
  'test/build/{crash,disk-full,durability,incremental,schedule,search-index,sizes}.test.ts',
  'test/{changes/model,cli/{doctor,webhooks},docs/blocks,gateway/same-time}.test.ts',
  'test/conformance/{*.differential,revocation,worker.quotas,command-line/*-imports}.test.ts',
  'test/import/{access,blogs,ghost-blogs,hostile,linear,plain-markdown,sql,wordpress/{blogs,files}}.test.ts',
  'test/worker/{aborting-clients,faults}.test.ts',
];

/** What `npm run test:long` runs with many more cases (test/random-cases.ts), one file after another. */
const LONG = {
  name: 'long',
  include: [
    'test/{build/crash,counts/exactness,worker/aborting-clients}.test.ts',
    'test/safety/{http-fuzz,killed-service,soak}.test.ts',
  ],
  env: { OFFPRINT_TEST_LONG: '1' },
};

const filesIn = (globs: readonly string[]) =>
  fastGlob
    .sync([...globs], { cwd: import.meta.dirname })
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
const thorough = new Set(filesIn(THOROUGH));
const taken = new Set<string>();
const files = Object.entries(PROJECTS).map(([name, globs]) => {
  const own = filesIn(globs).filter((file) => !taken.has(file));
  for (const file of own) taken.add(file);
  return [name, own] as const;
});

/** By mode: `quick` is `npm test`, `thorough` all that it leaves out. Without a mode, everything. */
const MODES: Readonly<Record<string, (project: string, file: string) => boolean>> = {
  quick: (project, file) => project !== 'engines' && !thorough.has(file),
  thorough: (project, file) => project === 'engines' || thorough.has(file),
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

/** Files of others again: on Linux under the rules of Windows' file system, on other systems under their own. */
const ON_WINDOWS = {
  name: 'windows',
  include: [
    'test/build/{crash,incremental,prune,two-builds}.test.ts',
    'test/{export/export,import/{markdown,write},publish/interrupted,safety/backup,windows/rules}.test.ts',
  ],
  isolate: false,
  execArgv: [...EXEC_ARGV, ...RULES],
  // `spawnOffprint` leaves out the options of the person who runs the tests.
  env: { NODE_OPTIONS: RULES.join('='), OFFPRINT_TEST_NODE_OPTIONS: RULES.join('=') },
};

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
            ...files.map(([name, own]) => ({
              extends: true as const,
              test: {
                name,
                include: own.filter((file) => MODES[mode]?.(name, file) ?? true),
                // Files that share a process load the program once: half of the processor time. They leave nothing behind.
                isolate: name === 'engines',
              },
            })),
            ...(mode === 'quick' ? [] : [{ extends: true as const, test: ON_WINDOWS }]),
          ],
  },
}));
