/**
 * `status` exits with 0, 1 or 3, and includes what only a running service knows.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FaultRecord, readFaults } from '../../cli/faults.ts';
import { recordingReporter } from '../../cli/serve-reporter.ts';
import { watchCounts } from '../../cli/service.ts';
import { startOffprint } from '../build/offprint-process.ts';
import { moment } from '../../cli/terminal.ts';
import { offprintInProcess } from '../service/in-process.ts';
import { publish, shortBlog } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { CAN_MOUNT, smallDisk } from '../build/tmpfs.ts';
import { BUCKET_ENVIRONMENT } from '../service/bucket-credentials.ts';
import { lacks } from '../lacks.ts';

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
  const folder = temporaryFolder();
  const [db, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(db, 5, 1);
  await publish(db, out, { now: new Date() });
  return { folder, db, out };
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
    expect(first).toMatchObject({ code: 1, problems: [{ what: 'the last build' }] });
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

  test('exits with 1 after a failed publish', async () => {
    const { out } = await publishedBlog();
    const args = ['publish', '--out', out, '--to', 's3://blog', '--endpoint', 'http://127.0.0.1:1'];
    const retries = offprintInProcess(args, { ...BUCKET_ENVIRONMENT, AWS_ACCESS_KEY_ID: '' });
    expect((await retries).code).toBe(1); // Fails before anything is sent, so nothing is recorded.
    expect(await status(out)).toMatchObject({ code: 0 });
    const at = '2026-01-01T00:00:00.000Z';
    const failure = { at: '2026-01-02T00:00:00.000Z', since: at, message: 'It broke.' };
    const record = { 's3://blog': { endpoint: 'http://127.0.0.1:1', success: null, failure } };
    writeFileSync(join(out, 'state', 'last-publish.json'), JSON.stringify(record));
    expect(await status(out)).toMatchObject({
      ...{ code: 1, problems: [{ what: 'publishing to s3://blog', since: at, message: 'It broke.' }] },
    });
  });

  test('reports a database that disappeared, as long as start runs', async () => {
    const { db, out, folder } = await publishedBlog();
    const config = join(folder, 'offprint.json');
    writeFileSync(config, '{"limits":{"minute":1000}}');
    const args = [
      'start',
      '--db',
      db,
      '--out',
      out,
      '--config',
      config,
      '--port',
      '0',
      '--cron',
      '* * * * * *',
    ];
    const running = startOffprint(args);
    onTestFinished(() => void running.child.kill('SIGKILL'));
    await running.printed(/http:\/\/[\d.]+:\d+/);
    expect(await status(out)).toMatchObject({ code: 0, problems: [] });

    const vanish = async () => {
      renameSync(db, `${db}.away`);
      await expect
        .poll(() => status(out))
        .toMatchObject({
          code: 1,
          problems: [{ message: expect.stringContaining(`no database at ${db}`) }],
        });
    };
    await vanish();
    renameSync(`${db}.away`, db);
    await expect.poll(() => status(out)).toMatchObject({ code: 0, problems: [] });

    await vanish();
    running.child.kill('SIGKILL');
    await running.ended;
    renameSync(`${db}.away`, db);
    expect(await status(out)).toMatchObject({ code: 0, problems: [] });
  });
});

describe('the record of a service', () => {
  test('stores when a fault was first seen, and removes it after a success', () => {
    const out = temporaryFolder();
    vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const record = new FaultRecord(out);
    record.report('counting', 'The disk is full.');
    vi.setSystemTime(new Date('2026-01-01T01:00:00Z'));
    record.report('counting', 'The disk is full.');
    const [since, last] = ['2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z'];
    expect(readFaults(out)).toEqual([{ what: 'counting', since, last, message: 'The disk is full.' }]);
    record.clear('counting');
    expect(readFaults(out)).toEqual([]);
    record.close();
    expect(readdirSync(join(out, 'state', 'faults'))).toEqual([]);
  });

  test('is ignored once its process is gone, and removed by the next', async () => {
    const out = temporaryFolder();
    new FaultRecord(out).close();
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const fault = { what: 'counting', since: '', last: '', message: 'gone' };
    const path = join(out, 'state', 'faults', `${child.pid}.json`);
    writeFileSync(path, JSON.stringify([fault]));
    expect(readFaults(out)).toEqual([]);
    new FaultRecord(out).close();
    expect(existsSync(path)).toBe(false);
  });

  test.skipIf(lacks('permission to mount', CAN_MOUNT))('is written also if the disk is full', () => {
    const { folder } = smallDisk(2 ** 20);
    const record = new FaultRecord(folder);
    expect(() => writeFileSync(join(folder, 'fill'), Buffer.alloc(2 ** 21))).toThrow('ENOSPC');
    record.report('counting', 'The disk is full.');
    expect(readFaults(folder)).toMatchObject([{ what: 'counting', message: 'The disk is full.' }]);
    record.clear('counting');
    expect(readFaults(folder)).toEqual([]);
  });

  test("has the gateway's faults, until counts can be written again and the snapshot is followed", async () => {
    const out = temporaryFolder();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const record = new FaultRecord(out);
    const nothing = () => undefined;
    const told: unknown[] = [];
    const reporter = recordingReporter(
      {
        ...{
          failed: nothing,
          unexpected: nothing,
          crowded: nothing,
          switched: nothing,
          countsRestored: nothing,
          countsNotRestored: nothing,
        },
        notCounted: (error) => told.push(error),
        notSwitched: (error) => told.push(error),
      },
      record,
    );
    reporter.notCounted(new Error('full'));
    reporter.notSwitched(new Error('lost'));
    expect(told).toHaveLength(2);
    expect(readFaults(out).map(({ what }) => what)).toEqual(['counting', 'following the snapshot']);
    reporter.followed?.();
    let ready = false;
    const watching = watchCounts({ isReady: () => Promise.resolve(ready) }, record);
    onTestFinished(() => clearInterval(watching));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(readFaults(out).map(({ what }) => what)).toEqual(['counting']);
    ready = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(readFaults(out)).toEqual([]);
  });
});
