/**
 * Files that are missing, truncated, modified or locked, while the service runs and when it starts.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fastGlob from 'fast-glob';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import type { ObjectKind } from '../../../contract/object-kinds.ts';
import { objectPath } from '../../../contract/object-name.ts';
import { openForReading } from '../../../data/database.ts';
import type { ServiceListener } from '../../../cli/events.ts';
import { runningServices } from '../../../cli/faults.ts';
import { readProblems } from '../../../cli/problems.ts';
import { serve, type ServedGateway } from '../../../cli/serving.ts';
import { readUsage, usagePath } from '../../../cli/usage/usage-log.ts';
import { type Reply, send } from '../../service/client.ts';
import { offprint } from '../../service/command.ts';
import { sendRaw } from '../../service/raw-client.ts';
import type { Server } from '../../service/server-process.ts';
import { whileStopped } from '../../service/while-stopped.ts';
import { CAN_BE_NOBODY, offprintAsNobody } from '../as-nobody.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';
import { directoryOf, namesOf } from '../../build/output.ts';
import { lacks } from '../../lacks.ts';

let blog: ServedBlog;
let server: Server | undefined;
beforeEach(async () => {
  blog = await makeServedBlog(280);
});
afterEach(async () => {
  await server?.end('SIGKILL');
  server = undefined;
  blog.remove();
});

const get = async (path: string, headers: Record<string, string> = {}): Promise<Reply> =>
  send(server?.url ?? '', { path: PREFIX + path, headers });

function filesOf(kind: ObjectKind): string[] {
  return fastGlob.sync(`objects/${kind}/*/*`, { cwd: blog.out, absolute: true });
}

const until = (holds: () => boolean) => expect.poll(holds).toBe(true);
const logs = (text: string) => expect.poll(() => server?.log).toContain(text);

const DAMAGES = {
  missing: (path: string) => rmSync(path),
  'cut short': (path: string) => truncateSync(path, 20),
  emptied: (path: string) => truncateSync(path, 0),
  'altered in one letter': (path: string) =>
    writeFileSync(path, readFileSync(path, 'utf8').replace(/[a-y](?=[^a-z]*$)/, 'z')),
  'replaced by another': (path: string) => {
    const other = fastGlob
      .sync('*/*', { cwd: `${path}/../..`, absolute: true })
      .find((found) => found !== path);
    if (other === undefined) throw new Error('There is no other object.');
    writeFileSync(path, readFileSync(other));
  },
  'not readable': (path: string) => {
    rmSync(path);
    symlinkSync(path, path); // Root can read every file, but nobody can read a link to itself.
  },
} as const;

it('only articles whose objects are damaged get a 500, until they are repaired', async () => {
  server = await blog.serve();
  const [whole = '', ...others] = find("SELECT slug FROM posts WHERE status = 'published'");
  const damaged = Object.entries(DAMAGES).map(([how, damage], i) => {
    const slug = others[i] ?? '';
    const path =
      filesOf('body').find((file) =>
        readFileSync(file, 'utf8').startsWith(`{"success":true,"data":{"slug":"${slug}"`),
      ) ?? '';
    return { how, damage, slug, path };
  });
  for (const { damage, path } of damaged) damage(path);

  for (const { how, slug, path } of damaged) {
    const reply = await get(`/posts/${slug}`);
    expect(reply.status, how).toBe(500);
    expect(reply.text).toBe(
      '{"success":false,"message":"Something went wrong on the server. Try again in a moment."}',
    );
    expect(Number(reply.header('x-quota-used'))).toBeGreaterThan(0);
    expect((await get(`/posts/${whole}`)).status, how).toBe(200);
    expect((await get('/posts')).status, how).toBe(200);
    const hash = /(\w{26})$/.exec(path)?.[1] ?? '-';
    await logs(`The object body/${hash}`);
  }
  const lines = server.log.trim().split('\n').slice(1);
  expect(lines).toHaveLength(damaged.length);
  for (const line of lines) expect(line).toMatch(/^\S+ \S+Z failed GET .*build --full/);

  for (const { path } of damaged) rmSync(path, { force: true });
  await blog.build('--full');
  for (const { slug } of damaged)
    expect((await get(`/posts/${slug}`)).json).toMatchObject({ data: { slug } });
});

describe('modified objects', () => {
  type Part =
    'pages' | 'views' | 'popular' | 'suffixes' | 'author_pages' | 'categories' | 'tags' | 'overview';
  const NEEDED: readonly (readonly [Part | 'with_tag' | 'author', ObjectKind, string, string])[] = [
    ['pages', 'lines', '/posts', '/tags'],
    ['views', 'numbers', '/posts', '/categories'],
    ['popular', 'numbers', '/posts?sort=popular', '/posts'],
    ['with_tag', 'positions', '/posts?tag=TAG', '/posts'],
    ['suffixes', 'suffixes', '/posts?q=the', '/posts'],
    ['author', 'body', '/authors/AUTHOR', '/authors'],
    ['author_pages', 'lines', '/authors', '/posts'],
    ['categories', 'body', '/categories', '/tags'],
    ['tags', 'body', '/tags', '/categories'],
    ['overview', 'body', '', '/posts'],
  ];
  it('of any part cause a 500 only where they are needed', async () => {
    const [tag = ''] = find('SELECT slug FROM tags');
    const [author = ''] = find('SELECT username FROM authors');
    const directory = directoryOf(blog.out);
    for (const [part, kind, needs, spares] of NEEDED) {
      const named =
        part === 'with_tag' || part === 'author'
          ? namesOf(blog.out, directory.names[part] ?? { inline: [] })
          : [directory[part]].flat();
      const paths = named.map((one) =>
        join(blog.out, objectPath(kind, typeof one === 'string' ? one : one[1])),
      );
      const kept = paths.map((path) => [path, readFileSync(path)] as const);
      expect(kept.length, part).toBeGreaterThan(0);
      for (const [path, bytes] of kept) {
        const altered = Buffer.from(bytes);
        altered[altered.length - 2] = (altered.at(-2) ?? 0) ^ 1;
        writeFileSync(path, altered);
      }
      const faults: unknown[] = [];
      const gateway = await serveHere(blog.out, faults);
      const status = async (asked: string) => (await send(gateway.url, { path: PREFIX + asked })).status;
      const path = needs
        .replace('TAG', encodeURIComponent(tag))
        .replace('AUTHOR', encodeURIComponent(author));
      expect(await status(path), `${part}: ${path}`).toBe(500);
      expect(await status(spares), `${part}: ${spares}`).toBe(200);
      await gateway.close();
      expect(String(faults[0])).toContain(`The object ${kind}/`);
      for (const [file, bytes] of kept) writeFileSync(file, bytes);
    }
  });

  it('in the directory are named at the start, and nothing is served', async () => {
    for (const path of filesOf('directory')) truncateSync(path, 100);
    const { code, stderr } = await offprint(['serve', '--out', blog.out, '--port', '0']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The object directory\/\w{26} was altered.*build --full.*\n$/);
  });
});

/** At once, as a reader sees it. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

it('a damaged pointer keeps the last valid snapshot in place, and is reported once', async () => {
  server = await blog.serve();
  const path = `${blog.out}/snapshot.json`;
  const good = readFileSync(path, 'utf8');
  const before = (await get('/posts')).text;
  const faults = (): number => server?.log.match(/not switched/g)?.length ?? 0;
  const damages: readonly (() => void)[] = [
    () => rmSync(path),
    () => replaceFile(path, good.slice(0, 30)),
    () => replaceFile(path, '{"format":99}'),
    () => replaceFile(path, good.replace(/"snapshot": *"\w{26}"/, `"snapshot":"${'a'.repeat(26)}"`)),
  ];
  for (const [i, damage] of damages.entries()) {
    damage();
    await until(() => faults() === i + 1);
    expect((await get('/posts')).text).toBe(before);
    expect((await send(server.url, { path: '/readyz' })).status).toBe(200);
  }
  const db = new Database(blog.db);
  db.exec("UPDATE posts SET title = 'Another title'");
  db.close();
  await blog.build('--full');
  await logs('switched to snapshot');
  expect((await get('/posts')).text).toContain('Another title');
  expect(faults()).toBe(damages.length);
  const reports = server.log.split('\n').filter((line) => line.includes('not switched'));
  for (const line of reports) expect(line).toMatch(/^\S+ \S+Z not switched.*(?:Run "build|Upgrade Offprint)/);
});

describe('counts', () => {
  const quota = () => `${blog.out}/state/quota.db`;

  /** Serves once, so that counts of an address exist; returns their number. */
  async function countSome(): Promise<void> {
    server = await blog.serve();
    for (let times = 0; times < 3; times += 1) await get('/me', { 'x-forwarded-for': '192.0.2.1' });
    expect(await server.end('SIGTERM')).toBe(0);
  }
  const start = () => offprint(['serve', '--out', blog.out, '--port', '0']);
  const oneLine = /^error: .+\n$/;

  /** The bytes of a database with many rows, overwritten from its third page on. */
  function damaged(rows: number): Buffer {
    const db = new Database(quota());
    db.pragma('journal_mode = DELETE');
    const insert = db.prepare('INSERT INTO tally (principal, day, used, minute) VALUES (?, 99999999, 1, ?)');
    db.transaction(() => {
      for (let i = 0; i < rows; i += 1)
        insert.run(`address:${String(i).padStart(22, '0')}`, '1000 '.repeat(36));
    })();
    db.close();
    return readFileSync(quota()).fill(0xaa, 8192);
  }

  it('that are damaged at the start cause one line that says what to do', async () => {
    await countSome();
    for (const bytes of [damaged(5000), randomBytes(20_000), Buffer.from('no database'.repeat(500))]) {
      writeFileSync(quota(), bytes);
      const { code, stderr } = await start();
      expect([code, stderr]).toEqual([1, expect.stringMatching(oneLine)]);
      expect(stderr).toMatch(/quota\.db.*damaged.*delete it/);
    }
    for (const end of ['', '-wal', '-shm']) rmSync(quota() + end, { force: true });
    server = await blog.serve();
    expect((await get('/me')).header('x-quota-used')).toBe('1');
  });

  it('that are removed with the whole output while in use are written again, and survive a restart', async () => {
    const used = async () => (await get('/me')).header('x-quota-used');
    server = await blog.serve();
    expect(await used()).toBe('1');
    whileStopped(server.pid, () => rmSync(blog.out, { recursive: true }));
    expect(await used()).toBe('2');
    await logs('counts restored');
    expect((await send(server.url, { path: '/readyz' })).status).toBe(200);
    expect(server.log).toMatch(/Z counts restored: .*quota\.db was deleted.*Stop Offprint before/m);
    await until(() => runningServices(blog.out)[0]?.url === server?.url);
    expect(await used()).toBe('3');
    await blog.build();
    expect(await server.end('SIGTERM')).toBe(0);
    server = await blog.serve();
    expect(await used()).toBe('4');
    await until(
      () => readUsage(usagePath(blog.out), 0).reduce((sum, { requests }) => sum + requests, 0) === 4,
    );
  });

  it('that cannot be reached any more make the service not ready, and requests go on', async () => {
    server = await blog.serve();
    await get('/me');
    whileStopped(server.pid, () => {
      rmSync(`${blog.out}/state`, { recursive: true });
      symlinkSync('state', `${blog.out}/state`); // It leads to itself.
    });
    await logs('not ready:');
    const answers = await Promise.all([get('/me'), send(server.url, { path: '/readyz' }), get('/me')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 200]);
  });

  it('that are replaced while in use make the service not ready, and it says why', async () => {
    server = await blog.serve();
    await get('/me');
    whileStopped(server.pid, () => {
      for (const end of ['', '-wal']) rmSync(quota() + end);
      new Database(quota()).exec('CREATE TABLE other (id)').close();
    });
    await logs('was replaced while in use');
    expect((await send(server.url, { path: '/readyz' })).status).toBe(503);
    expect(readProblems(blog.out)).toMatchObject([{ what: 'counting' }]);
    expect((await get('/me')).status).toBe(200);
  });

  it('belong to one process: another one that uses them is named, and cannot change them', async () => {
    await countSome();
    const holder = new Database(quota());
    holder.exec('BEGIN EXCLUSIVE');
    const { code, stderr } = await start();
    holder.close();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/quota\.db is in use/)]);
    server = await blog.serve();
    await get('/me');
    const other = new Database(quota(), { timeout: 0 });
    expect(() => other.exec('UPDATE tally SET used = 0')).toThrow(/locked/);
    other.close();
  });

  it.skipIf(lacks('the user root', CAN_BE_NOBODY))(
    'that are read-only cause one line that says what to do',
    async () => {
      await countSome();
      chmodSync(blog.folder, 0o755);
      chmodSync(`${blog.out}/state`, 0o555);
      chmodSync(quota(), 0o444);
      const { code, stderr } = await offprintAsNobody(['serve', '--out', blog.out, '--port', '0']);
      chmodSync(`${blog.out}/state`, 0o755);
      // First, there is a note about files that others can read and this user cannot restrict.
      const [lines = '', ...notes] = stderr.trim().split('\n').reverse();
      expect(`${lines}\n`).toMatch(oneLine);
      expect(lines).toMatch(/quota\.db.*permission denied: it belongs to root.*may not (?:read|write) it/);
      expect(notes.filter((line) => !/^note: |Results cannot be/.test(line))).toEqual([]);
      expect(code).toBe(1);
    },
  );

  it('that are damaged while in use let no request through uncounted, and end no process', async () => {
    await countSome();
    const bytes = damaged(100_000); // More than SQLite's cache, so most callers are read from the file.
    server = await blog.serve();
    writeFileSync(quota(), bytes);
    const used = new Map<string, number>();
    const statuses = new Set<number>();
    for (let i = 0; i < 200; i += 1) {
      const address = `192.0.2.${i % 20}`;
      const reply = await get('/me', { 'x-forwarded-for': address });
      statuses.add(reply.status);
      if (reply.status !== 200) continue;
      const now = Number(reply.header('x-quota-used'));
      expect(now).toBeGreaterThan(used.get(address) ?? 0);
      used.set(address, now);
    }
    expect([...statuses].filter((status) => status !== 200)).toEqual([500]);

    // Whether this address's count can still be read depends on SQLite's cache.
    for (const [sent, ...expected] of [
      [`GET ${PREFIX} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`, 400],
      ['NOT HTTP\r\n\r\n', 400],
      ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 404, 500],
      [`GET ${PREFIX} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`, 200, 500],
      [`OPTIONS ${PREFIX} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 204, 500],
    ] as const) {
      const reply = await sendRaw(server.url, sent);
      expect(expected, sent).toContain(reply?.status);
      if ((reply?.status ?? 0) >= 400) expect(reply?.json).toMatchObject({ success: false });
    }
    expect((await send(server.url, { path: '/healthz' })).status).toBe(200);
    expect(server.log).toMatch(/quota\.db/);
    expect(await server.end('SIGTERM')).toBe(0);
    const { code, stderr } = await start();
    expect([code, stderr]).toEqual([1, expect.stringMatching(/damaged/)]);
  });
});

/** The texts that a query finds. */
function find(sql: string): string[] {
  const db = openForReading(blog.db);
  const found = db.prepare<[], string>(sql).pluck().all();
  db.close();
  return found;
}

/** Serves in this process, which is faster; failures are added to `faults`. */
function serveHere(out: string, faults: unknown[]): Promise<ServedGateway> {
  const emit: ServiceListener = (event) => void ('error' in event && faults.push(event.error));
  return serve({ out, host: '127.0.0.1', port: 0, trustedProxies: 0, emit });
}
