/**
 * `restore` of a backup that others wrote changes nothing outside its folder, unless the owner trusts it.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { untrustedIn } from '../../cli/backup/trust.ts';
import { writeBackup } from '../../cli/backup/write.ts';
import { parseConfig } from '../../cli/settings.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { offprint } from '../service/command.ts';

/** An empty folder to restore in, and next to it a folder that no backup may change. */
function places() {
  const outer = temporaryFolder();
  const [place, outside] = [join(outer, 'place'), join(outer, 'outside')];
  for (const folder of [place, outside]) mkdirSync(folder);
  return { outer, place, outside };
}

/** Makes a backup of a configuration and views, and returns `restore` of it. */
async function backupOf({ outer, place }: ReturnType<typeof places>, config: object) {
  const [json = '', views = '', file = ''] = ['made.json', 'made.sql', 'made.zip'].map((name) =>
    join(outer, name),
  );
  writeFileSync(json, JSON.stringify(config));
  writeFileSync(views, '-- views');
  const parts = [
    { name: 'offprint.json', path: json, kind: 'configuration' },
    { name: 'views.sql', path: views, kind: 'text' },
  ] as const;
  await writeBackup(file, parts, new Date());
  return (...flags: readonly string[]) => offprint(['restore', file, ...flags], place);
}

const PROGRAMS = {
  import: [{ format: 'hugo', path: 'site', engine: '/tmp/program' }],
  webhooks: ['https://hooks.example/x'],
};

describe('without --trust', () => {
  test.each([
    ['above the folder', () => '../outside/new.sql'],
    ['at an absolute path', (outside: string) => join(outside, 'new.sql')],
    ['through a symbolic link', () => 'link/new.sql'],
  ])('no file is written %s', async (_, sourceFor) => {
    const where = places();
    const { place, outside } = where;
    symlinkSync(outside, join(place, 'link'));
    const restore = await backupOf(where, { source: sourceFor(outside) });
    const { code, stdout, stderr } = await restore('--force');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/Nothing was changed\..*--trust/);
    expect(stderr).toMatch(/source ".*new\.sql": .*outside/);
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(place)).toEqual(['link']);
  });

  test('no file of the folder but views is replaced', async () => {
    const where = places();
    const script = join(where.place, 'script.js');
    writeFileSync(script, 'theirs');
    const restore = await backupOf(where, { source: 'script.js' });
    expect((await restore('--force')).code).toBe(1);
    expect(readFileSync(script, 'utf8')).toBe('theirs');
  });

  test('no program or address is put in force', async () => {
    const where = places();
    const restore = await backupOf(where, PROGRAMS);
    const { code, stderr } = await restore();
    expect(code).toBe(1);
    expect(stderr).toContain('import.0.engine "/tmp/program"');
    expect(stderr).toContain('webhooks.0 "https://hooks.example/x"');
    expect(readdirSync(where.place)).toEqual([]);
  });

  test('no folder that is a link to another place is written to, unless an option names it', async () => {
    const where = places();
    const { place, outside } = where;
    symlinkSync(outside, join(place, 'out'));
    const restore = await backupOf(where, {});
    expect((await restore()).code).toBe(1);
    expect(readdirSync(outside)).toEqual([]);
    expect((await restore('--out', 'out')).code).toBe(0);
  });

  test('a link in the place of a file that is being restored is not followed', async () => {
    const where = places();
    const target = join(where.outside, 'theirs');
    writeFileSync(target, 'theirs');
    const links = ['offprint.json.restoring', 'views.sql.restoring'].map((name) => join(where.place, name));
    for (const link of links) symlinkSync(target, link);
    const restore = await backupOf(where, { source: 'views.sql' });
    const { code, stderr } = await restore();
    expect(code, stderr).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe('theirs');
    expect(lstatSync(join(where.place, 'views.sql')).isFile()).toBe(true);
  });

  test('a configuration that names only places in the folder is restored', async () => {
    const where = places();
    const restore = await backupOf(where, { source: 'sql/views.sql', site: { url: 'https://blog.example' } });
    const { code, stderr } = await restore();
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(where.place, 'sql/views.sql'), 'utf8')).toBe('-- views');
  });
});

test('--check lists what needs trust, and --trust puts it in force', async () => {
  const where = places();
  const restore = await backupOf(where, PROGRAMS);
  const { code, stdout } = await restore('--check');
  expect(code).toBe(0);
  expect(stdout).toContain('import.0.engine "/tmp/program": a program');
  const listed: unknown = JSON.parse((await restore('--check', '--json')).stdout);
  expect(listed).toMatchObject({
    needs_trust: [
      { setting: 'import.0.engine', value: '/tmp/program', why: 'a program' },
      { setting: 'webhooks.0', value: 'https://hooks.example/x', why: 'an address' },
    ],
  });
  const restored = await restore('--trust');
  expect(restored.code, restored.stderr).toBe(0);
  expect(existsSync(join(where.place, 'offprint.json'))).toBe(true);
});

test('places need no trust below the folder, and where an option names them', () => {
  const { place, outside } = places();
  symlinkSync(join(outside, 'nothing'), join(place, 'broken'));
  const listed = (config: object, flags: object = {}) =>
    untrustedIn(
      { db: join(place, 'blog.db'), out: join(place, 'out'), config: 'offprint.json', ...flags },
      parseConfig(join(place, 'offprint.json'), JSON.stringify(config)),
      place,
    ).map(({ setting, why }) => [setting, why]);
  const outsideOf = `outside ${place}`;

  const imports = ['.', 'posts', '../outside', 'broken/x', '../place-2', 'HTTPS://blog.example'];
  expect(listed({ import: imports.map((path) => ({ format: 'markdown', path })) })).toEqual([
    ['import.2.path', outsideOf],
    ['import.3.path', 'a broken link'],
    ['import.4.path', outsideOf],
    ['import.5.path', 'an address'],
  ]);
  const source = '../outside/views';
  const keys = join(place, 'keys.db');
  expect(listed({ source }, { keys })).toEqual([['source', outsideOf]]);
  expect(listed({ source }, { keys, source })).toEqual([]);
  expect(listed({}, { keys: join(outside, 'keys.db'), out: join(outside, 'out') })).toEqual([]);
});
