/**
 * `doctor` names each problem of an installation, says what to do, and changes nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FaultRecord } from '../../cli/faults.ts';
import { CHECKS } from '../../cli/doctor/checks.ts';
import { judgeDisk } from '../../cli/doctor/disk.ts';
import { probeReply } from '../../gateway/health.ts';
import { section, tableRows } from '../docs/documents.ts';
import { offprint, spawnOffprint, resultOf } from '../service/command.ts';
import { BUCKET_ENVIRONMENT } from '../service/bucket-credentials.ts';
import { freePort } from '../service/free-port.ts';
import { answerOf, offprintInProcess } from '../service/in-process.ts';
import { startOffprint } from '../build/offprint-process.ts';
import { editing, publish, shortBlog } from '../build/publishing.ts';
import { folderUntil, temporaryFolder } from '../build/temporary-folder.ts';
import { CAN_MOUNT, smallDisk } from '../build/tmpfs.ts';
import { lacks } from '../lacks.ts';

interface Found {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly finding: string;
  readonly next: string | null;
}
interface Report {
  readonly errors: number;
  readonly warnings: number;
  readonly findings: readonly Found[];
}

const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65534;
const LONG_AGO = new Date(Date.now() - 86_400_000);

/** A published blog with a key; each test works on a copy. */
let template = '';
beforeAll(async () => {
  template = folderUntil(afterAll);
  const [db, out] = [join(template, 'blog.db'), join(template, 'out')];
  shortBlog(db, 5, 1);
  editing(db, (blog) => blog.prepare("UPDATE site SET url = 'https://words.example'").run());
  await answerOf(['build', '--db', db, '--out', out]);
  await answerOf(['keys', 'create', '--account', 'ada', '--name', 'site', '--db', db, '--out', out]);
});

/** An installation, and how to examine it. */
class Place {
  readonly folder: string;
  readonly db: string;
  readonly out: string;
  readonly config: string;
  readonly state: string;

  constructor(folder = temporaryFolder()) {
    this.folder = folder;
    this.db = join(folder, 'blog.db');
    this.out = join(folder, 'out');
    this.config = join(folder, 'offprint.json');
    this.state = join(this.out, 'state');
    cpSync(template, this.folder, { recursive: true, preserveTimestamps: true });
    for (const name of ['state', 'keys']) chmodSync(join(this.out, name), 0o700); // Node does not copy modes of folders.
  }

  args(...more: readonly string[]): string[] {
    return ['doctor', '--db', this.db, '--out', this.out, '--port', '0', ...more];
  }

  configure(settings: object): readonly string[] {
    writeFileSync(this.config, JSON.stringify(settings));
    return ['--config', this.config];
  }

  edit(sql: string): void {
    const db = new Database(this.db);
    db.pragma('foreign_keys = OFF');
    db.exec(sql);
    db.close();
  }

  rewritePointer(change: (pointer: Record<string, unknown>) => object): void {
    const path = join(this.out, 'snapshot.json');
    const pointer: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...pointer, ...change(pointer) }));
  }

  /** Paths of objects of one kind. */
  objects(kind: string): string[] {
    const folder = join(this.out, 'objects', kind);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile());
  }
}

async function examine(
  place: Place,
  more: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Report> {
  const { code, stdout, stderr } = await offprintInProcess([...place.args(...more), '--json'], environment);
  expect(stderr).toBe('');
  const report: Report = JSON.parse(stdout);
  expect(code).toBe(report.errors > 0 ? 1 : 0);
  return report;
}

/** The id of a process whose folder differs from that of the tests. */
async function report(args: readonly string[]): Promise<Report> {
  return JSON.parse((await offprint([...args, '--json'])).stdout);
}

const problems = ({ findings }: Report): readonly Found[] => findings.filter(({ level }) => level !== 'ok');

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Makes the files of the output say that this process serves it. */
function pretendToServe({ out, state }: Place, port: number): FaultRecord {
  const record = new FaultRecord(out);
  onTestFinished(() => record.close());
  writeFileSync(join(state, 'serving.json'), JSON.stringify(`http://127.0.0.1:${port}`));
  return record;
}

/** A part of a backup, left by a process that has ended. */
async function killedBackup({ folder }: Place): Promise<void> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  writeFileSync(join(folder, `copy.db.backup-${child.pid}`), 'keys');
}

function left(path: string): void {
  writeFileSync(path, '');
  utimesSync(path, LONG_AGO, LONG_AGO);
}

type Expected = readonly [level: 'warning' | 'error', check: string, finding: RegExp, next: RegExp];
type Break = (place: Place) => void | readonly string[] | Promise<void | readonly string[]>;

/** How each installation is broken, and the expected findings. A break may return options for `doctor`. */
const BROKEN: readonly (readonly [name: string, breaks: Break, expected: Expected])[] = [
  [
    'a setting that does not exist',
    (place) => place.configure({ sight: {} }),
    ['error', 'configuration', /there is no setting sight/, /./],
  ],
  [
    'a cron expression that is none',
    (place) => place.configure({ cron: 'often' }),
    ['error', 'configuration', /"often"/, /\*\/5/],
  ],
  [
    'webhooks without a secret',
    (place) => place.configure({ webhooks: ['https://hook.example'] }),
    ['error', 'configuration', /OFFPRINT_WEBHOOK_SECRET/, /./],
  ],
  [
    'a bucket without credentials',
    () => ['--publish-to', 's3://blog', '--endpoint', 'https://s3.example'],
    ['error', 'configuration', /AWS_ACCESS_KEY_ID is not set/, /Set AWS_ACCESS_KEY_ID/],
  ],
  [
    'a site on this machine alone',
    (place) => place.configure({ site: { url: 'http://localhost:4000' } }),
    [
      'warning',
      'configuration',
      /site\.url is http:\/\/localhost:4000, which only this machine/,
      /Set site\.url/,
    ],
  ],
  [
    'an address of the API without encryption',
    (place) => place.configure({ api_url: 'http://api.example' }),
    ['warning', 'configuration', /api_url is http:\/\/api\.example, without encryption/, /https/],
  ],
  [
    'proxies that can be passed by',
    (place) => [...place.configure({ trusted_proxies: 1 }), '--host', '8.8.8.8'],
    ['warning', 'configuration', /trusted_proxies is 1/, /127\.0\.0\.1/],
  ],
  [
    'a database that is gone',
    ({ db }) => rmSync(db),
    ['error', 'database', /There is no database at/, /--db/],
  ],
  [
    'another file instead of the database',
    ({ db }) => writeFileSync(db, 'x'.repeat(8192), { mode: 0o600 }),
    ['error', 'database', /is not a SQLite database/, /backup/],
  ],
  [
    'a database with damaged pages',
    ({ db }) => {
      const file = openSync(db, 'r+');
      for (let page = 3; page < 40; page++) writeSync(file, Buffer.alloc(4000, 7), 0, 4000, page * 4096 + 8);
    },
    ['error', 'database', /damaged|cannot be read as a database|malformed/, /backup/i],
  ],
  [
    'a database of another program',
    (place) => place.edit('PRAGMA application_id = 1'),
    ['error', 'database', /but not Offprint's/, /--db/],
  ],
  [
    'a database of a newer version',
    (place) => place.edit('PRAGMA user_version = 99'),
    ['error', 'database', /newer Offprint/, /Upgrade/],
  ],
  [
    'a database of an earlier version',
    (place) => place.edit('PRAGMA user_version = 4'),
    ['error', 'database', /has schema 4/, /migrates/],
  ],
  [
    'a post of a category that is gone',
    (place) => place.edit('UPDATE posts SET category_id = 4711 WHERE id = 1'),
    ['warning', 'database', /name a missing row, such as posts 1 \(categories\)/, /Correct/],
  ],
  [
    'no address of the site',
    (place) => place.edit("UPDATE site SET url = 'https://blog.example'"),
    ['warning', 'database', /made up/, /site/],
  ],
  [
    'a site in the database on this machine alone',
    (place) => place.edit("UPDATE site SET url = 'http://127.0.0.1:1313'"),
    ['warning', 'database', /the site's address is http:\/\/127\.0\.0\.1:1313/, /Set/],
  ],
  [
    'a database that others may read',
    ({ db }) => chmodSync(db, 0o644),
    ['warning', 'permissions', /may read .*blog\.db/, /chmod 600/],
  ],
  [
    'a database that others may change',
    ({ db }) => chmodSync(db, 0o666),
    ['error', 'permissions', /may change .*blog\.db/, /chmod 600/],
  ],
  [
    'records of keys that others may read',
    ({ out }) => chmodSync(join(out, 'keys'), 0o755),
    ['warning', 'permissions', /may read .*keys/, /chmod -R go=/],
  ],
  [
    'a pointer that others may change',
    ({ out }) => chmodSync(join(out, 'snapshot.json'), 0o646),
    ['error', 'permissions', /may change .*snapshot\.json/, /chmod o-w/],
  ],
  [
    'an output where nothing is published',
    ({ out }) => rmSync(join(out, 'snapshot.json')),
    ['error', 'output', /Nothing is published/, /build/],
  ],
  [
    'a file instead of the output',
    ({ out }) => {
      rmSync(out, { recursive: true });
      writeFileSync(out, '');
    },
    ['error', 'output', /is a file/, /--out/],
  ],
  [
    'a pointer that was cut short',
    ({ out }) => truncateSync(join(out, 'snapshot.json'), 40),
    ['error', 'output', /not valid JSON/, /build/],
  ],
  [
    'a pointer of a newer version',
    (place) => place.rewritePointer(() => ({ format: 99 })),
    ['error', 'output', /format 99/, /Upgrade/],
  ],
  [
    'an article that is missing',
    (place) => rmSync(place.objects('post')[0] ?? ''),
    ['error', 'output', /objects\/post\/.* is missing/, /build --full/],
  ],
  [
    'an article that was altered',
    (place) => appendFileSync(place.objects('post')[0] ?? '', ' '),
    ['error', 'output', /does not match the hash/, /build --full/],
  ],
  [
    'a directory that is missing',
    ({ out }) => rmSync(join(out, 'objects', 'directory'), { recursive: true }),
    ['error', 'output', /The snapshot is damaged/, /build --full/],
  ],
  [
    'a snapshot that is held',
    (place) => place.rewritePointer(() => ({ held: true })),
    ['warning', 'output', /held since a rollback/, /snapshots release/],
  ],
  [
    'an output of another blog',
    (place) => place.rewritePointer(() => ({ blog: 'other.example' })),
    ['error', 'output', /serves the blog/, /./],
  ],
  [
    'a withdrawal that did not come to its end',
    (place) =>
      place.edit(`INSERT INTO withdrawals SELECT slug, id, status, '2026-01-01T00:00:00Z' FROM posts WHERE id = 1;
                  UPDATE posts SET status = 'archived' WHERE id = 1`),
    ['error', 'output', /is withdrawn, but still served/, /withdraw /],
  ],
  [
    'a row that the build left out',
    async (place) => {
      place.edit("UPDATE posts SET slug = '..' WHERE id = 1");
      await answerOf(['build', '--db', place.db, '--out', place.out]);
    },
    ['warning', 'builds', /left out posts/, /status/],
  ],
  [
    'a change that no build has published',
    (place) => {
      place.edit("UPDATE posts SET title = 'New' WHERE id = 1");
      utimesSync(place.db, LONG_AGO, LONG_AGO);
    },
    ['warning', 'builds', /no build has published/, /build/],
  ],
  [
    'a build that failed',
    async (place) => {
      const { db, out } = place;
      place.edit("UPDATE posts SET slug = '..' WHERE id = 1");
      expect((await offprintInProcess(['build', '--strict', '--db', db, '--out', out])).code).toBe(1);
    },
    ['error', 'failures', /The last build, failing for .*: 1 row cannot be exported/, /./],
  ],
  [
    'a webhook that was not delivered',
    ({ out }) => {
      const record = new FaultRecord(out);
      onTestFinished(() => record.close());
      record.report(
        'webhooks',
        'The webhook hook.example was not delivered: it answered with 500. It is tried again.',
      );
    },
    ['error', 'failures', /Webhooks, failing for .*hook\.example/, /tried again/],
  ],
  [
    'a followed blog that is gone',
    (place) => place.configure({ import: [{ format: 'markdown', path: 'gone' }] }),
    ['error', 'imports', /There is nothing at .*gone/, /"import"/],
  ],
  [
    'a followed blog that was never imported',
    (place) => {
      mkdirSync(join(place.folder, 'posts'));
      return place.configure({ import: [{ format: 'markdown', path: 'posts' }] });
    },
    ['warning', 'imports', /never imported/, /import/],
  ],
  [
    'a revoked key that the gateway accepts',
    (place) => place.edit("UPDATE api_keys SET revoked_at = '2026-01-01T00:00:00Z'"),
    ['error', 'keys', /is revoked, but the gateway still accepts it/, /build/],
  ],
  [
    'a configuration that is a folder',
    ({ config }) => {
      mkdirSync(config);
      return ['--config', config];
    },
    ['error', 'configuration', /is a folder, not a configuration file/, /--config/],
  ],
  [
    'an earlier snapshot with an article that is withdrawn',
    async (place) => {
      const files = ['--db', place.db, '--out', place.out];
      place.edit("UPDATE posts SET title = title || '!'");
      await answerOf(['build', ...files]);
      const slug = new Database(place.db).prepare<[], string>('SELECT slug FROM posts').pluck().get();
      place.edit(`INSERT INTO withdrawals SELECT slug, id, status, '2026-01-01T00:00:00Z' FROM posts WHERE slug = '${slug}';
        UPDATE posts SET status = 'archived' WHERE slug = '${slug}'`);
      await answerOf(['build', ...files]);
    },
    ['error', 'output', /is withdrawn, but the earlier snapshot \w+ still has it/, /withdraw /],
  ],
  [
    'a key that the gateway does not know',
    ({ out }) => {
      const [name = ''] = readdirSync(join(out, 'keys'));
      writeFileSync(join(out, 'keys', name), '{}', { mode: 0o600 });
    },
    ['error', 'keys', /does not know the key opk_/, /build/],
  ],
  [
    'an output that everybody may change',
    ({ out }) => chmodSync(out, 0o777),
    ['error', 'permissions', /may change \S+out\.$/, /^chmod o-w \S+out$/],
  ],
  [
    'a folder of the database that everybody may change',
    ({ folder }) => chmodSync(folder, 0o777),
    ['error', 'permissions', /may change /, /^chmod o-w /],
  ],
  [
    'a configuration that was lost, with its limits',
    async ({ db, out, config }) => {
      writeFileSync(config, '{"limits":{"minute":5000}}');
      await answerOf(['build', '--db', db, '--out', out, '--config', config]);
      rmSync(config);
    },
    ['error', 'output', /would fall back to the default limits: limits\.minute 5000 → 30\./, /--config/],
  ],
  [
    'a key that was deleted from the database',
    ({ out }) => writeFileSync(join(out, 'keys', `${'0'.repeat(64)}.json`), '{}', { mode: 0o600 }),
    ['error', 'keys', /accepts 1 key that the database does not have/, /build/],
  ],
  [
    'keys of another database',
    (place) => place.edit('DELETE FROM api_keys'),
    ['error', 'keys', /but this database has none of them/, /--keys/],
  ],
  [
    'counts that are damaged',
    ({ state }) => writeFileSync(join(state, 'quota.db'), 'x'.repeat(5000), { mode: 0o600 }),
    ['error', 'counts', /quota\.db cannot be read/, /delete/],
  ],
  [
    'usage that is damaged',
    ({ state }) => writeFileSync(join(state, 'usage.db'), 'x'.repeat(5000), { mode: 0o600 }),
    ['error', 'counts', /usage\.db cannot be read/, /delete/],
  ],
  [
    'a port that another program has',
    async () => ['--port', String(await listening(createServer((_, response) => response.end('hello'))))],
    ['warning', 'service', /is taken by another program/, /--port/],
  ],
  [
    'a service of Offprint whose output was deleted',
    async () => {
      const body = probeReply('live', true).body ?? '';
      return ['--port', String(await listening(createServer((_, response) => response.end(body))))];
    },
    [
      'warning',
      'service',
      /a service of Offprint, which this output does not know of/,
      /in 10 seconds.*--port/,
    ],
  ],
  [
    'a service that does not answer',
    async (place) => void pretendToServe(place, await freePort()),
    ['error', 'service', /does not answer/, /restart/],
  ],
  [
    'a service that cannot count',
    async (place) => {
      const server = createServer((_, response) => response.writeHead(503).end());
      pretendToServe(place, await listening(server));
    },
    ['error', 'service', /not ready.* 503/, /log/],
  ],
  [
    'a snapshot of the future',
    (place) => place.rewritePointer(() => ({ built_at: '2999-01-01T00:00:00.000Z' })),
    ['warning', 'clock', /built at 2999/, /clock/],
  ],
  [
    'a database of the future',
    ({ db }) => utimesSync(db, new Date('2999-01-01'), new Date('2999-01-01')),
    ['warning', 'clock', /blog\.db was written at 2999/, /clock/],
  ],
  ['a backup that was killed', killedBackup, ['warning', 'leftovers', /copy\.db\.backup-\d+/, /rm /]],
  [
    'a restore that was killed',
    ({ db }) => left(`${db}.restoring`),
    ['warning', 'leftovers', /blog\.db\.restoring/, /rm /],
  ],
  [
    'an export that was killed',
    async ({ out, folder }) => {
      const site = join(folder, 'site');
      await answerOf(['export', site, '--out', out]);
      left(join(site, '.offprint', 'staged'));
    },
    ['warning', 'leftovers', /export to .*site was interrupted/, /export /],
  ],
  [
    'a build that was killed',
    ({ state }) => {
      mkdirSync(join(state, 'staging'), { recursive: true });
      left(join(state, 'staging', 'objects+post'));
    },
    ['warning', 'leftovers', /staging holds files of a build/, /build/],
  ],
  [
    'a file that was being replaced',
    ({ out }) => left(join(out, 'snapshot.json.5d1f.tmp')),
    ['warning', 'leftovers', /snapshot\.json\.5d1f\.tmp/, /rm /],
  ],
];

describe('doctor', () => {
  it('finds nothing wrong with an intact installation', async () => {
    const report = await examine(new Place());
    expect(problems(report)).toEqual([]);
    expect(new Set(report.findings.map(({ check }) => check))).toEqual(
      new Set(
        'program configuration database permissions output builds failures keys counts service disk clock leftovers'.split(
          ' ',
        ),
      ),
    );
  });

  it('has the checks that its documentation lists', () => {
    const rows = tableRows(section('docs/operators/doctor.md', '# Examine an installation'));
    const checks = Object.entries(CHECKS).map(([name, { examines }]) => [`\`${name}\``, examines]);
    expect(rows).toEqual([['`program`', 'whether Node can load the native package'], ...checks]);
  });

  it.each(BROKEN)('finds %s', async (_, breaks, [level, check, finding, next]) => {
    const place = new Place();
    const more = (await breaks(place)) ?? [];
    const report = await examine(place, more);
    const found = problems(report);
    expect(found).toContainEqual({
      ...{ level, check },
      ...{ finding: expect.stringMatching(finding), next: expect.stringMatching(next) },
    });
    for (const one of found) expect(one.finding, 'one line').not.toContain('\n');
  });

  it('finds only the first of what follows from a broken configuration', async () => {
    const place = new Place();
    writeFileSync(place.config, '{"site":{"url":"https://other.example"},"limits":{"minute":5000}}');
    await answerOf(['build', '--db', place.db, '--out', place.out, '--config', place.config, '--force']);
    writeFileSync(place.config, '{"site":');
    const found = problems(await examine(place, ['--config', place.config]));
    expect(found).toMatchObject([{ level: 'error', check: 'configuration' }]);
  });

  it.skipIf(lacks('the user root', IS_ROOT))('finds files of another user in the output', async () => {
    const place = new Place();
    for (const path of [place.folder, place.db, place.out]) chownSync(path, NOBODY, NOBODY);
    const names = readdirSync(place.out, { recursive: true, encoding: 'utf8' });
    for (const name of names) chownSync(join(place.out, name), NOBODY, NOBODY);
    expect(problems(await examine(place))).toEqual([
      expect.objectContaining({ level: 'warning', finding: expect.stringContaining('you are root') }),
    ]);
    chownSync(join(place.state, 'last-build.json'), 0, 0);
    expect(problems(await examine(place))).toContainEqual({
      ...{ level: 'error', check: 'permissions' },
      finding: expect.stringMatching(/last-build\.json belongs to root: \S+ cannot write there/),
      next: expect.stringMatching(/^As root: chown -R \S+ \S+out$/),
    });
  });

  it.skipIf(lacks('the user root', IS_ROOT))('finds files that their own user may not write', async () => {
    const place = new Place();
    const names = readdirSync(place.folder, { recursive: true, encoding: 'utf8' });
    for (const name of ['', ...names]) chownSync(join(place.folder, name), NOBODY, NOBODY);
    for (const path of [place.db, place.out, join(place.out, 'objects')])
      chmodSync(path, statSync(path).mode & 0o555);
    const readOnly = problems(await examine(place)).filter(({ next }) => next?.startsWith('chmod u+w'));
    expect(readOnly.map(({ next }) => next?.replace(place.folder, ''))).toEqual([
      ...['chmod u+w /out', 'chmod u+w /out/objects', 'chmod u+w /blog.db'],
    ]);
    expect(readOnly).toMatchObject(readOnly.map(() => ({ level: 'error', check: 'permissions' })));
  });

  it('checks that the objects of a large blog exist', async () => {
    const place = new Place();
    rmSync(place.out, { recursive: true });
    rmSync(place.db);
    shortBlog(place.db, 2100, 1);
    await publish(place.db, place.out, { now: new Date() });
    const [first = '', second = ''] = place.objects('post');
    for (const path of [first, second]) rmSync(path);
    const { findings } = await examine(place);
    const [output] = findings.filter(({ check }) => check === 'output');
    expect(output).toMatchObject({
      level: 'error',
      finding: expect.stringMatching(/^2 of the snapshot's files are missing/),
    });
  });

  it('checks buckets only with --remote, and compares what they serve', async () => {
    const place = new Place();
    let pointer = readFileSync(join(place.out, 'snapshot.json'), 'utf8');
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.writeHead(200, { etag: '"1"' }).end(pointer);
    });
    const endpoint = `http://127.0.0.1:${await listening(server)}`;
    const options = ['--publish-to', 's3://blog', '--endpoint', endpoint];
    expect(problems(await examine(place, options, BUCKET_ENVIRONMENT))).toEqual([]);
    expect(requests).toBe(0);
    expect(problems(await examine(place, [...options, '--remote'], BUCKET_ENVIRONMENT))).toEqual([]);
    expect(requests).toBe(1);
    const { snapshot } = JSON.parse(pointer);
    pointer = pointer.replaceAll(snapshot, [...snapshot].reverse().join(''));
    expect(problems(await examine(place, [...options, '--remote'], BUCKET_ENVIRONMENT))).toMatchObject([
      { level: 'warning', check: 'buckets', next: expect.stringContaining('publish --to s3://blog') },
    ]);
  });

  it('reports a bucket that cannot be reached', async () => {
    const port = await freePort();
    const options = ['--publish-to', 's3://blog', '--endpoint', `http://127.0.0.1:${port}`, '--remote'];
    expect(problems(await examine(new Place(), options, BUCKET_ENVIRONMENT))).toMatchObject([
      { level: 'error', check: 'buckets', finding: expect.stringContaining('cannot be reached') },
    ]);
  });

  it('reports a native package that does not fit', async () => {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => {
        if (name === 'better-sqlite3') throw new Error('wrong ELF class');
        return next(name, context);
      } });`;
    const environment = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}` };
    const { code, stdout } = await resultOf(
      spawnOffprint(new Place().args('--json'), undefined, environment),
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { level: 'error', check: 'program', finding: expect.stringContaining('wrong ELF class') },
    ]);
  });

  it('quotes paths in commands, so that a shell takes them as they are', async () => {
    const place = new Place(join(temporaryFolder(), "ada's blog; $(id)"));
    chmodSync(place.db, 0o644);
    chmodSync(place.folder, 0o777);
    for (const name of ['state', 'keys']) chmodSync(join(place.out, name), 0o755);
    await killedBackup(place);
    const site = join(place.folder, 'site');
    await answerOf(['export', site, '--out', place.out]);
    for (const path of [`${place.db}.restoring`, join(place.state, 'a.tmp'), join(site, '.offprint/staged')])
      left(path);
    const named = problems(await examine(place)).flatMap(({ next }) => {
      const [command] = /\b(?:chmod|rm|export) .*/.exec(next ?? '') ?? [];
      const words = spawnSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' }).stdout;
      return words.split('\0').filter((word) => word.includes('blog'));
    });
    const places = named.map((path) => path.replace(place.folder, '').replace(/backup-\d+/, 'backup-PID'));
    expect(places.sort()).toEqual([
      ...['', '/blog.db', '/blog.db.restoring', '/copy.db.backup-PID'],
      ...['/out/keys', '/out/state', '/out/state/a.tmp', '/site'],
    ]);
  });

  it('prints a line for each finding with the next step below, and exits with 1 on an error', async () => {
    const place = new Place();
    place.rewritePointer(() => ({ held: true }));
    const held = await offprintInProcess(place.args());
    expect(held.code).toBe(0);
    expect(held.stdout).toMatch(/^warning {2}output +The snapshot is held.*\n {24}\S.*snapshots release$/m);
    expect(held.stdout).toMatch(/\n0 errors, 1 warning\.\n$/);
    rmSync(place.db);
    expect((await offprintInProcess(place.args())).code).toBe(1);
    expect((await offprintInProcess(new Place().args())).stdout).toMatch(/\nNo problems found\.\n$/);
  });
});

/** All files except SQLite's shared-memory file, which readers change; folders without times, since they make a WAL too. */
function contents(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('-shm'))
    .map((name) => {
      const file = statSync(join(folder, name));
      if (!file.isFile()) return `${name} ${file.mode}`;
      const content = readFileSync(join(folder, name));
      return `${name} ${file.mode} ${file.mtimeMs} ${createHash('sha256').update(content).digest('hex')}`;
    })
    .sort();
}

describe('an installation', () => {
  it('is unchanged by the examination, intact or not', async () => {
    const place = new Place();
    for (const path of [join(place.out, 'keys'), place.db]) chmodSync(path, 0o755);
    for (const wrong of [() => undefined, () => place.edit('PRAGMA user_version = 4')]) {
      wrong();
      const before = contents(place.folder);
      await examine(place);
      expect(contents(place.folder)).toEqual(before);
    }
  });

  it('after a first start is intact, while it serves the sample blog and afterwards', async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const running = startOffprint(['start', '--port', String(port)], { cwd: folder });
    onTestFinished(() => void running.child.kill('SIGKILL'));
    await running.printed('Ctrl-C stops');
    const here = ['--db', join(folder, 'data', 'blog.db'), '--out', join(folder, 'out')];
    const doctor = ['doctor', ...here, '--port', String(port)];
    const serving = await report(doctor);
    expect(problems(serving)).toEqual([]);
    expect(serving.findings).toContainEqual(
      expect.objectContaining({
        check: 'service',
        finding: expect.stringContaining(`serves on http://127.0.0.1:${port}`),
      }),
    );
    expect((await offprintInProcess(['status', ...here.slice(2)])).code).toBe(0);
    running.child.kill('SIGTERM');
    await running.ended;
    const before = contents(folder);
    expect(problems(await report(doctor))).toEqual([]);
    expect(contents(folder)).toEqual(before);
  });

  it("that serves another machine's output needs no database", async () => {
    const place = new Place();
    for (const path of [place.db, join(place.out, 'state')]) rmSync(path, { recursive: true });
    expect(problems(await examine(place))).toEqual([]);
  });
});

describe('a disk', () => {
  const disk = { path: '/srv', available: 1e9, files: 1_000_000, used: { bytes: 1e8, files: 10_000 } };

  it.each([
    ['ok', disk],
    ['ok', { ...disk, files: null }],
    ['error', { ...disk, available: 4e7 }],
    ['warning', { ...disk, available: 9e7 }],
    ['warning', { ...disk, files: 10_500 }],
  ])('must have space for a full build and a backup: %s', (level, given) => {
    expect(judgeDisk(given)).toMatchObject({ level });
  });

  it.skipIf(lacks('permission to mount', CAN_MOUNT))('that is nearly full is reported', async () => {
    const place = new Place();
    const { folder } = smallDisk(2 ** 25);
    cpSync(place.out, join(folder, 'out'), { recursive: true });
    const { findings } = await examine(place, ['--out', join(folder, 'out')]);
    expect(findings).toContainEqual(expect.objectContaining({ level: 'error', check: 'disk' }));
  });
});
