/**
 * The usage log on one machine: what is written, and what is read.
 */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEPT_DAYS, readUsage, UsageDatabase, UsageLog, usagePath } from '../../../cli/usage/usage-log.ts';
import { readTarget } from '../../../gateway/routes.ts';
import { type UsageKind, usageKind } from '../../../gateway/usage.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { read } from '../../docs/documents.ts';
import { usagePoint, usagePoints } from '../../../gateway/worker/usage-points.ts';

const DAY_MS = 86_400_000;
const DAY = 20_000;
const POSTS: UsageKind = { account: 'ada', key: 'opk_12345678', endpoint: 'posts', status: 200 };

let folder: string;
let path: string;
const logs: UsageLog[] = [];
/** Of these logs, in order. */
const events: ('failed' | 'recovered')[] = [];

beforeEach(() => {
  events.length = 0;
  folder = temporaryFolder();
  path = usagePath(folder);
});
afterEach(async () => {
  for (const log of logs.splice(0)) await log.close();
});

function open(now: () => number = () => DAY * DAY_MS) {
  const log = new UsageLog(new UsageDatabase(path), now, {
    onFailure: () => events.push('failed'),
    onRecovery: () => events.push('recovered'),
  });
  logs.push(log);
  return log;
}

function write(log: UsageLog): void {
  log.record(POSTS);
  log.flush();
}

describe('a usage log', () => {
  it('adds up equal entries, over several writers and restarts', async () => {
    const [one, other] = [open(), open()];
    one.record(POSTS);
    one.record(POSTS);
    other.record(POSTS);
    other.record({ ...POSTS, status: 304 });
    one.flush();
    other.flush();
    expect(readUsage(path, 0)).toEqual([
      { ...POSTS, day: DAY, requests: 3 },
      { ...POSTS, status: 304, day: DAY, requests: 1 },
    ]);
    await one.close();
    open().record(POSTS);
    await logs.at(-1)?.close();
    expect(readUsage(path, 0)[0]).toMatchObject({ requests: 4 });
  });

  it('counts by the day of the request, not of the write', () => {
    let now = DAY * DAY_MS - 1;
    const log = open(() => now);
    log.record(POSTS);
    now += 1;
    write(log);
    expect(readUsage(path, 0).map(({ day, requests }) => [day, requests])).toEqual([
      [DAY - 1, 1],
      [DAY, 1],
    ]);
  });

  it(`keeps ${KEPT_DAYS} days`, () => {
    let now = DAY * DAY_MS;
    const log = open(() => now);
    write(log);
    now += (KEPT_DAYS - 1) * DAY_MS;
    write(log);
    expect(readUsage(path, 0)).toHaveLength(2);
    now += DAY_MS;
    write(log);
    expect(readUsage(path, 0).map(({ day }) => day)).toEqual([DAY + KEPT_DAYS - 1, DAY + KEPT_DAYS]);
  });

  it('keeps entries while it cannot write, reports that once, and writes and says so later', () => {
    mkdirSync(join(folder, 'state'));
    writeFileSync(path, 'This is no database, though its name says so. '.repeat(100));
    const log = open();
    write(log);
    write(log);
    expect(events).toEqual(['failed']);
    rmSync(path);
    log.flush();
    expect(events).toEqual(['failed', 'recovered']);
    expect(readUsage(path, 0)).toEqual([{ ...POSTS, day: DAY, requests: 2 }]);
  });

  it('keeps the entries of thousands of callers, but no more than fit in memory', () => {
    mkdirSync(join(folder, 'state'));
    writeFileSync(path, 'This is no database, though its name says so. '.repeat(100));
    const log = open();
    for (let i = 0; i < 50_000; i++) log.record({ ...POSTS, key: `opk_${i}` });
    log.flush();
    rmSync(path);
    log.flush();
    const kept = readUsage(path, 0);
    expect(kept.length).toBeGreaterThan(5000);
    expect(kept.length).toBeLessThan(50_000);
    expect(kept.filter(({ requests }) => requests !== 1)).toEqual([]);
  });

  it('waits silently for another writer', () => {
    const log = open();
    write(log);
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    write(log);
    log.flush();
    other.exec('COMMIT');
    other.close();
    expect(readUsage(path, 0)[0]?.requests).toBe(1);
    log.flush();
    expect(readUsage(path, 0)[0]?.requests).toBe(2);
    expect(events).toEqual([]);
  });

  it('is empty without requests, and has only the requested days', () => {
    expect(readUsage(path, 0)).toEqual([]);
    open().record(POSTS);
    logs.at(-1)?.flush();
    expect(readUsage(path, DAY + 1)).toEqual([]);
  });

  it('can be read while another process writes it', () => {
    write(open());
    chmodSync(path, 0o444);
    expect(readUsage(path, 0)).toHaveLength(1);
  });
});

describe('a recorder of points', () => {
  it('writes one for each request, and a failure affects no request', () => {
    const written: unknown[] = [];
    const recorder = usagePoints({ writeDataPoint: (point) => void written.push(point) });
    recorder.record(POSTS);
    recorder.record(POSTS);
    expect(written).toEqual([usagePoint(POSTS), usagePoint(POSTS)]);
    const refusing = {
      writeDataPoint: () => {
        throw new Error('too many points');
      },
    };
    usagePoints(refusing).record(POSTS);
  });
});

describe('a request', () => {
  const address = { principal: { id: 'address:x', plan: 'address' }, key: null, refusal: null } as const;

  it('is known by its endpoint, not by its path', () => {
    const kindOf = (target: string, status: number) =>
      usageKind(address, readTarget(target).endpoint, status);
    expect(kindOf('/api/public/v1/posts/a-secret?q=another', 200)).toEqual({
      account: '',
      key: '',
      endpoint: 'post',
      status: 200,
    });
    expect(kindOf('/api/public/v1/posts?q=a/secret', 200)).toMatchObject({ endpoint: 'posts' });
    expect(kindOf('/api/public/v1/nothing', 404)).toMatchObject({ endpoint: 'other' });
    expect(kindOf('/api/public/v1', 200)).toMatchObject({ endpoint: 'overview' });
  });

  it('is a point of Analytics Engine with an index that fits', () => {
    expect(usagePoint(POSTS)).toEqual({ indexes: ['ada'], blobs: ['ada', 'opk_12345678', 'posts', '200'] });
    // The query in the Worker's configuration names these columns.
    expect(read('deploy/wrangler.jsonc').replaceAll(/[\s/]+/g, ' ')).toContain(
      'blob1 AS account, blob2 AS key, blob3 AS endpoint, blob4 AS status, SUM(_sample_interval)',
    );
    expect(usagePoint({ ...POSTS, account: '高'.repeat(33) }).indexes).toEqual(['opk_12345678']);
  });
});
