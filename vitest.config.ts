import { defineConfig } from 'vitest/config';

// Tests start services of their own, so each file gets a process, and no more than two run at once.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
