import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isBuildDue } from '../../../build/build.ts';
import { schedule } from '../../../build/schedule.ts';
import { PREFIX } from '../../../contract/api.ts';
import { send } from '../../service/client.ts';
import { freePort } from '../../service/free-port.ts';
import { insertPost } from '../../service/odd-blog.ts';
import type { RunningCommand } from '../../service/command.ts';
import { messagesOf, startOffprint } from '../offprint-process.ts';
import { pointerOf } from '../output.ts';
import { readPlainly } from '../plain-sql.ts';
import { disagreements, readPublished } from '../published-blog.ts';
import { buildOptions, CONFIG, editing, publish, shortBlog } from '../publishing.ts';
import { blogPaths } from '../temporary-folder.ts';

describe('a clock that is set', () => {
  // Before the first schedule: node-cron keeps the zone.
  beforeAll(() => void vi.stubEnv('TZ', 'Europe/Vienna'));
  afterAll(() => void vi.unstubAllEnvs());

  /** Ticks of a job that runs every minute, from 12:00:30 on. */
  function ticking(now = Date.UTC(2026, 10, 5, 12, 0, 30)) {
    vi.useFakeTimers({ now });
    onTestFinished(() => void vi.useRealTimers());
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => printed.mockRestore());
    const ticks: string[] = [];
    const job = schedule('* * * * *', {
      isDue() {
        ticks.push(new Date().toISOString().slice(8, 19));
        return false;
      },
      run: () => Promise.resolve(),
      onFailure: () => undefined,
    });
    onTestFinished(() => job.stop());
    return { ticks, printed };
  }

  const at = (day: number, hour: number, minute: number, second: number) =>
    Date.UTC(2026, 10, day, hour, minute, second);

  test.each([
    ['back goes on with the next minute that it shows', at(5, 11, 0, 40), ['05T11:01:00', '05T11:02:00']],
    [
      'forward makes up for one tick, and prints nothing',
      at(6, 12, 59, 30),
      ['06T12:59:31', '06T13:00:00', '06T13:01:00'],
    ],
  ])('%s', async (_, set, expected) => {
    const { ticks, printed } = ticking();
    await vi.advanceTimersByTimeAsync(60_000);
    vi.setSystemTime(set);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(ticks).toEqual(['05T12:01:00', ...expected]);
    expect(printed).not.toHaveBeenCalled();
  });

  test('by the end of summer time leaves out no minute: the times are in UTC', async () => {
    const { ticks } = ticking(Date.UTC(2026, 9, 24, 23, 58, 30));
    await vi.advanceTimersByTimeAsync(180_000);
    expect(ticks).toEqual(['24T23:59:00', '25T00:00:00', '25T00:01:00']);
  });
});

test('a tick during a run is made up for after it, once, and times of the schedule are not', async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 5, 12, 0, 30) });
  onTestFinished(() => void vi.useRealTimers());
  const ends: (() => void)[] = [];
  const job = schedule('* * * * *', {
    isDue: () => true,
    run: () => new Promise((resolve) => ends.push(resolve)),
    onFailure: () => undefined,
  });
  onTestFinished(() => job.stop());
  void job.tick();
  await vi.advanceTimersByTimeAsync(180_000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(1);

  void job.tick();
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(2);
  for (let time = 0; time < 3; time++) void job.tick();
  ends[1]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(3);
  ends[2]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(3);
});

/** Milliseconds after 2026-11-05T12:30:10Z, whether a build is due then, and how many posts there are more than at first. */
type Moment = readonly [after: number, isDue: boolean, more: number];
const DAY = 86_400_000;

test.each<[string, string, readonly Moment[]]>([
  [
    'a scheduled post appears at its time, and not a second earlier',
    `('soon', 'scheduled', '2026-11-05T14:30:10+02:00', NULL), ('also-soon', 'published', '2026-11-05T12:30:11Z', NULL)`,
    [
      [-1, false, 0],
      [0, true, 1],
      [999, false, 1],
      [1000, true, 2],
      [10 ** 10, false, 2],
    ],
  ],
  [
    'a post that expires disappears at its time, and not a second earlier',
    `('offer', 'published', '2026-01-01T00:00:00Z', '2026-11-05T14:30:15+02:00'),
     ('brief', 'scheduled', '2026-11-05T12:30:10Z', '2026-11-05T12:30:16Z')`,
    [
      [-1, false, 0],
      [0, true, 1],
      [4999, false, 1],
      [5000, true, 0],
      [5999, false, 0],
      [6000, true, -1],
      [10 ** 10, false, -1],
    ],
  ],
  [
    'a post that is published and expires between two builds is never shown',
    `('brief', 'scheduled', '2026-11-05T12:30:10Z', '2026-11-05T12:30:16Z')`,
    [
      [DAY, true, 0],
      [2 * DAY, false, 0],
    ],
  ],
])('without an edit, %s', async (_, rows, moments) => {
  const { db, out } = blog(20);
  editing(db, (db) =>
    db.exec(
      `INSERT INTO posts (slug, title, status, published_at, expires_at)
       SELECT column1, 'Timed', column2, column3, column4 FROM (VALUES ${rows})`,
    ),
  );
  const buildAt = async (after: number) => {
    const now = new Date(Date.UTC(2026, 10, 5, 12, 30, 10) + after);
    const options = buildOptions(db, out, { now });
    const isDue = isBuildDue(options);
    await publish(db, out, { now });
    expect(isBuildDue(options)).toBe(false);
    expect(disagreements(readPublished(out), readPlainly(db, now))).toEqual([]);
    return { isDue, posts: pointerOf(out).posts };
  };
  const { posts } = await buildAt(-DAY);
  for (const [after, isDue, more] of moments)
    expect(await buildAt(after), `after ${after} ms`).toEqual({ isDue, posts: posts + more });
});

describe('offprint start --cron', () => {
  test('follows edits and the clock, reports a failure once, retries, and stops on a signal', async () => {
    const { db, running, admin, set } = await startedBlog(30);
    const url = /http:\/\/[\d.]+:\d+/.exec(running.stdout)?.[0] ?? '';
    const titleOf = async (slug: string) => {
      const { status, json } = await send(url, { path: `${PREFIX}/posts/${slug}` });
      return status === 200 ? (json as { data: { title: string } }).data.title : status;
    };

    editing(db, (db) => insertPost(db, { slug: 'edited', title: 'As it is now' }));
    await until(running, async () => (await titleOf('edited')) === 'As it is now');

    const moment = new Date(Date.now() + HOUR_MS / 2);
    editing(db, (db) => {
      insertPost(db, {
        slug: 'soon',
        status: 'scheduled',
        publishedAt: `${moment.toISOString().slice(0, 19)}Z`,
      });
      db.prepare("UPDATE posts SET title = 'With a plan' WHERE slug = 'edited'").run();
    });
    await until(running, async () => (await titleOf('edited')) === 'With a plan');
    expect(await titleOf('soon')).toBe(404);
    set('later');
    await until(running, async () => (await titleOf('soon')) !== 404);

    editing(db, (db) =>
      db.exec("UPDATE posts SET status = 'draft' WHERE id > 5 AND slug NOT IN ('edited', 'soon')"),
    );
    await until(running, () => /not published/.test(running.stderr));
    await until(running, async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
      return /task_runs_total\{task="build",result="failed"\} [3-9]/.test(metrics);
    });
    expect(messagesOf(running.stderr)).toEqual([
      expect.stringMatching(/^\S+ \S+Z not published: This build .*--force.*\.$/),
    ]);
    expect(await titleOf('edited')).toBe('With a plan');

    editing(db, (db) =>
      db.exec(
        "UPDATE posts SET status = 'published', published_at = '2024-01-01T00:00:00Z', title = 'Repaired'",
      ),
    );
    await until(running, async () => (await titleOf('edited')) === 'Repaired');

    running.child.kill('SIGINT');
    expect(await running.ended, running.stderr).toBe(0);
  });

  test('stops at once during a build, and leaves the published blog complete', async () => {
    const { db, out, running, set } = await startedBlog(300);
    const { snapshot } = pointerOf(out);
    const isHeld = set('hold');
    editing(db, (db) => db.exec("UPDATE posts SET title = title || '!'"));
    await until(running, isHeld);
    running.child.kill('SIGINT');
    expect(await running.ended, running.stderr).toBe(0);
    expect(messagesOf(running.stderr)).toEqual([]);
    expect(pointerOf(out).snapshot).toBe(snapshot);
    const fresh = `${out}-fresh`;
    await publish(db, out, { now: new Date() });
    await publish(db, fresh, { now: new Date() });
    expect(disagreements(readPublished(out), readPublished(fresh))).toEqual([]);
  });
});

function blog(posts: number) {
  const { folder, db, out } = blogPaths();
  shortBlog(db, posts, 16);
  return { folder, db, out };
}

const HOUR_MS = 3_600_000;

/**
 * Preloaded by the service and its builds: once the file `later` exists, their clock is an hour ahead; while `hold` exists, a
 * build stands still before its hundredth rename, and says so there.
 */
const PRELOAD = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const [later, hold] = ['later', 'hold'].map((name) => import.meta.dirname + '/' + name);
  const { renameSync } = fs;
  const { now } = Date;
  globalThis.Date = class extends Date {
    constructor(...time) { super(...(time.length > 0 ? time : [Date.now()])); }
    static now() { return now() + (fs.existsSync(later) ? ${HOUR_MS} : 0); }
  };
  let renames = 0;
  fs.renameSync = (from, to) => {
    renames += 1;
    if (renames === 100 && fs.existsSync(hold)) {
      fs.writeFileSync(hold, 'held');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    renameSync(from, to);
  };
  syncBuiltinESMExports();`;

/** A blog with a service that looks for changes every second. */
async function startedBlog(posts: number) {
  const { folder, db, out } = blog(posts);
  const config = join(folder, 'offprint.json');
  writeFileSync(config, CONFIG);
  const admin = await freePort();
  const args = ['start', '--db', db, '--out', out, '--config', config, '--port', '0'];
  const preload = join(folder, 'preload.mjs');
  writeFileSync(preload, PRELOAD);
  const running = startOffprint([...args, '--admin', String(admin), '--cron', '* * * * * *'], {
    env: { NODE_OPTIONS: `--import=${preload}` },
  });
  onTestFinished(async () => void (await running.end('SIGTERM')));
  await running.printed(/http:\/\/[\d.]+:\d+/);
  /** Creates one of PRELOAD's files. @returns whether a build has written to it */
  const set = (name: 'later' | 'hold') => {
    writeFileSync(join(folder, name), '');
    return () => readFileSync(join(folder, name), 'utf8') !== '';
  };
  return { db, out, running, admin, set };
}

/** Waits for an effect of the schedule. */
async function until(running: RunningCommand, isSo: () => boolean | Promise<boolean>): Promise<void> {
  let hasEnded = false;
  void running.ended.then(() => (hasEnded = true));
  while (!(await isSo())) {
    if (hasEnded) throw new Error(`It ended.\n${running.stdout}${running.stderr}`);
    await delay(200);
  }
}
