import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isBuildDue } from '../../../build/build.ts';
import { schedule } from '../../../build/schedule.ts';
import { PREFIX } from '../../../contract/api.ts';
import { send } from '../../service/client.ts';
import { insertPost } from '../../service/odd-blog.ts';
import type { RunningCommand } from '../../service/command.ts';
import { messagesOf, startOffprint } from '../offprint-process.ts';
import { filesIn, pointerOf } from '../output.ts';
import { readPlainly } from '../plain-sql.ts';
import { disagreements, readPublished } from '../published-blog.ts';
import { buildOptions, CONFIG, editing, publish, shortBlog } from '../publishing.ts';
import { temporaryFolder } from '../temporary-folder.ts';

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
      failed: () => undefined,
    });
    onTestFinished(() => job.stop());
    return { ticks, printed };
  }

  test('back goes on with the next minute that it shows', async () => {
    const { ticks } = ticking();
    await vi.advanceTimersByTimeAsync(60_000);
    vi.setSystemTime(Date.UTC(2026, 10, 5, 11, 0, 40));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(ticks).toEqual(['05T12:01:00', '05T11:01:00', '05T11:02:00']);
  });

  test('forward makes up for one tick, and prints nothing', async () => {
    const { ticks, printed } = ticking();
    await vi.advanceTimersByTimeAsync(60_000);
    vi.setSystemTime(Date.UTC(2026, 10, 6, 13, 0, 30));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ticks).toEqual(['05T12:01:00', '06T13:00:31', '06T13:01:00']);
    expect(printed).not.toHaveBeenCalled();
  });

  test('by the end of summer time leaves out no minute: the times are in UTC', async () => {
    const { ticks } = ticking(Date.UTC(2026, 9, 24, 23, 58, 30));
    await vi.advanceTimersByTimeAsync(180_000);
    expect(ticks).toEqual(['24T23:59:00', '25T00:00:00', '25T00:01:00']);
  });
});

describe('a scheduled post', () => {
  test('appears at its time, without an edit, and not a second earlier', async () => {
    const { db, out } = blog(20);
    const due = Date.UTC(2026, 10, 5, 12, 30, 15);
    editing(db, (db) => {
      insertPost(db, { slug: 'soon', status: 'scheduled', publishedAt: '2026-11-05T14:30:15+02:00' });
      insertPost(db, { slug: 'also-soon', status: 'published', publishedAt: '2026-11-05T12:30:16Z' });
    });
    const slugsAt = builderAt(db, out);
    const { posts } = await slugsAt(due - 86_400_000);
    expect(await slugsAt(due - 1)).toEqual({ isDue: false, posts });
    expect(await slugsAt(due)).toEqual({ isDue: true, posts: posts + 1 });
    expect(await slugsAt(due + 999)).toEqual({ isDue: false, posts: posts + 1 });
    expect(await slugsAt(due + 1000)).toEqual({ isDue: true, posts: posts + 2 });
    expect(await slugsAt(due + 10 ** 10)).toEqual({ isDue: false, posts: posts + 2 });
  });
});

describe('a post that expires', () => {
  test('disappears at its time, without an edit, and not a second earlier', async () => {
    const { db, out } = blog(20);
    const end = Date.UTC(2026, 10, 5, 12, 30, 15);
    editing(db, (db) => {
      insertPost(db, { slug: 'offer', status: 'published', publishedAt: '2026-01-01T00:00:00Z' });
      insertPost(db, { slug: 'brief', status: 'scheduled', publishedAt: '2026-11-05T12:30:10Z' });
      db.exec("UPDATE posts SET expires_at = '2026-11-05T14:30:15+02:00' WHERE slug = 'offer'");
      db.exec("UPDATE posts SET expires_at = '2026-11-05T12:30:16Z' WHERE slug = 'brief'");
    });
    const slugsAt = builderAt(db, out);
    const { posts } = await slugsAt(end - 86_400_000);
    expect(await slugsAt(end - 5001)).toEqual({ isDue: false, posts });
    expect(await slugsAt(end - 5000)).toEqual({ isDue: true, posts: posts + 1 });
    expect(await slugsAt(end - 1)).toEqual({ isDue: false, posts: posts + 1 });
    expect(await slugsAt(end)).toEqual({ isDue: true, posts });
    expect(await slugsAt(end + 999)).toEqual({ isDue: false, posts });
    expect(await slugsAt(end + 1000)).toEqual({ isDue: true, posts: posts - 1 });
    expect(await slugsAt(end + 10 ** 10)).toEqual({ isDue: false, posts: posts - 1 });
  });

  test('is never shown if it is published and expires between two builds', async () => {
    const { db, out } = blog(20);
    editing(db, (db) => {
      insertPost(db, { slug: 'brief', status: 'scheduled', publishedAt: '2026-11-05T12:30:10Z' });
      db.exec("UPDATE posts SET expires_at = '2026-11-05T12:30:16Z' WHERE slug = 'brief'");
    });
    const slugsAt = builderAt(db, out);
    const { posts } = await slugsAt(Date.UTC(2026, 10, 5));
    expect(await slugsAt(Date.UTC(2026, 10, 6))).toEqual({ isDue: true, posts });
    expect(await slugsAt(Date.UTC(2026, 10, 7))).toEqual({ isDue: false, posts });
  });
});

describe('offprint start --cron', () => {
  test('follows edits and the clock, reports a failure once, retries, and stops on a signal', async () => {
    const { db, out, config } = blog(30);
    const args = ['start', '--db', db, '--out', out, '--config', config, '--port', '0'];
    const running = startOffprint([...args, '--cron', '* * * * * *']);
    onTestFinished(() => void running.child.kill('SIGKILL'));
    await running.printed(/http:\/\/[\d.]+:\d+/);
    const url = /http:\/\/[\d.]+:\d+/.exec(running.stdout)?.[0] ?? '';
    const titleOf = async (slug: string) => {
      const { status, json } = await send(url, { path: `${PREFIX}/posts/${slug}` });
      return status === 200 ? (json as { data: { title: string } }).data.title : status;
    };

    editing(db, (db) => insertPost(db, { slug: 'edited', title: 'As it is now' }));
    await until(running, async () => (await titleOf('edited')) === 'As it is now');

    const moment = new Date(Date.now() + 4000);
    editing(db, (db) => {
      insertPost(db, {
        slug: 'soon',
        status: 'scheduled',
        publishedAt: `${moment.toISOString().slice(0, 19)}Z`,
      });
      db.prepare("UPDATE posts SET title = 'With a plan' WHERE slug = 'edited'").run();
    });
    await until(running, async () => (await titleOf('edited')) === 'With a plan');
    if (Date.now() < moment.getTime() - 1000) expect(await titleOf('soon')).toBe(404);
    await until(running, async () => (await titleOf('soon')) !== 404);

    editing(db, (db) =>
      db.exec("UPDATE posts SET status = 'draft' WHERE id > 5 AND slug NOT IN ('edited', 'soon')"),
    );
    await until(running, () => /not published/.test(running.stderr));
    await delay(3000); // A few more ticks.
    expect(messagesOf(running.stderr)).toEqual([
      expect.stringMatching(/^\S+ \S+Z not published: This build .*--force.*\.$/),
    ]);
    expect(await titleOf('edited')).toBe('With a plan');

    editing(db, (db) =>
      db.exec(
        "UPDATE posts SET status = 'published', published_at = '2024-01-01T00:00:00Z', title = 'Mended'",
      ),
    );
    await until(running, async () => (await titleOf('edited')) === 'Mended');

    running.child.kill('SIGINT');
    expect(await running.ended, running.stderr).toBe(0);
  });

  test('stops at once during a build, and leaves the published blog complete', async () => {
    const { db, out, config } = blog(300);
    const args = ['start', '--db', db, '--out', out, '--config', config, '--port', '0'];
    const running = startOffprint([...args, '--cron', '* * * * * *']);
    onTestFinished(() => void running.child.kill('SIGKILL'));
    await running.printed(/http:\/\/[\d.]+:\d+/);
    const files = filesIn(out).length;
    editing(db, (db) => db.exec("UPDATE posts SET title = title || '!'"));
    while (filesIn(out).length < files + 20) await delay(5); // Now the build is writing.
    running.child.kill('SIGINT');
    expect(await running.ended, running.stderr).toBe(0);
    expect(messagesOf(running.stderr)).toEqual([]);
    const fresh = `${out}-fresh`;
    await publish(db, out, { now: new Date() });
    await publish(db, fresh, { now: new Date() });
    expect(disagreements(readPublished(out), readPublished(fresh))).toEqual([]);
  });
});

/** Builds at a time in Unix milliseconds, and returns whether a build was due. */
function builderAt(db: string, out: string) {
  return async (time: number) => {
    const now = new Date(time);
    const options = buildOptions(db, out, { now });
    const isDue = isBuildDue(options);
    await publish(db, out, { now });
    expect(isBuildDue(options)).toBe(false);
    expect(disagreements(readPublished(out), readPlainly(db, now))).toEqual([]);
    return { isDue, posts: pointerOf(out).posts };
  };
}

function blog(posts: number) {
  const folder = temporaryFolder();
  const [db, out, config] = [join(folder, 'blog.db'), join(folder, 'out'), join(folder, 'offprint.json')];
  writeFileSync(config, CONFIG);
  shortBlog(db, posts, 16);
  return { db, out, config };
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
