import { expect, test } from 'vitest';
import { projectOf, testFiles } from './projects.ts';

// A file that changes project fails here, so the test notices if imports are no longer recognised.
test.each([
  ['test/gateway/quota.test.ts', 'fast'],
  ['test/conformance/in-process.test.ts', 'fast'],
  ['test/conformance/node.quotas.test.ts', 'node'],
  ['test/build/incremental.test.ts', 'node'],
  ['test/import/blogs.test.ts', 'node'],
  ['test/conformance/command-line/build.test.ts', 'node'],
  ['test/engines/hugo.test.ts', 'engines'],
  ['test/engines/api-clients.test.ts', 'engines'],
  ['test/engines/example-sites-worker.test.ts', 'engines'],
  ['test/package/package.test.ts', 'engines'],
  ['test/package/worker.test.ts', 'engines'],
  ['test/conformance/postgres.test.ts', 'engines'],
  ['test/conformance/worker.test.ts', 'worker'],
  ['test/publish/bucket.test.ts', 'worker'],
  ['test/site/page.test.ts', 'browser'],
  ['test/engines/example-sites-browser.test.ts', 'engines'],
])('%s is in the project "%s"', (file, project) => {
  expect(testFiles()).toContain(file);
  expect(projectOf(file)).toBe(project);
});

test("every test file's name ends with .test.ts, so that it runs", () => {
  expect(testFiles().length).toBeGreaterThan(100);
});
