/**
 * An export writes and removes nothing through a symbolic link inside its folder, which others may have made.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExportFolder } from '../../../build/export/folder.ts';
import { objectHash } from '../../../common/object-hash.ts';
import { FolderIsLink, inRealFolder } from '../../../common/real-folder.ts';
import { publish, shortBlog } from '../../build/publishing.ts';
import { folderUntil, temporaryFolder } from '../../build/temporary-folder.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { lacks } from '../../lacks.ts';

const built = folderUntil(afterAll);
const out = join(built, 'out');
beforeAll(async () => {
  shortBlog(join(built, 'blog.db'), 8, 3);
  await publish(join(built, 'blog.db'), out);
});

/** The names of the victim's files. */
const THEIRS = ['page', 'post.json', 'theirs.json'];
let folder: string;
let victim: string;
beforeEach(() => {
  const home = temporaryFolder();
  [folder, victim] = [join(home, 'www'), join(home, 'victim')];
  for (const path of [folder, victim]) mkdirSync(path);
  for (const name of THEIRS) writeFileSync(join(victim, name), 'theirs');
});

/** Replaces a file or folder by a link. */
function linkAt(path: string, target = victim): void {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

async function expectRefused(...flags: string[]): Promise<void> {
  const { code, stderr } = await offprintInProcess(['export', folder, '--out', out, ...flags]);
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(/is a symbolic link or a file\. Nothing was written through it\./);
  expectUntouched();
}

function expectUntouched(): void {
  expect(readdirSync(victim)).toEqual(THEIRS);
  for (const name of THEIRS) expect(readFileSync(join(victim, name), 'utf8')).toBe('theirs');
}

describe('a link', () => {
  it.each(['v1', 'v1/post', 'v1/posts', 'search'])('in place of %s is not written through', async (path) => {
    await answerOf(['export', folder, '--out', out]);
    linkAt(join(folder, path));
    await expectRefused('--full');
    await expectRefused(); // Files that do not change are missing now.
  });

  it.each(['v1/post', 'v1/old/of'])('in place of %s is not removed through', async (path) => {
    await answerOf(['export', folder, '--out', out]);
    const list = join(folder, '.offprint/export.json');
    const gone = THEIRS.map((name) => `["${path}/${name}",""],`).join('');
    writeFileSync(list, readFileSync(list, 'utf8').replace('"files":[', `"files":[${gone}`));
    mkdirSync(join(folder, path, '..'), { recursive: true });
    linkAt(join(folder, path));
    await expectRefused();
  });

  it.each(['.offprint', '.offprint/staged', '.offprint/lock'])(
    'in place of %s is not followed',
    async (path) => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      linkAt(join(folder, path), path.endsWith('lock') ? join(victim, 'new.db') : victim);
      // What an earlier run has staged is removed.
      if (path.endsWith('staged')) await answerOf(['export', folder, '--out', out]);
      else await expectRefused();
      expectUntouched();
    },
  );

  it('that replaces a file is replaced itself', async () => {
    await answerOf(['export', folder, '--out', out]);
    linkAt(join(folder, 'openapi.json'), join(victim, 'theirs.json'));
    await answerOf(['export', folder, '--out', out, '--full']);
    expectUntouched();
    expect(readFileSync(join(folder, 'openapi.json'), 'utf8')).toContain('3.1.0');
  });

  it('that is the named folder is followed', async () => {
    linkAt(folder, join(folder, '..', 'elsewhere'));
    mkdirSync(join(folder, '..', 'elsewhere'));
    await answerOf(['export', folder, '--out', out]);
    expect(readdirSync(join(folder, '..', 'elsewhere'))).toContain('v1');
  });
});

describe('a folder that becomes a link', () => {
  it('between staging and placing is not written through', async () => {
    const running = ExportFolder.open(folder, null);
    mkdirSync(join(folder, 'v1/post'), { recursive: true });
    running.stage('v1/post/post.json', 'ours');
    linkAt(join(folder, 'v1/post'));
    const files = new Map([['v1/post/post.json', objectHash('ours')]]);
    await expect(running.place(files)).rejects.toThrow(FolderIsLink);
    running.close();
    expectUntouched();
  });

  it('of its own is not emptied when the export ends', () => {
    const running = ExportFolder.open(folder, null);
    mkdirSync(join(victim, 'staged'));
    writeFileSync(join(victim, 'staged/theirs'), 'theirs');
    renameSync(join(folder, '.offprint'), join(folder, '.moved'));
    linkAt(join(folder, '.offprint'));
    expect(() => running.close()).toThrow(FolderIsLink);
    expect(readdirSync(join(victim, 'staged'))).toEqual(['theirs']);
  });

  it.skipIf(lacks('Linux', process.platform === 'linux'))(
    'after it was opened is not written through',
    () => {
      inRealFolder(folder, ['v1', 'post'], (post) => {
        renameSync(join(folder, 'v1'), join(folder, 'moved'));
        linkAt(join(folder, 'v1'));
        writeFileSync(join(post, 'post.json'), 'ours');
      });
      expectUntouched();
      expect(readFileSync(join(folder, 'moved/post/post.json'), 'utf8')).toBe('ours');
    },
  );
});
