/**
 * `doctor` names each problem of an installation, says what to do, and changes nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
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
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { logPaths } from '../../../build/history/reachable.ts';
import { PUBLISHES } from '../../../build/publish/last-publish.ts';
import { FaultRecord } from '../../../cli/faults.ts';
import { CHECKS } from '../../../cli/doctor/checks.ts';
import { inlineCode, section } from '../../docs/documents.ts';
import { offprint, spawnOffprint, resultOf } from '../../service/command.ts';
import { CAN_BE_NOBODY, offprintAsNobody } from '../../safety/as-nobody.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { freePort } from '../../service/free-port.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { startOffprint } from '../../build/offprint-process.ts';
import { copyFolder } from '../../build/copied-folder.ts';
import { editing, shortBlog } from '../../build/publishing.ts';
import { pointerOf } from '../../build/output.ts';
import { folderUntil, temporaryFolder } from '../../build/temporary-folder.ts';
import { lacks } from '../../lacks.ts';

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
  readonly pointer: string;

  constructor(folder = temporaryFolder()) {
    this.folder = folder;
    this.db = join(folder, 'blog.db');
    this.out = join(folder, 'out');
    this.config = join(folder, 'offprint.json');
    this.pointer = join(this.out, 'snapshot.json');
    mkdirSync(folder, { recursive: true });
    copyFolder(template, folder);
  }

  /** The file of its key. */
  get key(): string {
    const keys = join(this.out, 'keys');
    return join(keys, readdirSync(keys)[0] ?? '');
  }

  args(...more: readonly string[]): string[] {
    return ['doctor', '--db', this.db, '--out', this.out, ...more];
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

/** By a process of its own. */
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

const PUBLIC_ADDRESS = {
  ...{ address: '8.8.8.8', netmask: '255.255.255.0', family: 'IPv4' as const, mac: '', internal: false },
  cidr: null,
};

/** Records that this process serves the output. */
function pretendToServe({ out }: Place, port: number, host = '127.0.0.1'): void {
  const record = new FaultRecord(out);
  record.recordUrl(`http://${host}:${port}`);
  onTestFinished(() => record.close());
}

/** The last publish to a bucket. */
const PUBLISHED = {
  ...{ snapshot: '', posts: 5, uploaded: 0, bytes: 0, skipped: 0, keys: { put: 0, removed: 0 } },
  ...{ retries: 0, seconds: 0 },
};

/** How an installation is broken: SQL, settings, or what is done, which may return options for `doctor`. */
type Break =
  string | object | ((place: Place) => void | readonly string[] | Promise<void | readonly string[]>);

async function broken(place: Place, how: Break): Promise<readonly string[]> {
  if (typeof how === 'string') place.edit(how);
  else if (typeof how === 'function') return (await how(place)) ?? [];
  else return place.configure(how);
  return [];
}

const WITHDRAW =
  "INSERT INTO withdrawals SELECT slug, id, status, '2026-01-01T00:00:00Z' FROM posts WHERE id = 1;";

/** What is found, as `level check: finding → next step`. */
const BROKEN: readonly (readonly [finding: RegExp, how: Break])[] = [
  [/^error configuration: .*did you mean "trusted_proxies".* → .*See docs\/conf/, { trusted_proxys: 1 }],
  [
    /^error configuration: \S+ is not valid JSON: (?!.*(?:\\u|\.\. →)).* → .*See docs\/configuration/,
    ({ config }) => {
      writeFileSync(config, '{"cron": x,\n\n}');
      return ['--config', config];
    },
  ],
  [/^error configuration: .*cron is not a cron expression.* → Use five fields/, { cron: 'hourly' }],
  [
    /^error configuration: .*is a folder, not a configuration file.* → .*--config/,
    ({ config }) => {
      mkdirSync(config);
      return ['--config', config];
    },
  ],
  [
    /^warning configuration: .*site\.url is http:\/\/localhost:4000, which only this machine.* → .*Set site\.url/,
    { site: { url: 'http://localhost:4000' } },
  ],
  [
    /^warning configuration: .*api_url is http:\/\/api\.example, without encryption.* → .*https/,
    { api_url: 'http://api.example' },
  ],
  [/^error database: .*There is no database at.* → .*--db/, ({ db }) => rmSync(db)],
  [
    /^error database: .*(?:damaged|cannot be read as a database|malformed).* → .*backup/i,
    ({ db }) => {
      const file = openSync(db, 'r+');
      for (let page = 3; page < 40; page++) writeSync(file, Buffer.alloc(4000, 7), 0, 4000, page * 4096 + 8);
    },
  ],
  [/^error database: .*has schema 4.* → .*migrates/, 'PRAGMA user_version = 4'],
  [/^warning database: .*placeholders.* → .*site/, "UPDATE site SET url = 'https://blog.example'"],
  [
    /^warning database: .*the site's URL is http:\/\/127\.0\.0\.1:1313.* → .*Set/,
    "UPDATE site SET url = 'http://127.0.0.1:1313'",
  ],
  [/^warning permissions: .*can read .*blog\.db.* → .*chmod 600/, ({ db }) => chmodSync(db, 0o644)],
  [/^error permissions: .*can change .*blog\.db.* → .*chmod 600/, ({ db }) => chmodSync(db, 0o666)],
  [
    /^error permissions: .*can change .*snapshot\.json.* → .*chmod o-w/,
    ({ pointer }) => chmodSync(pointer, 0o646),
  ],
  [
    /^error output: .*snapshot\.json.* → .*build/,
    ({ pointer, key }) => {
      for (const path of [pointer, key]) {
        rmSync(path);
        execFileSync('mkfifo', [path]); // Which must not be waited for.
      }
    },
  ],
  [
    /^error output: .*is withdrawn, but .*out still has it.* → .*withdraw \S+$/,
    `${WITHDRAW} UPDATE posts SET status = 'archived' WHERE id = 1`,
  ],
  [/^error output: .*Nothing is published.* → .*build/, ({ pointer }) => rmSync(pointer)],
  [
    /^error output: .*is a file.* → .*--out/,
    ({ out }) => {
      rmSync(out, { recursive: true });
      writeFileSync(out, '');
    },
  ],
  [/^error output: .*not valid JSON.* → .*build/, ({ pointer }) => truncateSync(pointer, 40)],
  [
    /^error output: .*The snapshot lacks 1 file, such as objects\/body.* → .*build --full/,
    ({ out }) => {
      const body = join(out, 'objects/body');
      const names = readdirSync(body, { recursive: true, encoding: 'utf8' });
      rmSync(join(body, names.find((name) => statSync(join(body, name)).isFile()) ?? ''));
    },
  ],
  [
    /^error output: .*The snapshot lacks 1 file, such as objects\/lines.* → .*build --full/,
    async (place) => {
      place.edit("UPDATE posts SET title = 'New' WHERE id = 1");
      await answerOf(['build', '--db', place.db, '--out', place.out]);
      const [part = ''] = logPaths(pointerOf(place.out));
      rmSync(join(place.out, part));
    },
  ],
  [
    /^warning builds: .*changed after the last build.* → .*build/,
    (place) => {
      place.edit("UPDATE posts SET title = 'New' WHERE id = 1");
      utimesSync(place.db, LONG_AGO, LONG_AGO);
    },
  ],
  [
    /^warning jobs: Failed: publishing s3:\/\/blog\. It broke\. → .*status/,
    ({ out }) => PUBLISHES.recordFailure(out, '2026-01-01T00:00:00Z', 'It broke.', 's3://blog'),
  ],
  [
    /^error keys: .*is revoked, but the gateway still accepts it.* → .*build/,
    "UPDATE api_keys SET revoked_at = '2026-01-01T00:00:00Z'",
  ],
  [
    /^error keys: .*does not know the key opk_.* → .*build/,
    ({ key }) => writeFileSync(key, '{}', { mode: 0o600 }),
  ],
  [
    /^error keys: .*accepts 1 key that the database does not have.* → .*build/,
    ({ out }) => writeFileSync(join(out, 'keys', `${'0'.repeat(64)}.json`), '{}', { mode: 0o600 }),
  ],
  [
    /^warning service: .*trusted_proxies is 1, but anyone can connect.* → .*127\.0\.0\.1/,
    async (place) => {
      const server = createServer((_, response) => response.end());
      pretendToServe(place, await listening(server), '0.0.0.0');
      vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: [PUBLIC_ADDRESS] });
      syncBuiltinESMExports();
      onTestFinished(() => {
        vi.restoreAllMocks();
        syncBuiltinESMExports();
      });
      return place.configure({ trusted_proxies: 1 });
    },
  ],
  [
    /^error service: .*does not answer.* → .*restart/,
    async (place) => pretendToServe(place, await freePort()),
  ],
  [
    /^error service: .*answers \/readyz with 503.* → .*log/,
    async (place) => {
      const server = createServer((_, response) => response.writeHead(503).end());
      pretendToServe(place, await listening(server));
    },
  ],
];

describe('doctor', () => {
  it('finds nothing wrong with an intact installation', async () => {
    const report = await examine(new Place());
    expect(problems(report)).toEqual([]);
    expect(new Set(report.findings.map(({ check }) => check))).toEqual(
      new Set(['program', ...Object.keys(CHECKS)]),
    );
  });

  it('has the checks that its documentation lists', () => {
    const named = inlineCode(section('docs/operators/troubleshooting.md', '## Run `doctor`'));
    const checks = ['program', ...Object.keys(CHECKS)];
    expect(named.filter((name) => checks.includes(name))).toEqual(checks);
  });

  it.each(BROKEN)('finds %s', async (expected, how) => {
    const place = new Place();
    const found = problems(await examine(place, await broken(place, how)));
    const shown = found.map(({ level, check, finding, next }) => `${level} ${check}: ${finding} → ${next}`);
    expect(shown).toContainEqual(expect.stringMatching(expected));
    for (const { finding } of found) expect(finding, 'one line').not.toContain('\n');
  });

  it.skipIf(lacks('the user root', IS_ROOT))('finds files of another user in the output', async () => {
    const place = new Place();
    for (const path of [place.folder, place.db, place.out]) chownSync(path, NOBODY, NOBODY);
    const names = readdirSync(place.out, { recursive: true, encoding: 'utf8' });
    for (const name of names) chownSync(join(place.out, name), NOBODY, NOBODY);
    expect(problems(await examine(place))).toEqual([]);
    const two = [place.pointer, place.key];
    for (const path of two) chownSync(path, 0, 0);
    expect(problems(await examine(place))).toContainEqual(
      expect.objectContaining({ finding: expect.stringContaining(' belongs to root, and 1 more: ') }),
    );
    for (const path of two) chownSync(path, NOBODY, NOBODY);
    chownSync(join(place.out, 'state/results.db'), 0, 0);
    expect(problems(await examine(place))).toContainEqual({
      ...{ level: 'error', check: 'permissions' },
      finding: expect.stringMatching(/results\.db belongs to root: \S+ cannot write there/),
      next: expect.stringMatching(/^As root: chown -R \S+ \S+out$/),
    });
  });

  it.skipIf(lacks('the user root', IS_ROOT && CAN_BE_NOBODY))(
    'finds an output that is all of root',
    async () => {
      const place = new Place();
      for (const path of [place.folder, place.db]) chownSync(path, NOBODY, NOBODY);
      const { stdout } = await offprintAsNobody(place.args('--json'));
      const found = problems(JSON.parse(stdout) as Report);
      expect(found).toContainEqual({
        ...{ level: 'error', check: 'permissions' },
        finding: expect.stringMatching(/out belongs to root, and \d+ more: \S+ cannot write there/),
        next: expect.stringMatching(/^As root: chown -R \S+ \S+out$/),
      });
    },
  );

  it('checks buckets only with --remote, and compares what they serve', async () => {
    const place = new Place();
    let pointer = readFileSync(place.pointer, 'utf8');
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.writeHead(200, { etag: '"1"' }).end(pointer);
    });
    const endpoint = `http://127.0.0.1:${await listening(server)}`;
    const publishedTo = (at: string) =>
      PUBLISHES.recordSuccess(place.out, { at: '2026', endpoint: at, report: PUBLISHED }, 's3://blog');
    publishedTo(endpoint);
    const found = async (...more: readonly string[]) =>
      problems(await examine(place, more, BUCKET_ENVIRONMENT));
    expect(await found()).toEqual([]);
    expect(requests).toBe(0);
    expect(await found('--remote')).toEqual([]);
    expect(requests).toBe(1);
    const { snapshot } = JSON.parse(pointer);
    place.edit(WITHDRAW);
    expect(await found('--remote')).toContainEqual(
      expect.objectContaining({
        check: 'buckets',
        finding: expect.stringContaining('s3://blog still has it'),
      }),
    );
    place.edit('DELETE FROM withdrawals');
    pointer = pointer.replaceAll(snapshot, [...snapshot].reverse().join(''));
    expect(await found('--remote')).toMatchObject([
      { level: 'warning', check: 'buckets', next: expect.stringContaining('publish --to s3://blog') },
    ]);
    publishedTo(`http://127.0.0.1:${await freePort()}`);
    expect(await found('--remote')).toMatchObject([
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
    const named = problems(await examine(place)).flatMap(({ next }) => {
      const [command] = /\bchmod .*/.exec(next ?? '') ?? [];
      const words = spawnSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' }).stdout;
      return words.split('\0').filter((word) => word.includes('blog'));
    });
    expect(named.map((path) => path.replace(place.folder, '')).sort()).toEqual(['', '/blog.db']);
  });

  it('prints a line for each finding with the next step below, and exits with 1 on an error', async () => {
    const place = new Place();
    chmodSync(place.db, 0o644);
    const open = await offprintInProcess(place.args());
    expect(open.code).toBe(0);
    expect(open.stdout).toMatch(/^warning {2}permissions +Other users .*\n {24}chmod 600 /m);
    expect(open.stdout).toMatch(/\n0 errors, 1 warning\.\n$/);
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
    onTestFinished(async () => void (await running.end('SIGTERM')));
    await running.printed('Ctrl-C stops');
    const here = ['--db', join(folder, 'data', 'blog.db'), '--out', join(folder, 'out')];
    const doctor = ['doctor', ...here];
    const serving = await report(doctor);
    expect(problems(serving)).toEqual([]);
    expect(serving.findings).toContainEqual(
      expect.objectContaining({
        check: 'service',
        finding: expect.stringContaining(`serves on http://127.0.0.1:${port}`),
      }),
    );
    expect((await offprintInProcess(['status', ...here.slice(2)])).code).toBe(0);
    await running.end('SIGTERM');
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
