/**
 * The error for an inaccessible file names the file, its owner, and what this user may not do.
 */
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { denial } from '../../common/permissions.ts';
import { shortBlog } from '../build/publishing.ts';
import { folderUntil, temporaryFolder } from '../build/temporary-folder.ts';
import { BUCKET_ENVIRONMENT } from '../service/bucket-credentials.ts';
import { resultOf, spawnOffprint } from '../service/command.ts';
import { answerOf } from '../service/in-process.ts';
import { CAN_BE_NOBODY, NOBODY, offprintAsNobody } from './as-nobody.ts';
import { lacks } from '../lacks.ts';

/** A published blog with a backup; each test works on a copy owned by an unprivileged user. */
let template = '';
beforeAll(async () => {
  if (!CAN_BE_NOBODY) return;
  template = folderUntil(afterAll);
  const files = ['--db', join(template, 'blog.db'), '--out', join(template, 'out')];
  shortBlog(join(template, 'blog.db'), 5, 1);
  await answerOf(['build', ...files]);
  await answerOf(['keys', 'create', '--account', 'ada', '--name', 'site', ...files]);
  await answerOf(['backup', join(template, 'backup.db'), ...files]);
  writeFileSync(join(template, 'offprint.json'), '{}');
});

function copyOfNobody(): string {
  const folder = temporaryFolder();
  cpSync(template, folder, { recursive: true });
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(join(folder, name), NOBODY, NOBODY);
  return folder;
}

/** Gives a file to root, with a mode. */
function close(path: string, mode: number): void {
  chownSync(path, 0, 0);
  chmodSync(path, mode);
}

const DATABASE = ['--db', 'F/blog.db', '--out', 'F/out'];
const OUTPUT = ['--out', 'F/out'];

/** The inaccessible path, its mode, and commands that need it. */
const CLOSED: readonly (readonly [file: string, mode: number, commands: readonly (readonly string[])[]])[] = [
  [
    'blog.db',
    0o600,
    [
      ['build', ...DATABASE],
      ['start', '--port', '0', ...DATABASE],
      ['backup', 'F/new.db', ...DATABASE],
    ],
  ],
  ['blog.db', 0o644, [['keys', 'create', '--account', 'x', '--name', 'y', '--json', ...DATABASE]]],
  [
    'out/state',
    0o700,
    [
      ['build', ...DATABASE],
      ['serve', '--port', '0', ...OUTPUT],
      ['export', 'F/site', ...OUTPUT],
      ['usage', ...OUTPUT],
    ],
  ],
  ['out/keys', 0o700, [['start', '--port', '0', ...DATABASE]]],
  [
    'out/snapshot.json',
    0o600,
    [
      ['status', ...OUTPUT],
      ['publish', '--to', 's3://blog', '--endpoint', 'http://127.0.0.1:1', ...OUTPUT],
      ['snapshots', 'list', ...OUTPUT],
    ],
  ],
  ['out/objects', 0o700, [['serve', '--port', '0', ...OUTPUT]]],
  ['offprint.json', 0o600, [['build', '--config', 'F/offprint.json', ...DATABASE]]],
  ['backup.db', 0o600, [['restore', 'F/backup.db', '--db', 'F/restored.db', ...OUTPUT]]],
];

const CASES = CLOSED.flatMap(([file, mode, commands]) =>
  commands.map((args) => [args.slice(0, 2).join(' '), file, mode, args] as const),
);

describe.skipIf(lacks('the user root', CAN_BE_NOBODY))('a file that this user may not use', () => {
  it.each(CASES)('%s names %s (mode %o)', async (_, file, mode, args) => {
    const folder = copyOfNobody();
    const path = join(folder, file);
    close(path, mode);
    const typed = args.map((word) => word.replace(/^F\//, `${folder}/`));
    const { code, stderr } = await offprintAsNobody(typed, BUCKET_ENVIRONMENT);
    expect(code, stderr).toBe(1);
    expect(stderr).toContain(path);
    expect(stderr).toMatch(/belongs to root, and nobody may not (?:read|write) it/);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('may be in a folder that this user may not enter', async () => {
    const folder = copyOfNobody();
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    renameSync(join(folder, 'blog.db'), join(closed, 'blog.db'));
    close(closed, 0o700);
    const files = ['--db', join(closed, 'blog.db'), '--out', join(folder, 'out')];
    for (const args of [
      ['build', ...files],
      ['start', '--port', '0', ...files],
      ['backup', join(folder, 'new.db'), ...files],
      ['import', 'markdown', folder, ...files],
      ['doctor', ...files],
    ]) {
      const { code, stdout, stderr } = await offprintAsNobody(args);
      expect(code, args[0]).toBe(1);
      expect(stdout + stderr).toContain(`${closed} belongs to root, and nobody may not read it`);
    }
  });

  it('may be a folder that is written to', async () => {
    const folder = copyOfNobody();
    mkdirSync(join(folder, 'closed'));
    const files = ['--db', join(folder, 'blog.db'), '--out', join(folder, 'out')];
    for (const args of [
      ['backup', join(folder, 'closed', 'blog.db'), ...files],
      ['export', join(folder, 'closed', 'site'), ...files.slice(2)],
      ['restore', join(folder, 'backup.db'), '--db', join(folder, 'closed', 'blog.db'), ...files.slice(2)],
    ]) {
      const { code, stderr } = await offprintAsNobody(args);
      expect(code, stderr).toBe(1);
      expect(stderr).toContain(`${join(folder, 'closed')} belongs to root, and nobody may not write it`);
    }
  });
});

it('is not the reason if the user has all permissions, or the file does not exist', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  expect(denial(join(folder, 'file'), 'write')).toBeNull();
  expect(denial(join(folder, 'none', 'file'), 'read')).toBeNull();
  renameSync(join(folder, 'file'), join(folder, 'other'));
  const { stderr } = await resultOf(spawnOffprint(['build', '--db', join(folder, 'file'), '--out', folder]));
  expect(stderr).toContain('There is no database at');
});

it.skipIf(lacks('the user root', CAN_BE_NOBODY))(
  'doctor says whose configuration this user may not read',
  async () => {
    const folder = copyOfNobody();
    const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    const config = join(folder, 'offprint.json');
    close(config, 0o600);
    const args = ['doctor', '--db', db, '--out', out, '--config', config, '--json'];
    const { stdout } = await offprintAsNobody(args);
    const { findings }: { findings: { check: string; finding: string; next: string }[] } = JSON.parse(stdout);
    const [found] = findings.filter(({ check }) => check === 'configuration');
    expect(`${found?.finding} ${found?.next}`).toMatch(/permission denied: /);
  },
);
