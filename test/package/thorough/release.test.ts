/**
 * `npm run release` in a copy of the checkout: what it rejects, and what it creates.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { folderUntil, temporaryFolder } from '../../build/temporary-folder.ts';
import { codeBlocks, read, ROOT } from '../../docs/documents.ts';

const { version: CURRENT }: { version: string } = JSON.parse(read('package.json'));
const [major = 0, minor = 0] = CURRENT.split('.').map(Number);
const NEXT = `${major}.${minor + 1}.0`;

const clone = folderUntil(afterAll);
/** Who commits. */
const env = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'Ada'],
    [`GIT_${role}_EMAIL`, 'ada@blog.example'],
  ]),
);
const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: clone, encoding: 'utf8', env: { ...process.env, ...env } });

/** Its tests, and the check by npm's versions, are replaced by commands with a given result. */
beforeAll(() => {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter((path) => path !== '' && existsSync(ROOT + path)))
    cpSync(ROOT + file, join(clone, file));
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const manifest = readFileSync(join(clone, 'package.json'), 'utf8');
  const replaced = manifest
    .replace(/"test": "[^"]+"/, '"test": "test ! -e .git/red"')
    .replace(/"check:lock": "[^"]+"/, '"check:lock": "test ! -e .git/refused"');
  writeFileSync(join(clone, 'package.json'), replaced);
  git('init', '--quiet');
  writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'all');
});

function release(...args: readonly string[]): { readonly code: number; readonly text: string } {
  // No registry is asked, and without Docker, no image is built.
  const registry = { npm_config_registry: 'http://127.0.0.1:9' };
  const path = [join(process.execPath, '..'), '/usr/bin', '/bin'].join(':');
  const options = { cwd: clone, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['release/release.ts', ...args], {
    ...options,
    env: { ...process.env, ...env, ...registry, PATH: path },
  });
  return { code: status ?? -1, text: status === 0 ? stdout : stderr };
}

const state = () => [git('rev-parse', 'HEAD'), git('tag', '--list'), git('status', '--porcelain')];

describe('is rejected without any change:', () => {
  test.each([
    ['without a version', [], 'Pass one version'],
    ['for an invalid version', ['next'], 'npm version'],
    ['for the current version', [CURRENT], 'Version not changed'],
  ])('%s', (_, args, says) => {
    const before = state();
    const { code, text } = release(...args);
    expect(code).toBe(1);
    expect(text).toContain(says);
    expect(state()).toEqual(before);
  });

  test('if a change is not committed', () => {
    const path = join(clone, 'README.md');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, `${text}more\n`);
    expect(release(NEXT).text).toContain('README.md');
    expect(readFileSync(path, 'utf8')).toBe(`${text}more\n`);
    writeFileSync(path, text);
  });

  test('if the changelog has no change', () => {
    const path = join(clone, 'CHANGELOG.md');
    writeFileSync(path, '# C\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n\n- a\n');
    git('commit', '--quiet', '--all', '-m', 'empty');
    const before = state();
    expect(release(NEXT).text).toContain('no change');
    expect(state()).toEqual(before);
    git('reset', '--quiet', '--hard', 'HEAD~1');
  });

  test.each([
    ['a test fails', '.git/red'],
    ['an npm refuses the lock file', '.git/refused'],
  ])('if %s', (_, file) => {
    const before = state();
    writeFileSync(join(clone, file), '');
    expect(release(NEXT).code).toBe(1);
    expect(state()).toEqual(before);
    rmSync(join(clone, file));
  });
});

test('`npm run package` makes the client that its README installs', () => {
  execFileSync('npm', ['run', '--silent', 'package'], { cwd: clone, stdio: 'pipe' });
  const [install] = codeBlocks(read('client/README.md')).filter(({ language }) => language === 'sh');
  const folder = temporaryFolder();
  const name = `offprint-client-${CURRENT}.tgz`;
  cpSync(join(clone, 'dist', name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const shell = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
  execFileSync('sh', ['-ec', install?.code.replaceAll('VERSION', CURRENT) ?? 'false'], shell);
  const program = `import('offprint-client').then(({ createClient }) => console.log(typeof createClient))`;
  expect(execFileSync(process.execPath, ['-e', program], shell)).toBe('function\n');
});

test('a dry run only makes the files; a release also commits and tags', () => {
  const before = state();
  const dry = release(NEXT, '--dry-run');
  expect(dry.text).toContain(`would release ${NEXT}`);
  expect(state()).toEqual(before);
  // Without the sample's snapshot and the bill, which have the time when they were made.
  const sums = () =>
    readFileSync(join(clone, 'dist/SHA256SUMS'), 'utf8')
      .split('\n')
      .filter((line) => !/offprint-\d|cdx/.test(line));
  const sumsBefore = sums();

  expect(release('minor').text).toContain(`released ${NEXT}`);
  expect(sumsBefore).toContainEqual(expect.stringContaining('NOTICES.md'));
  expect(sums()).toEqual(sumsBefore);
  expect(git('log', '-1', '--format=%s').trim()).toBe(`release: ${NEXT}`);
  expect(git('describe', '--exact-match').trim()).toBe(`v${NEXT}`);
  expect(git('status', '--porcelain')).toBe('');
  for (const file of ['package.json', 'package-lock.json', 'client/package.json'])
    expect(JSON.parse(readFileSync(join(clone, file), 'utf8'))).toMatchObject({ version: NEXT });
  expect(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8')).toMatch(
    new RegExp(`^## \\[Unreleased\\]\n\n## \\[${NEXT}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'),
  );
  const bill = `offprint-${NEXT}.cdx.json`;
  const names = [`offprint-${NEXT}.tgz`, `offprint-client-${NEXT}.tgz`, bill, 'NOTICES.md'];
  const dist = join(clone, 'dist');
  expect(readFileSync(join(dist, 'SHA256SUMS'), 'utf8').match(/\S+\.\w+$/gm)).toEqual(names);
  // It names each package that is built in.
  const { components } = billSchema.parse(JSON.parse(readFileSync(join(dist, bill), 'utf8')));
  const named = components.map(({ name, version }) => `${name} ${version}`);
  const notices = readFileSync(join(dist, 'NOTICES.md'), 'utf8');
  const built = [...notices.matchAll(/^## (\S+ \S+): /gm)].map(([, one = '']) => one);
  expect(named).toEqual(expect.arrayContaining(built));
  for (const [name, isInstalled] of Object.entries({ 'better-sqlite3': true, vitest: false }))
    expect(components.some((one) => one.name === name)).toBe(isInstalled);
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: dist });
  const packed = execFileSync('tar', ['-xOzf', join(dist, `offprint-${NEXT}.tgz`), 'package/package.json']);
  expect(JSON.parse(packed.toString())).toMatchObject({ version: NEXT });
});

const billSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ name: z.literal('offprint'), version: z.literal(NEXT) }) }),
  components: z.array(z.object({ name: z.string(), version: z.string() })),
});
