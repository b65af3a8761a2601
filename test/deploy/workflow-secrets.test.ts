/** Where secrets stand in the workflows of this project and in those that owners copy. */
import fastGlob from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { read, ROOT } from '../docs/documents.ts';

const Job = z.looseObject({ steps: z.array(z.looseObject({ run: z.string().optional() })) });
const Workflow = z.looseObject({ jobs: z.record(z.string(), Job) });

const WORKFLOWS = fastGlob
  .sync(['deploy/**/*.y{,a}ml', '.github/**/*.y{,a}ml', 'examples/**/*.y{,a}ml'], {
    cwd: ROOT,
    dot: true,
    ignore: ['**/node_modules/**'],
  })
  .filter((path) => /^jobs:/m.test(read(path)));

const hasSecret = (value: unknown): boolean => /\$\{\{[^}]*\bsecrets\b/.test(JSON.stringify(value));

it('finds the workflows', () => {
  const known = ['deploy/github/bucket.yml', 'deploy/github/pages.yml', '.github/workflows/ci.yml'];
  expect(WORKFLOWS).toEqual(expect.arrayContaining(known));
});

describe.each(WORKFLOWS)('%s', (path) => {
  const { jobs, ...workflow } = Workflow.parse(parse(read(path)));
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('has secrets in steps only', () => {
    expect(hasSecret(workflow)).toBe(false);
    for (const { steps: _, ...job } of Object.values(jobs)) expect(hasSecret(job)).toBe(false);
  });

  it("has none in a step that runs a site's code", () => {
    for (const step of steps.filter(hasSecret)) expect(step.run ?? '').toMatch(/^offprint publish .*\n?$/);
  });
});
