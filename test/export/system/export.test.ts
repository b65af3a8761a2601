/**
 * Repeated exports into a folder: what is written, removed, refused, and left by a kill.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { COUNTS } from '../../../bench/cost/usage.ts';
import { publishOne } from '../../../bench/generate/changes.ts';
import { exportTree } from '../../../build/export/export.ts';
import { ExportFolder } from '../../../build/export/folder.ts';
import { requirePointer, writePointer } from '../../../build/output/pointer-file.ts';
import { FolderStorage } from '../../../build/history/folder-storage.ts';
import { prune } from '../../../build/history/prune.ts';
import type { BlogDatabase } from '../../../data/database.ts';
import type { SnapshotStore } from '../../../gateway/home.ts';
import { DiskSnapshotStore } from '../../../gateway/node/disk-snapshot-store.ts';
import { directoryOf } from '../../build/output.ts';
import { copyFolder } from '../../build/copied-folder.ts';
import { CONFIG, editing, publish, shortBlog } from '../../build/publishing.ts';
import { folderUntil, temporaryFolder } from '../../build/temporary-folder.ts';
import { CAN_MOUNT, fill, smallDisk } from '../../build/tmpfs.ts';
import { lacks } from '../../lacks.ts';
import { offprint } from '../../service/command.ts';
import { changesBy, dyingBefore } from '../../service/dying.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { filesOfList, followLinks } from '../crawl.ts';
import { filesIn, hashesOf, stateOf, treeIn } from '../exported-folder.ts';
import { serveFolder } from '../static-host.ts';

const POSTS = 40;
const PER_PAGE = '5';
const perPage = Number(PER_PAGE);

let home: string;
let db: string;
let out: string;
let folder: string;

const built = folderUntil(afterAll);
beforeAll(async () => {
  shortBlog(join(built, 'blog.db'), POSTS, 3);
  await publish(join(built, 'blog.db'), join(built, 'out'));
});
beforeEach(() => {
  home = temporaryFolder();
  [db, out, folder] = [join(home, 'blog.db'), join(home, 'out'), join(home, 'www')];
  copyFolder(built, home);
});

const change = async (edit: (blog: BlogDatabase) => unknown) => {
  editing(db, edit);
  await publish(db, out, { force: true });
};
const commandTo = (to: string, ...more: string[]) => {
  const size = ['--per-page', PER_PAGE];
  return ['export', to, '--out', out, ...size, ...more];
};
const exportTo = (to: string, ...more: string[]) => answerOf(commandTo(to, ...more));
/** The files of an export into an empty folder. */
const expected = async () => {
  const fresh = join(temporaryFolder(), 'fresh');
  await exportTo(fresh);
  return hashesOf(fresh);
};
const failing = async (...args: string[]) => {
  const { code, stdout, stderr } = await offprintInProcess(args);
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
    code: 1,
    stdout: '',
    lines: 1,
  });
  return stderr;
};

describe('an export after', () => {
  /** The texts of the answers that name an article. */
  const naming = (slug: string) =>
    filesIn(folder).filter(
      (path) =>
        path.startsWith('v1/') && readFileSync(join(folder, path), 'utf8').includes(`"slug":"${slug}"`),
    );
  /** Edits, builds and exports. Returns the paths of files that are new or have other bytes. */
  const changedBy = async <T>(edit: (blog: BlogDatabase) => T) => {
    const before = hashesOf(folder);
    const edited = editing(db, edit);
    await publish(db, out);
    const { written } = z.object({ written: z.number() }).parse(await exportTo(folder));
    const changed = Object.entries(hashesOf(folder)).filter(([path, hash]) => before[path] !== hash);
    expect(changed).toHaveLength(written);
    return { edited, before, changed: changed.map(([path]) => path) };
  };
  const isArchive = (path: string) => path.includes('/archive/');

  it('a new article writes the newest files of its lists, and an archived page only when one is full', async () => {
    await exportTo(folder);
    let archived = 0;
    for (let n = 0; n <= perPage; n++) {
      const { edited: slug, before, changed } = await changedBy((blog) => publishOne(blog, n));
      expect(changed.length).toBeLessThanOrEqual(COUNTS.exportedFiles);
      const newest = changed.filter((path) => path.endsWith('/newest.json'));
      expect(newest.sort()).toEqual(naming(slug).filter((path) => path.endsWith('/newest.json')));
      for (const path of changed.filter(isArchive)) {
        const [, list = '', page = ''] = /^(.*\/archive\/)(\d+)\.json$/.exec(path) ?? [];
        const added = before[path] === undefined ? Number(page) : Number(page) + 1;
        expect(before[`${list}${added}.json`], path).toBeUndefined();
        expect(newest).toContain(list.replace(/archive\/$/, 'newest.json'));
        archived += 1;
      }
    }
    expect(archived).toBeGreaterThan(1);
  });

  it.each([
    ['another title', "UPDATE posts SET title = title || '!' WHERE slug = ?", true],
    ['another view count', 'UPDATE posts SET views = views + 1 WHERE slug = ?', false],
  ])('%s writes the files that have it, one of each list', async (_, sql, isInArticle) => {
    await exportTo(folder);
    const { items } = filesOfList(treeIn(folder), 'v1/posts/newest.json').at(-1)?.data ?? { items: [] };
    const slug = items[0]?.slug ?? '';
    const having = naming(slug).filter((path) => isInArticle || !path.startsWith('v1/post/'));
    const lists = having
      .filter((path) => /newest|archive/.test(path))
      .map((path) => path.replace(/\w+\/\d+|newest/, ''));
    expect(new Set(lists).size).toBe(lists.length);
    const { changed } = await changedBy((blog) => blog.prepare(sql).run(slug));
    const answers = changed.filter((path) => path.startsWith('v1/'));
    expect(answers).toEqual(having);
  });
});

describe('a second export', () => {
  it('writes nothing if nothing changed', async () => {
    await exportTo(folder);
    const list = statSync(join(folder, '.offprint/export.json'), { bigint: true });
    const before = stateOf(folder);
    expect(await exportTo(folder)).toMatchObject({ files: before.size, written: 0, bytes: 0, removed: 0 });
    expect(stateOf(folder)).toEqual(before);
    expect(statSync(join(folder, '.offprint/export.json'), { bigint: true }).mtimeNs).toBe(list.mtimeNs);
  });

  it('removes files of removed content and empty folders, and keeps files of others', async () => {
    await exportTo(folder);
    const mine = ['CNAME', 'v1/mine.txt', 'v1/tag/mine.txt'];
    for (const path of mine) writeFileSync(join(folder, path), 'mine');
    await change((blog) => blog.exec("UPDATE posts SET status = 'draft' WHERE id % 4 > 0"));
    const report = await exportTo(folder);
    const { 'v1/index.json': index, ...files } = hashesOf(folder);
    for (const path of mine) delete files[path];
    expect({ 'v1/index.json': index, ...files }).toEqual(await expected());
    for (const path of mine) expect(readFileSync(join(folder, path), 'utf8')).toBe('mine');
    expect(report).toMatchObject({ removed: expect.any(Number) });
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const empty = names.filter((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() && readdirSync(path).length === 0;
    });
    expect(empty).toEqual([]);
  });

  it('restores a missing file, and with --full a modified one', async () => {
    await exportTo(folder);
    const whole = hashesOf(folder);
    rmSync(join(folder, 'v1/tags.json'));
    writeFileSync(join(folder, 'v1/categories.json'), 'changed');
    expect(await exportTo(folder)).toMatchObject({ written: 1 });
    expect(await exportTo(folder, '--full')).toMatchObject({ written: Object.keys(whole).length });
    expect(hashesOf(folder)).toEqual(whole);
  });
});

describe('a folder is rejected', () => {
  it.each([
    ['it is a file', () => db, 'is a file, not a folder'],
    ['it is the output itself', () => out, 'has files that are not from an export'],
  ])('if %s', async (_, to, message) => expect(await failing(...commandTo(to()))).toContain(message));

  it('if it has other files, which stay', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.html'), 'mine');
    expect(await failing(...commandTo(folder))).toContain('has files that are not from an export');
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, '.offprint'))).toBe(false);
  });

  it('but not if all its files are hidden', async () => {
    mkdirSync(join(folder, '.git'), { recursive: true });
    await exportTo(folder);
    expect(existsSync(join(folder, 'v1/index.json'))).toBe(true);
  });

  it.each([
    ['a new file', '--full'],
    ['a removed file', '--per-page=50'],
  ])('if a folder is in place of %s', async (_, flag) => {
    await exportTo(folder);
    const path = join(folder, 'v1/posts/archive/1.json');
    rmSync(path);
    mkdirSync(path);
    writeFileSync(join(path, 'mine'), 'mine');
    expect(await failing(...commandTo(folder), flag)).toContain(
      `${path} is a folder, but an export needs a file with this name. Move the folder`,
    );
    expect(readFileSync(join(path, 'mine'), 'utf8')).toBe('mine');
    rmSync(path, { recursive: true });
    await exportTo(folder);
    expect(hashesOf(folder)).toEqual(await expected());
  });

  it('if another blog was exported to it', async () => {
    await exportTo(folder);
    const other = join(home, 'other.db');
    shortBlog(other, 3, 4);
    await publish(other, join(home, 'other-out'), { blog: 'another' });
    const before = hashesOf(folder);
    expect(await failing('export', folder, '--out', join(home, 'other-out'))).toContain(
      'has the files of another blog',
    );
    expect(hashesOf(folder)).toEqual(before);
  });

  it.each([
    ['is not JSON', () => '{'],
    ['has a path outside of the folder', (text: string) => text.replace('v1/index.json', '../blog.db')],
    ['names a hidden file', (text: string) => text.replace('v1/index.json', '.git/config')],
  ])('if its list %s', async (_, edit) => {
    await exportTo(folder);
    const list = join(folder, '.offprint/export.json');
    writeFileSync(list, edit(readFileSync(list, 'utf8')));
    expect(await failing(...commandTo(folder))).toContain(`${list} cannot be read`);
    expect(existsSync(db)).toBe(true);
  });

  it('while another export writes to it', async () => {
    await exportTo(folder);
    const running = ExportFolder.open(folder, null);
    expect(await failing(...commandTo(folder))).toContain('Another export is writing to');
    running.close();
    await exportTo(folder);
  });

  it.skipIf(lacks('permission to mount', CAN_MOUNT))('if its disk is full', async () => {
    const disk = smallDisk(2 ** 20);
    const site = join(disk.folder, 'site');
    mkdirSync(site);
    fill(disk.folder);
    const message = await failing(...commandTo(site));
    expect(message).toMatch(/Cannot write .*: the disk is full/);
    expect(message).not.toContain('    at ');
  });

  it('if nothing is published', async () => {
    expect(await failing('export', folder, '--out', join(home, 'none'))).toContain('Nothing is published');
    expect(existsSync(folder)).toBe(false);
  });

  it.each(['0', '51', 'x'])('if --per-page is %s', async (perPage) => {
    const { code } = await offprintInProcess(['export', folder, '--out', out, '--per-page', perPage]);
    expect(code).toBe(2);
  });
});

describe('a withdrawal', () => {
  const withdraw = (slug: string) => {
    const config = join(home, 'offprint.json');
    writeFileSync(config, CONFIG);
    return ['withdraw', slug, '--db', db, '--out', out, '--config', config];
  };

  const firstArticle = () => {
    const [path = ''] = filesIn(folder).filter((name) => name.startsWith('v1/post/'));
    return { path, slug: path.slice('v1/post/'.length, -'.json'.length) };
  };

  it('exports again to the recorded folders', async () => {
    await exportTo(folder);
    await exportTo(join(home, 'gone'));
    rmSync(join(home, 'gone'), { recursive: true });
    const { path, slug } = firstArticle();
    const report = await answerOf(withdraw(slug));
    expect(report).toMatchObject({ exports: [{ folder, failure: null }] });
    expect(existsSync(join(folder, path))).toBe(false);
    const naming = filesIn(folder).filter((name) =>
      readFileSync(join(folder, name), 'utf8').includes(`"${slug}"`),
    );
    expect(naming).toEqual([]);
    expect(hashesOf(folder)).toEqual(await expected());
  });

  it.each([
    ['whose objects are removed', true],
    ['whose objects still exist', false],
  ])('during an export, of articles %s, removes them from the files', async (_, isRemoved) => {
    const disk = new DiskSnapshotStore(out);
    const byViews = directoryOf(out).popular[0];
    let isMet = false;
    const store: SnapshotStore = {
      readPointer: () => disk.readPointer(),
      hashObject: (bytes) => disk.hashObject(bytes),
      async readObject(wanted, hash) {
        if (hash === byViews && !isMet) {
          isMet = true;
          await change((blog) => blog.exec("UPDATE posts SET status = 'archived' WHERE id % 5 = 0"));
          if (isRemoved) {
            writePointer(out, { ...requirePointer(out), previous: [] });
            await prune(new FolderStorage(out), 0);
          }
        }
        return disk.readObject(wanted, hash);
      },
    };
    const { snapshot } = await exportTree({ store, blog: null, folder, perPage, full: false });
    expect(isMet).toBe(true);
    expect(snapshot).toBe(requirePointer(out).snapshot);
    expect(hashesOf(folder)).toEqual(await expected());
  });

  it('names a folder that it cannot export to', async () => {
    await exportTo(folder);
    const running = ExportFolder.open(folder, null);
    const { code, stdout, stderr } = await offprintInProcess(withdraw(firstArticle().slug));
    running.close();
    expect(code).toBe(1);
    expect(stdout).toContain(`export ${folder} --out ${out} --per-page ${PER_PAGE}`);
    expect(stderr).toContain('is still in one place');
  });
});

describe('an export that is killed', () => {
  const exportUntil = (change: number) => offprint(commandTo(folder), home, dyingBefore(change));
  const brokenLinks = async () => {
    const host = await serveFolder(folder);
    const found = await followLinks(host.url);
    await host.end();
    return found.filter(([, text]) => text.startsWith('STATUS')).map(([path]) => path);
  };

  it('leaves working links, and the next one completes it', async () => {
    await exportTo(folder);
    const edit = (n: number) =>
      change((blog) => {
        for (let i = 0; i < 8; i++) publishOne(blog, 8 * n + i); // More pages.
        blog.prepare("UPDATE posts SET status = 'archived' WHERE id = ?").run(n + 1);
        blog.prepare("UPDATE tags SET slug = slug || '-' || ? WHERE id % 3 = 1").run(n);
      });
    await edit(0);
    const changes = changesBy((await exportUntil(Infinity)).stderr);
    // The order of changes: the output's list of exports, the folder's list and then files are renamed, files are removed,
    // the list is renamed again, staging is removed.
    const moments = [3, 4, 0.3, 0.45, 0.55, 0.65, 0.85].map((at) => Math.ceil(at < 1 ? at * changes : at));
    for (const [i, moment] of moments.entries()) {
      await edit(2 * i + 1);
      const { code } = await exportUntil(moment);
      expect(code, `killed before change ${moment} of ${changes}`).toBeNull();
      expect(await brokenLinks(), `killed before change ${moment} of ${changes}`).toEqual([]);
      // Content that the killed run has written may be removed from the blog before the next run.
      if (i % 2 === 0)
        await change((blog) => blog.exec("UPDATE posts SET status = 'draft' WHERE slug LIKE '%-new-%'"));
      await exportTo(folder);
      expect(hashesOf(folder), `after a kill before change ${moment} of ${changes}`).toEqual(
        await expected(),
      );
    }
  });

  it('the first time, leaves a folder that the next one accepts, the overview is its last file, and no unknown files stay', async () => {
    const changes = changesBy((await exportUntil(Infinity)).stderr);
    const whole = filesIn(folder);
    const own = () => readdirSync(join(folder, '.offprint')).sort();
    // The last file is put in place, the list is renamed, staging is removed.
    for (const [moment, left, kept] of [
      [changes - 2, whole.filter((path) => path !== 'v1/index.json'), 'staged'],
      [changes - 1, whole, expect.stringMatching(/^export\.json\..+\.tmp$/)],
    ] as const) {
      rmSync(folder, { recursive: true });
      expect((await exportUntil(moment)).code).toBeNull();
      expect(filesIn(folder)).toEqual(left);
      expect(own()).toContainEqual(kept);
      await exportTo(folder);
      expect(hashesOf(folder)).toEqual(await expected());
      expect(own()).toEqual(['export.json', 'lock']);
    }
  });
});
