/** What the page about plain files shows is what an export writes, and its workflow for GitHub Pages works. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PATHS } from '../../build/export/paths.ts';
import { API_VERSION } from '../../contract/api.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { installedPackage } from '../package/installed.ts';
import { codeBlocks, inlineCode, ROOT, section, tableRows } from './documents.ts';

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

describe(PAGE, () => {
  it('has every kind of file, and no other', () => {
    const rows = tableRows(section(PAGE, '## The files')).map(([path = '']) => inlineCode(path)[0] ?? '');
    const known = Object.values(PATHS).map((path) =>
      path.replace('{page}', '1').replace(/\{(\w+)\}/, (_, name: string) => name.toUpperCase()),
    );
    const documented = rows.filter((path) => path.startsWith(`${API_VERSION}/`));
    expect(documented.sort()).toEqual(known.map((path) => `${API_VERSION}/${path}`).sort());
  });

  it('has a workflow whose steps write the files', async () => {
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
});
