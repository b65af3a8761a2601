/**
 * A backup of a served blog can be restored: articles, keys, counts, configuration.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  createWriteStream,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { copyHeldDatabase } from '../../cli/backup/copy-database.ts';
import { BackupUnusable } from '../../cli/backup/errors.ts';
import { openBackup } from '../../cli/backup/read.ts';
import { writeBackup } from '../../cli/backup/write.ts';
import { readPointer } from '../../build/output/pointer-file.ts';
import { offprintInProcess } from '../service/in-process.ts';
import { resultOf, spawnOffprint } from '../service/command.ts';
import { type Server, startServer } from '../service/server-process.ts';
import { makeServedBlog, type ServedBlog } from './served-blog.ts';

let blog: ServedBlog;
let server: Server;
let key: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'offprint-backup-'));
  blog = await makeServedBlog(120);
  ({ key } = await blog.createKey({ account: 'ada', name: 'first' }));
  server = await blog.serve();
});

afterAll(async () => {
  await server.end('SIGKILL');
  blog.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Options with the files of a blog. */
const filesIn = (place: string): string[] =>
  ['db blog.db', 'out out', 'config offprint.json'].flatMap((option) => {
    const [name, file] = option.split(' ');
    return [`--${name}`, join(place, file ?? '')];
  });

const backup = (file: string) => offprintInProcess(['backup', file, ...filesIn(blog.folder)]);
const restore = (file: string, place: string, ...flags: readonly string[]) =>
  offprintInProcess(['restore', file, ...filesIn(place), ...flags]);

/** Sends a counted request and returns the count. */
async function request(url: string): Promise<number> {
  const response = await fetch(`${url}/api/public/v1/me`, { headers: { 'x-api-key': key } });
  await response.arrayBuffer();
  expect(response.status).toBe(200);
  return Number(response.headers.get('x-quota-used'));
}

describe('a backup of a served blog', () => {
  test('is restored completely in another place, with its count', async () => {
    const file = join(folder, 'whole.zip');
    let used = 0;
    for (let i = 0; i < 7; i++) used = await request(server.url);
    const made = await backup(file);
    expect(made, made.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const place = join(folder, 'elsewhere');
    const restored = await restore(file, place);
    expect(restored, restored.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(place, 'offprint.json'), 'utf8')).toBe(
      readFileSync(join(blog.folder, 'offprint.json'), 'utf8'),
    );
    await offprintInProcess(['build', ...filesIn(place)]);
    // The same database gives the same snapshot.
    expect(readPointer(join(place, 'out'))?.snapshot).toBe(readPointer(blog.out)?.snapshot);

    const [, , ...served] = filesIn(place);
    const again = await startServer(['serve', ...served, '--port', '0']);
    expect(await request(again.url)).toBe(used + 1);
    await again.end('SIGTERM');
  });

  test('includes each count that was answered before, under load', async () => {
    let answered = await request(server.url);
    let sent = answered;
    let isOver = false;
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) {
          sent += 1;
          answered = Math.max(answered, await request(server.url));
        }
      }),
    );
    for (let i = 0; i < 5; i++) {
      const before = answered;
      const file = join(folder, `load-${i}.zip`);
      await backup(file);
      const after = sent;
      const place = join(folder, `load-${i}`);
      await restore(file, place);
      const counts = new Database(join(place, 'out/state/quota.db'), { readonly: true });
      const used = counts
        .prepare<[], number>("SELECT used FROM tally WHERE principal LIKE '%ada%'")
        .pluck()
        .get();
      counts.close();
      expect(used).toBeGreaterThanOrEqual(before);
      expect(used).toBeLessThanOrEqual(after);
    }
    isOver = true;
    await load;
  });

  test('is complete or does not exist if it is killed', async () => {
    for (let i = 0; i < 5; i++) {
      const file = join(folder, `killed-${i}.zip`);
      const child = spawnOffprint(['backup', file, ...filesIn(blog.folder)]);
      const ended = resultOf(child);
      setTimeout(() => child.kill('SIGKILL'), 150 + 60 * i);
      await ended;
      if (!existsSync(file)) continue;
      expect((await restore(file, join(folder, 'unused'), '--check')).code).toBe(0);
    }
    // Temporary files are removed by the next backup.
    for (let i = 0; i < 5; i++) await backup(join(folder, `killed-${i}.zip`));
    expect(readdirSync(folder).filter((name) => /^killed-\d\.zip\./.test(name))).toEqual([]);
  });

  test('is not restored over a running service, or over existing files', async () => {
    const file = join(folder, 'over.zip');
    await backup(file);
    const before = readFileSync(blog.db);
    expect((await restore(file, blog.folder, '--force')).stderr).toMatch(/already serving from .* on http:/);

    const place = join(folder, 'there');
    await restore(file, place);
    writeFileSync(join(place, 'offprint.json'), '{}');
    const refused = await restore(file, place);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /blog\.db, .*exist already\. Nothing was changed\. To replace, add --force/,
    );
    expect(readFileSync(join(place, 'offprint.json'), 'utf8')).toBe('{}');

    expect((await restore(file, place, '--force')).code).toBe(0);
    expect(readFileSync(join(place, 'offprint.json'), 'utf8')).toContain('trusted_proxies');
    const kept = readdirSync(place).find((name) => name.startsWith('offprint.json.before-restore-'));
    expect(readFileSync(join(place, kept ?? ''), 'utf8')).toBe('{}');
    expect(readFileSync(blog.db).equals(before)).toBe(true);
  });
});

describe('an invalid backup', () => {
  const place = () => join(folder, 'damaged');

  test.each([
    ['does not exist', () => null, /there is no such file/],
    ['is not a zip file', () => Buffer.from('not a zip file'), /it is no whole zip file/],
    ['is truncated', (whole: Buffer) => whole.subarray(0, whole.length - 2000), /it is no whole zip file/],
    [
      'has another byte in its data',
      (whole: Buffer) => {
        const damaged = Buffer.from(whole);
        const middle = Math.floor(whole.length / 2);
        damaged.writeUInt8(whole.readUInt8(middle) ^ 255, middle);
        return damaged;
      },
      /blog\.db is damaged/,
    ],
  ])('%s', async (_, damage, says) => {
    const whole = join(folder, 'to-damage.zip');
    if (!existsSync(whole)) await backup(whole);
    const bytes = damage(readFileSync(whole));
    const file = join(folder, 'damaged.zip');
    rmSync(file, { force: true });
    if (bytes !== null) writeFileSync(file, bytes);
    for (const flags of [['--check'], ['--force']]) {
      const { code, stderr } = await restore(file, place(), ...flags);
      expect(code).toBe(1);
      expect(stderr).toMatch(says);
      expect(stderr).toContain('Nothing was changed.');
    }
    expect(existsSync(join(place(), 'blog.db'))).toBe(false);
  });

  test('has one changed bit: it is refused, or restores the same', async () => {
    const whole = join(folder, 'to-flip.zip');
    const parts = [
      { name: 'offprint.json', path: join(folder, 'flip.json'), kind: 'configuration' },
    ] as const;
    writeFileSync(parts[0].path, '{}');
    const manifest = await writeBackup(whole, parts, new Date());
    const bytes = readFileSync(whole);
    const file = join(folder, 'flipped.zip');
    const restored = join(folder, 'flipped.json');
    let refused = 0;
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
      writeFileSync(file, flipped);
      rmSync(restored, { force: true });
      try {
        const opened = await openBackup(file);
        await opened.unpack('offprint.json', restored).finally(() => opened.close());
        expect([opened.manifest, readFileSync(restored, 'utf8')], `byte ${at}`).toEqual([manifest, '{}']);
      } catch (error) {
        if (!(error instanceof BackupUnusable)) throw error;
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(bytes.length / 2);
  });

  test('may be in the zip64 form, for files of more than 4 GB', async () => {
    const whole = join(folder, 'to-enlarge.zip');
    const parts = [
      { name: 'offprint.json', path: join(folder, 'flip.json'), kind: 'configuration' },
    ] as const;
    writeFileSync(parts[0].path, '{}');
    const manifest = await writeBackup(whole, parts, new Date());
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'backup.json', { forceZip64Format: true });
    zip.addFile(parts[0].path, 'offprint.json', { forceZip64Format: true });
    zip.end({ forceZip64Format: true, comment: '' });
    const file = join(folder, 'enlarged.zip');
    await pipeline(zip.outputStream, createWriteStream(file));
    const opened = await openBackup(file);
    await opened.unpack('offprint.json', join(folder, 'unpacked.json'));
    opened.close();
  });

  test('is another zip file', async () => {
    const file = fileURLToPath(new URL('another.zip', `file://${folder}/`));
    // The smallest zip file: the end record of an empty directory.
    writeFileSync(file, Buffer.from('504b0506' + '00'.repeat(18), 'hex'));
    expect((await restore(file, place())).stderr).toMatch(/it is no backup of Offprint/);
  });
});

describe('an existing file', () => {
  test.each([
    ['the database', 'blog.db'],
    ['the configuration', 'offprint.json'],
    ['the pointer', 'out/snapshot.json'],
    ['a folder', 'out'],
    ['a file in a folder that does not exist', 'nowhere/blog.zip'],
  ])('is not replaced by a backup: %s', async (_, name) => {
    const place = join(folder, `misplaced-${name.replace('/', '-')}`);
    await backup(`${place}.zip`);
    await restore(`${place}.zip`, place);
    await offprintInProcess(['build', ...filesIn(place)]);
    const before = readdirSync(place).sort();
    const path = join(place, name);
    const isFile = existsSync(path) && statSync(path).isFile();
    const bytes = isFile ? readFileSync(path) : undefined;
    const { code, stderr } = await offprintInProcess(['backup', path, ...filesIn(place)]);
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(/^error: No backup was made: .*Name another file\.$/);
    expect(stderr).toContain(path);
    expect(readdirSync(place).sort()).toEqual(before);
    if (bytes) expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('is replaced by a backup if it is one', async () => {
    const file = join(folder, 'again.zip');
    expect((await backup(file)).code).toBe(0);
    const first = readFileSync(file);
    expect((await backup(file)).code).toBe(0);
    expect(readFileSync(file).equals(first)).toBe(false);
    expect((await restore(file, join(folder, 'unused'), '--check')).code).toBe(0);
  });
});

test.each([
  ['an earlier backup', true],
  ['nothing', false],
])('a link to %s is replaced by a backup, not followed', async (_, exists) => {
  const [target, link] = [join(folder, `target-${exists}.zip`), join(folder, `link-${exists}.zip`)];
  if (exists) await backup(target);
  const before = exists ? readFileSync(target) : null;
  symlinkSync(target, link);
  expect((await backup(link)).code).toBe(0);
  expect(lstatSync(link).isFile()).toBe(true);
  expect(existsSync(target) ? readFileSync(target) : null).toEqual(before);
});

test('a damaged usage history is named, and what to do with it', async () => {
  const place = join(folder, 'damaged-usage');
  const file = join(folder, 'damaged-usage.zip');
  await backup(`${place}-before.zip`);
  await restore(`${place}-before.zip`, place);
  writeFileSync(join(place, 'out/state/usage.db'), 'damaged'.repeat(1000));
  const { code, stderr } = await offprintInProcess(['backup', file, ...filesIn(place)]);
  expect([code, existsSync(file)]).toEqual([1, false]);
  expect(stderr).toMatch(
    /usage\.db cannot be copied: it is damaged\. Only the report of usage needs it: delete it/,
  );
});

test('a database in use is copied as of one moment, even if its log restarts', async () => {
  const path = join(folder, 'held.db');
  // Each commit changes two distant pages; the log is checkpointed after every few.
  const program = `
    const Database = require('better-sqlite3');
    const db = new Database(process.argv[1]);
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('wal_autocheckpoint = 40');
    db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, filler BLOB)');
    const put = db.prepare('INSERT INTO t VALUES (?, 0, zeroblob(3000))');
    for (let id = 0; id < 300; id++) put.run(id);
    const add = db.prepare('UPDATE t SET n = n + 1 WHERE id = ? OR id = ?');
    let count = 0;
    setInterval(() => {
      for (let i = 0; i < 40; i++) add.run(count % 150, 299 - (count++ % 150));
      console.log(count);
    }, 1);`;
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawn(process.execPath, ['-e', program, path], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = 0;
  createInterface(child.stdout).on('line', (line) => (printed = Number(line)));
  await expect.poll(() => printed).toBeGreaterThan(0);
  for (let i = 0; i < 40; i++) {
    const before = printed;
    const copy = join(folder, `held-${i}.db`);
    copyHeldDatabase(path, copy);
    const db = new Database(copy, { readonly: true });
    const [sum, odd] = db
      .prepare<[], [number, number]>(
        'SELECT sum(a.n), sum(a.n <> b.n) FROM t a JOIN t b ON b.id = 299 - a.id WHERE a.id < 150',
      )
      .raw()
      .get() ?? [0, 1];
    db.close();
    expect(odd).toBe(0);
    expect(sum).toBeGreaterThanOrEqual(before);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill('SIGKILL');
});
