import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { PROJECTS, testFiles, THOROUGH_TESTS, WINDOWS } from '../projects.ts';
import { read, ROOT } from './documents.ts';

/** The file for continuous integration on GitHub, which nothing here runs. */

interface Job {
  readonly steps: readonly { readonly run?: string }[];
}

const workflow: { readonly jobs: Readonly<Record<string, Job>> } = parse(read('.github/workflows/ci.yml'));
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
const lines = steps.flatMap(({ run }) => run ?? []);

/** What a pattern finds in the commands. */
const named = (pattern: RegExp) =>
  lines.flatMap((line) => Array.from(line.matchAll(pattern), ([, name]) => name));

describe('.ci/run', () => {
  it('runs what the README names, then the tests that it leaves out', () => {
    const commands = read('.ci/run')
      .split('\n')
      .flatMap((line) => /\bnpm (?:test|run -?s? ?test:\w+)$/.exec(line) ?? []);
    expect(commands).toEqual(['npm test', 'npm run -s test:thorough', 'npm run test:long']);
    expect(read('README.md')).toContain('npm ci && npm test');
    expect([scripts['test'], scripts['test:thorough']]).toEqual([
      'npm run -s check && vitest run --mode quick',
      'vitest run --mode thorough',
    ]);
  });

  it.each(THOROUGH_TESTS)('leaves out %s, which exists', (path) => {
    expect(testFiles().filter((file) => file.startsWith(path))).not.toEqual([]);
  });
});

describe('.github/workflows/ci.yml', () => {
  it('names scripts of npm, projects of tests and files that exist', () => {
    expect(
      named(/\bnpm run (?:-s )?([\w:]+)/g).filter((name) => !Object.hasOwn(scripts, name ?? '')),
    ).toEqual([]);
    const projects: readonly string[] = [...PROJECTS, WINDOWS];
    expect(named(/--project (\w+)/g)).toEqual(['fast', 'windows', 'node']);
    expect(named(/--project (\w+)/g).filter((name) => !projects.includes(name ?? ''))).toEqual([]);
    expect(named(/^(\.ci\/\w+)$/g).map((path) => existsSync(ROOT + path))).toEqual([true]);
  });
});
