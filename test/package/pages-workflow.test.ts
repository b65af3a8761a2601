/** The workflow for GitHub Pages, with the installed package. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { codeBlocks, ROOT, section } from '../docs/documents.ts';
import { installedPackage } from './installed.ts';

const PAGE = 'docs/owners/exporting.md';

interface Workflow {
  readonly jobs: {
    readonly publish: {
      readonly steps: readonly {
        readonly name?: string;
        readonly run?: string;
        readonly env?: Readonly<Record<string, string>>;
        readonly with?: Readonly<Record<string, string>>;
      }[];
    };
  };
}

test(`the workflow of ${PAGE} for GitHub Pages writes the files`, async () => {
  const block = codeBlocks(section(PAGE, '## GitHub Pages')).find(({ language }) => language === 'yaml');
  const { steps }: Workflow['jobs']['publish'] = parse(block?.code ?? '').jobs.publish;
  const step = steps.find(({ name }) => name === 'Export');
  const home = temporaryFolder();
  symlinkSync(join(await installedPackage(), 'node_modules'), join(home, 'node_modules'));
  symlinkSync(join(ROOT, 'data/sample'), join(home, 'content'));
  const env = { ...step?.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
  const { status, stderr } = spawnSync('sh', ['-ec', step?.run ?? 'false'], {
    cwd: home,
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  const uploaded = steps.find((known) => known.with?.['path'] === 'public');
  expect(uploaded).toBeDefined();
  expect(readFileSync(join(home, 'public/v1/post/brevity.json'), 'utf8')).toContain('On Brevity');
  expect(existsSync(join(home, 'public/index.html'))).toBe(true);
});
