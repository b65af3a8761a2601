import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { type Project, projectOf, PROJECTS, testFiles } from './test/projects.ts';

/** What holds for the tests of one project alone. */
const OPTIONS: Partial<Record<Project, { readonly retry?: number }>> = {
  // Wrangler, which serves the buckets of tests, hangs now and then on a busy machine.
  worker: { retry: process.env['CI'] === undefined ? 0 : 1 },
};

// Tests start services of their own, so each file gets a process, and a core is left for what it starts.
const FILES_AT_ONCE = Math.max(2, Math.floor(availableParallelism() / 2));

export default defineConfig({
  test: {
    globalSetup: 'test/temporary-files.ts',
    fsModuleCache: true,
    fsModuleCachePath: 'node_modules/.cache/vitest',
    pool: 'forks',
    maxWorkers: FILES_AT_ONCE,
    // A busy machine decides no test: this only ends one that hangs.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    projects: PROJECTS.map((name) => ({
      extends: true as const,
      test: {
        name,
        include: testFiles().filter((file) => projectOf(file) === name),
        ...OPTIONS[name],
      },
    })),
  },
});
