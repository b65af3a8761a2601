/**
 * The error for an inaccessible file names the file, its owner, and what this user may not do.
 */
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { denial } from '../../../common/permissions.ts';
import { shortBlog } from '../../build/publishing.ts';
import { folderUntil, temporaryFolder } from '../../build/temporary-folder.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { resultOf, spawnOffprint } from '../../service/command.ts';
import { answerOf } from '../../service/in-process.ts';
import { CAN_BE_NOBODY, NOBODY, offprintAsNobody } from '../as-nobody.ts';
import { lacks } from '../../lacks.ts';

/** A published blog with a backup and an export; each test works on a copy owned by an unprivileged user. */
let template = '';
beforeAll(async () => {
  if (!CAN_BE_NOBODY) return;
  template = folderUntil(afterAll);
  const files = ['--db', join(template, 'blog.db'), '--out', join(template, 'out')];
  shortBlog(join(template, 'blog.db'), 5, 1);
  await answerOf(['build', ...files]);
  await answerOf(['keys', 'create', '--account', 'ada', '--name', 'site', ...files]);
  await answerOf(['backup', join(template, 'backup.db'), ...files]);
  await answerOf(['export', join(template, 'exported'), '--out', join(template, 'out')]);
  writeFileSync(join(template, 'offprint.json'), '{}');
  mkdirSync(join(template, 'closed'));
  copyFileSync(join(template, 'blog.db'), join(template, 'closed', 'blog.db'));
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

const IN_FOLDER = ['--db', 'F/closed/blog.db', ...OUTPUT];
const PORT = ['--port', '0'];

/** Commands, and the inaccessible path that they need, with its mode. */
const CASES: readonly (readonly [file: string, mode: number, ...command: string[]])[] = [
  ['blog.db', 0o600, 'build', ...DATABASE],
  ['blog.db', 0o600, 'start', ...PORT, ...DATABASE],
  ['blog.db', 0o600, 'backup', 'F/new.db', ...DATABASE],
  ['blog.db', 0o644, 'keys', 'create', '--account', 'x', '--name', 'y', '--json', ...DATABASE],
  ['out/state', 0o700, 'build', ...DATABASE],
  ['out/state', 0o700, 'serve', ...PORT, ...OUTPUT],
  ['out/state', 0o700, 'export', 'F/site', ...OUTPUT],
  ['out/state', 0o700, 'usage', ...OUTPUT],
  // Without this list, the files of removed articles would stay.
  ['exported/.offprint/export.json', 0o600, 'export', 'F/exported', ...OUTPUT],
  ['out/keys', 0o700, 'start', ...PORT, ...DATABASE],
  ['out/snapshot.json', 0o600, 'status', ...OUTPUT],
  ['out/snapshot.json', 0o600, 'publish', '--to', 's3://blog', '--endpoint', 'http://127.0.0.1:1', ...OUTPUT],
  ['out/snapshot.json', 0o600, 'snapshots', 'list', ...OUTPUT],
  ['out/objects', 0o700, 'serve', ...PORT, ...OUTPUT],
  ['offprint.json', 0o600, 'build', '--config', 'F/offprint.json', ...DATABASE],
  ['offprint.json', 0o600, 'doctor', '--config', 'F/offprint.json', ...DATABASE],
  ['backup.db', 0o600, 'restore', 'F/backup.db', '--db', 'F/restored.db', ...OUTPUT],
  // A folder that this user may not enter, and one that is not this user's.
  ['closed', 0o700, 'build', ...IN_FOLDER],
  ['closed', 0o700, 'start', ...PORT, ...IN_FOLDER],
  ['closed', 0o700, 'backup', 'F/new.db', ...IN_FOLDER],
  ['closed', 0o700, 'import', 'markdown', 'F', ...IN_FOLDER],
  ['closed', 0o700, 'doctor', ...IN_FOLDER],
  ['closed', 0o755, 'backup', 'F/closed/new.db', ...DATABASE],
  ['closed', 0o755, 'export', 'F/closed/site', ...OUTPUT],
  ['closed', 0o755, 'restore', 'F/backup.db', '--db', 'F/closed/new.db', ...OUTPUT],
];

describe.skipIf(lacks('the user root', CAN_BE_NOBODY))('a file that this user may not use', () => {
  it.each(CASES.map(([file, mode, ...args]) => ({ file, mode, args })))(
    '$file is named by $args',
    async ({ file, mode, args }) => {
      const folder = copyOfNobody();
      const path = join(folder, file);
      close(path, mode);
      const typed = args.map((word) => word.replace(/^F\//, `${folder}/`));
      const { code, stdout, stderr } = await offprintAsNobody(typed, BUCKET_ENVIRONMENT);
      expect(code, stderr).toBe(1);
      const said = args[0] === 'doctor' ? stdout : stderr;
      expect(said).toContain(path);
      expect(said).toMatch(/belongs to root, and nobody may not (?:read|write) it/);
      expect(stderr).not.toMatch(/\n {4}at /);
    },
  );
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
