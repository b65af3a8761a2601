import { defineConfig } from 'vitest/config';

// Tests start services of their own, so each file gets a process, and no more than two run at once.
export default defineConfig({
  test: {
    globalSetup: 'test/temporary-files.ts',
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A busy machine decides no test: this only ends one that hangs.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Wrangler, which serves the buckets of tests, hangs now and then on a busy machine.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
