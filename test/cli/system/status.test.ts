/**
 * `status` exits with 0, 1 or 3, and includes what only a running service knows.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PUBLISHES } from '../../../build/publish/last-publish.ts';
import { FaultRecord, recordFaults } from '../../../cli/faults.ts';
import { readProblems } from '../../../cli/problems.ts';
import { DELIVERIES } from '../../../cli/start/webhooks.ts';
import { isRecord } from '../../../contract/json.ts';
import { readResults, Results } from '../../../data/results.ts';
import { watchCounts } from '../../../cli/service.ts';
import { startOffprint } from '../../build/offprint-process.ts';
import { moment } from '../../../cli/terminal.ts';
import { answerOf, offprintInProcess } from '../../service/in-process.ts';
import { publish, shortBlog } from '../../build/publishing.ts';
import { pointerOf } from '../../build/output.ts';
import { blogPaths, temporaryFolder } from '../../build/temporary-folder.ts';
import { CAN_MOUNT, smallDisk } from '../../build/tmpfs.ts';
import { BUCKET_ENVIRONMENT } from '../../service/bucket-credentials.ts';
import { lacks } from '../../lacks.ts';

interface Problem {
  readonly what: string;
  readonly since: string;
  readonly message: string;
}

async function status(out: string): Promise<{ code: number | null; problems: Problem[]; served: unknown }> {
  const { code, stdout } = await offprintInProcess(['status', '--out', out, '--json']);
  return { code, ...JSON.parse(stdout) };
}

async function publishedBlog() {
  const paths = blogPaths();
  shortBlog(paths.db, 5, 1);
  await publish(paths.db, paths.out, { now: new Date() });
  return paths;
}

describe('status', () => {
  test('exits with 3 if nothing is served, and creates nothing', async () => {
    const out = join(temporaryFolder(), 'typo');
    expect(await status(out)).toMatchObject({ code: 3, served: null });
    expect((await offprintInProcess(['status', '--out', out])).stdout).toContain(out);
    expect(existsSync(out)).toBe(false);
  });

  test('exits with 3 if the directory that the pointer names is missing', async () => {
    const { out } = await publishedBlog();
    rmSync(join(out, 'objects', 'directory'), { recursive: true });
    expect(await status(out)).toMatchObject({ code: 3, served: null });
  });

  test('exits with 0, with 1 from the first of several failed builds, and with 0 again', async () => {
    const { db, out } = await publishedBlog();
    expect(await status(out)).toMatchObject({ code: 0, problems: [] });
    renameSync(db, `${db}.away`);
    const build = ['build', '--db', db, '--out', out];
    expect((await offprintInProcess(build)).code).toBe(1);
    const first = await status(out);
    expect(first).toMatchObject({ code: 1, problems: [{ what: 'the build' }] });
    expect(first.problems[0]?.message).toContain(`There is no database at ${db}`);
    expect((await offprintInProcess(build)).code).toBe(1);
    expect((await status(out)).problems).toEqual(first.problems);
    expect((await offprintInProcess(['status', '--out', out])).stdout).toContain(
      `since ${moment(first.problems[0]?.since ?? '')}`,
    );
    renameSync(`${db}.away`, db);
    expect((await offprintInProcess([...build, '--force'])).code).toBe(0);
    expect(await status(out)).toMatchObject({ code: 0, problems: [] });
  });

  test('tells of buckets, exports and webhooks: failures until they succeed', async () => {
    const { out, folder } = await publishedBlog();
    const args = ['publish', '--out', out, '--to', 's3://blog', '--endpoint', 'http://127.0.0.1:1'];
    const refused = offprintInProcess(args, { ...BUCKET_ENVIRONMENT, AWS_ACCESS_KEY_ID: '' });
    expect((await refused).code).toBe(1); // Fails before anything is sent, so nothing is recorded.
    const site = join(folder, 'site');
    await answerOf(['export', site, '--out', out]);
    const { snapshot } = pointerOf(out);
    const delivery = { at: new Date().toISOString(), snapshot, epoch: '', number: 1 };
    DELIVERIES.recordSuccess(out, delivery, 'https://ada:pass-phrase@hooks.example/secret-path');
    expect(await status(out)).toMatchObject({ code: 0 });
    const at = '2026-01-01T00:00:00.000Z';
    PUBLISHES.recordFailure(out, at, 'It broke.', 's3://blog');
    PUBLISHES.recordFailure(out, '2026-01-02T00:00:00.000Z', 'It broke again.', 's3://blog');
    const failing = { what: 'publishing s3://blog', since: at, message: 'It broke again.' };
    expect(await status(out)).toMatchObject({ code: 1, problems: [failing] });
    const { stdout } = await offprintInProcess(['status', '--out', out]);
    expect(stdout).toMatch(/^failed +publishing s3:\/\/blog, for \d+ days .*: It broke again\.$/m);
    expect(stdout).toMatch(/^export +\S+site received this snapshot/m);
    expect(stdout).toMatch(/^webhook +hooks\.example received this snapshot/m);
    expect(JSON.stringify(await status(out))).not.toMatch(/pass-phrase|secret-path/);
    rmSync(site, { recursive: true });
    writeFileSync(site, '');
    expect((await offprintInProcess(['export', site, '--out', out])).code).toBe(1);
    expect((await status(out)).problems).toHaveLength(1); // What is no export concerns nobody.
  });

  test('an import that failed is no problem once its blog was imported by hand', async () => {
    const { db, out, folder } = await publishedBlog();
    const blog = join(folder, 'posts');
    const config = join(folder, 'offprint.json');
    writeFileSync(config, JSON.stringify({ import: [{ format: 'markdown', path: blog }] }));
    const importing = (...args: string[]) => offprintInProcess(['import', ...args, '--db', db, '--out', out]);
    expect((await importing('--config', config)).code).toBe(1);
    expect(await status(out)).toMatchObject({ code: 1, problems: [{ what: `importing markdown ${blog}` }] });
    mkdirSync(blog);
    writeFileSync(join(blog, 'a.md'), '---\ntitle: A\ndate: 2024-01-01\n---\nText\n');
    expect((await importing('markdown', blog, '--config', config)).code).toBe(0);
    expect(await status(out)).toMatchObject({ code: 0, problems: [] });
  });

  test('names the services that run here, and forgets their failures when a command has succeeded', async () => {
    const { db, out } = await publishedBlog();
    const text = async () => (await offprintInProcess(['status', '--out', out])).stdout;
    expect(await text()).toMatch(/^service +not running$/m);
    const service = new FaultRecord(out);
    service.recordUrl('http://127.0.0.1:8787');
    expect(await text()).toMatch(/^service +http:\/\/127\.0\.0\.1:8787, process \d+$/m);
    service.report('the build', 'It broke.');
    expect(await status(out)).toMatchObject({ code: 1, problems: [{ what: 'the build' }] });
    await answerOf(['build', '--db', db, '--out', out, '--force']);
    expect(await status(out)).toMatchObject({ code: 0, problems: [] });
    service.close();
  });

  test('reports a database that disappeared, as long as start runs', async () => {
    const { db, out, folder } = await publishedBlog();
    const config = join(folder, 'offprint.json');
    writeFileSync(config, '{"limits":{"minute":1000}}');
    const files = ['--db', db, '--out', out, '--config', config];
    const running = startOffprint(['start', ...files, '--port', '0', '--cron', '* * * * * *']);
    onTestFinished(async () => void (await running.end('SIGTERM')));
    await running.printed(/http:\/\/[\d.]+:\d+/);
    expect(await status(out)).toMatchObject({ code: 0, problems: [] });

    renameSync(db, `${db}.away`);
    const message = expect.stringContaining(`no database at ${db}`);
    await expect.poll(() => status(out)).toMatchObject({ code: 1, problems: [{ message }] });
    renameSync(`${db}.away`, db);
    await expect.poll(() => status(out)).toMatchObject({ code: 0, problems: [] });
  });
});

describe('results', () => {
  test('that cannot be written fail nothing, and are said once', async () => {
    const { db, out } = await publishedBlog();
    rmSync(join(out, 'state', 'results.db'));
    mkdirSync(join(out, 'state', 'results.db'));
    const first = await offprintInProcess(['build', '--db', db, '--out', out, '--force']);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toMatch(/^note: Results cannot be written to \S+results\.db \(.*\), so "status"/m);
    expect(first.stderr.match(/cannot be written/g)).toHaveLength(1);
    expect(await status(out)).toMatchObject({ code: 0 });
  });

  test.each([
    ['no database', (path: string) => writeFileSync(path, 'x'.repeat(9000))],
    ['a damaged page', (path: string) => writeFileSync(path, readFileSync(path).fill(7, 4096))],
  ])('in a file that is %s are put aside, and begin again', async (_, damage) => {
    const { db, out } = await publishedBlog();
    const path = join(out, 'state', 'results.db');
    damage(path);
    expect(await status(out)).toMatchObject({ code: 0 });
    const built = await offprintInProcess(['build', '--db', db, '--out', out, '--force']);
    expect(built).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('was damaged, and was renamed to'),
    });
    expect(existsSync(`${path}.damaged`)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await offprintInProcess(['status', '--out', out])).stdout).toContain('last build');
  });

  test('of several processes that write at once are all there', async () => {
    const out = temporaryFolder();
    const module = new URL('../../../cli/exports.ts', import.meta.url).href;
    const writer = (name: number) =>
      `const { EXPORTS } = await import('${module}');
       for (let i = 0; i < 20; i++) EXPORTS.recordFailure(${JSON.stringify(out)}, '2026', 'It broke.', '${name} ' + i);`;
    await Promise.all(
      [1, 2, 3].map((name) =>
        promisify(execFile)(process.execPath, ['--input-type=module', '-e', writer(name)]),
      ),
    );
    expect(readResults(out)).toHaveLength(60);
  });
});

describe('the faults of a service', () => {
  test('have the time when they were first seen, and go after a success', () => {
    const out = temporaryFolder();
    vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const record = new FaultRecord(out);
    record.report('counting', 'The disk is full.');
    vi.setSystemTime(new Date('2026-01-01T01:00:00Z'));
    record.report('counting', 'The disk is fuller.');
    const since = '2026-01-01T00:00:00.000Z';
    expect(readProblems(out)).toMatchObject([{ what: 'counting', since, message: 'The disk is fuller.' }]);
    record.clear('counting');
    expect(readProblems(out)).toEqual([]);
    record.report('counting', 'The disk is full.');
    record.close();
    expect(readResults(out)).toEqual([]);
  });

  test('are ignored once its process is gone, and removed by the next', () => {
    const out = temporaryFolder();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    new Results('service', isRecord).recordFailure(out, '2026', 'gone', `${pid} counting`);
    expect(readResults(out)).toHaveLength(1);
    expect(readProblems(out)).toEqual([]);
    new FaultRecord(out).close();
    expect(readResults(out)).toEqual([]);
  });

  test.skipIf(lacks('permission to mount', CAN_MOUNT))('are written also if the disk is full', () => {
    const { folder } = smallDisk(2 ** 20);
    const record = new FaultRecord(folder);
    record.recordUrl('http://127.0.0.1:1');
    expect(() => writeFileSync(join(folder, 'fill'), Buffer.alloc(2 ** 21))).toThrow('ENOSPC');
    record.report('counting', 'The disk is full.');
    expect(readProblems(folder)).toMatchObject([{ what: 'counting', message: 'The disk is full.' }]);
    record.clear('counting');
    expect(readProblems(folder)).toEqual([]);
  });

  test('last until counts can be written again and the snapshot is followed', async () => {
    const out = temporaryFolder();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const record = new FaultRecord(out);
    const emit = recordFaults(record);
    const failing = () => readProblems(out).map(({ what }) => what);
    emit({ kind: 'not counted', error: new Error('full') });
    emit({ kind: 'not switched', error: new Error('lost') });
    expect(failing()).toEqual(['counting', 'following the snapshot']);
    emit({ kind: 'followed' });
    let ready = false;
    const watching = watchCounts({ isReady: () => Promise.resolve(ready) }, record);
    onTestFinished(() => clearInterval(watching));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(failing()).toEqual(['counting']);
    ready = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(failing()).toEqual([]);
  });
});
