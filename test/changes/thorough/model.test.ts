/**
 * Copies that follow a blog, against random publishes, rollbacks and prunes, with gateways that lag behind: at the end of
 * each walk or feed a copy equals the snapshot of the last page, and no page shows what its snapshot does not have.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFailed, onTestFinished, test, vi } from 'vitest';
import { Random } from '../../../bench/generate/random.ts';
import { prune } from '../../../build/history/prune.ts';
import { FolderStorage } from '../../../build/history/folder-storage.ts';
import { release, rollBack } from '../../../build/history/rollback.ts';
import { verify } from '../../../build/history/verify.ts';
import { BucketStorage } from '../../../build/publish/bucket-storage.ts';
import { objectPath } from '../../../contract/object-name.ts';
import { readCursor, writeCursor } from '../../../gateway/changes/tokens.ts';
import type { SnapshotStore } from '../../../gateway/home.ts';
import { EditedBlog } from '../../build/edits.ts';
import { pointerOf } from '../../build/output.ts';
import { editing, NOW, publish, shortBlog } from '../../build/publishing.ts';
import { blogPaths } from '../../build/temporary-folder.ts';
import { snapshotsIn, startMemoryStore } from '../../publish/memory-store.ts';
import { inBucket, publishTo } from '../../publish/publishing.ts';
import { cases, SEED } from '../../random-cases.ts';
import { type Article, articleOf, changes, Copy, type Reply } from '../copy.ts';
import { gatewayOf, type Service, sorted } from '../service.ts';

const COPIES = 4;
const GATEWAYS = 3;
const DAY_MS = 86_400_000;

/** Where gateways read from. */
interface Place {
  readonly from: string | SnapshotStore;
  /** Follows the output, and removes what no kept snapshot names. */
  follow(isPruned: boolean): Promise<void>;
}

/** The output folder itself, as on one machine. */
async function folderPlace(out: string): Promise<Place> {
  return {
    from: out,
    follow: async (isPruned) => void (isPruned && (await prune(new FolderStorage(out), 0))),
  };
}

/** A bucket, which isolates read: each keeps the pointer for five seconds. */
async function bucketPlace(out: string): Promise<Place> {
  const store = await startMemoryStore();
  onTestFinished(() => store.close());
  const to = `s3://${store.bucket}/blog`;
  return {
    from: snapshotsIn(store, 'blog'),
    async follow(isPruned) {
      // A gateway on the folder would have seen a rollback: the bucket gets the snapshot that the output serves.
      await publishTo(store.endpoint, to, out, { force: true, withdrawing: true });
      if (isPruned) await inBucket(store.endpoint, to, (bucket) => prune(new BucketStorage(bucket, out), 0));
    },
  };
}

afterEach(() => void vi.useRealTimers());

describe(`seed ${SEED}: a copy that follows the blog`, () => {
  /** Which kinds of pages came up. The steps that are the same in each run have all of them. */
  const seen = new Set<string>();

  test.each([
    { home: 'one machine', place: folderPlace, posts: 12, steps: 200, seed: 1 },
    { home: 'one machine', place: folderPlace, posts: 120, steps: 100, seed: SEED },
    { home: 'isolates', place: bucketPlace, posts: 12, steps: 150, seed: SEED },
    { home: 'isolates', place: bucketPlace, posts: 120, steps: 80, seed: SEED },
  ])('equals the snapshot of its last page: $home, $posts posts', async ({ place, posts, steps, seed }) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { db: path, out } = blogPaths();
    const random = new Random(seed, posts);
    shortBlog(path, posts, seed);
    const blog = new EditedBlog(path, random);
    onTestFinished(() => void blog.db.close());
    const log: string[] = [];
    onTestFailed(() =>
      console.error(`OFFPRINT_TEST_SEED=${SEED}, ${posts} posts:\n  ${log.slice(-30).join('\n  ')}`),
    );

    let time = NOW;
    await publish(path, out, { now: time, force: true });
    const { from, follow } = await place(out);
    await follow(false);
    /** Published articles, oldest first, by snapshot. */
    const blogAt = new Map<string, readonly Article[]>();
    const noteBlog = async () => {
      const { snapshot } = pointerOf(out);
      if (!blogAt.has(snapshot)) blogAt.set(snapshot, await (await gatewayOf(from)).everything());
    };
    await noteBlog();
    const services: Service[] = [];
    for (let i = 0; i < GATEWAYS; i++) services.push(await gatewayOf(from));
    const copies = Array.from({ length: COPIES }, () => new Copy());
    const cursors: string[] = [];
    const faults: unknown[] = [];

    /** A gateway at random. Those on one machine follow within a second, isolates within five. */
    const gateway = async () => {
      vi.setSystemTime(Date.now() + random.below(1200));
      const index = random.below(GATEWAYS);
      if (random.chance(0.05)) services[index] = await gatewayOf(from);
      const service = services[index];
      if (!service) throw new Error('There is no such gateway.');
      if (typeof from === 'string' && random.chance(0.4)) await service.refresh();
      faults.push(...service.faults);
      return service;
    };
    /** No page has an article that its snapshot does not have. */
    const expectPresent = ({ snapshot, body }: Reply) => {
      const then = new Map(blogAt.get(snapshot)?.map((article) => [article.slug, article]));
      for (const article of changes.parse(body).data.items.map(articleOf)) {
        expect(article, snapshot).toEqual(then.get(article.slug));
      }
    };

    for (let step = 0; step < cases(steps); step++) {
      const number = random.below(COPIES);
      // Sometimes a new copy starts.
      if (copies[number]?.isWalking === false && random.chance(0.2)) copies[number] = new Copy();
      const copy = copies[number];
      if (!copy) throw new Error('There is no such copy.');
      const what = random.below(100);
      if (what < 30) {
        const edits = Array.from({ length: random.between(1, 3) }, () => blog.edit());
        // Time passes, so scheduled posts are published.
        if (random.chance(0.3)) time = new Date(time.getTime() + random.below(20 * DAY_MS));
        const { previous, held } = pointerOf(out);
        if (random.chance(0.1) && previous.length > 0) {
          await rollBack(new FolderStorage(out, { now: () => time }), random.pick(previous).snapshot);
        } else {
          if (held) await release(new FolderStorage(out));
          await publish(path, out, { now: time, force: true });
        }
        await follow(random.chance(0.3));
        await noteBlog();
        log.push(`${step}: ${pointerOf(out).snapshot}, ${edits.join(', ')}`);
      } else if (what < 40 && cursors.length > 0) {
        const forged = forge(random, random.pick(cursors));
        const reply = await (await gateway()).ask('/changes', { cursor: forged, per_page: '20' });
        log.push(`${step}: forged ${forged}, ${reply.status}`);
        expect([200, 400]).toContain(reply.status);
        if (reply.status === 200) expectPresent(reply);
        seen.add(`forged ${reply.status}`);
      } else {
        const isPatient = random.chance(0.4);
        do {
          const wasWalking = copy.isWalking;
          const page = await copy.step(random.pick([1, 3, 20, 50]), async (query) => {
            const reply = await (await gateway()).ask('/changes', query);
            if (reply.status === 200) expectPresent(reply);
            return reply;
          });
          const { snapshot, whole, cursor, items, hasBegunAgain } = page;
          log.push(`${step}: copy ${number}, ${JSON.stringify({ ...page, items: items.length })}`);
          if (cursor !== null) cursors.push(cursor);
          if (hasBegunAgain) seen.add('begun again');
          if (snapshot !== pointerOf(out).snapshot) seen.add('behind');
          if (wasWalking && cursor !== null && 'number' in readCursor(cursor).after) seen.add('both phases');
          if (cursor !== null) continue;
          seen.add(whole ? 'whole walk' : 'changes');
          expect(sorted(copy.articles.values())).toEqual(sorted(blogAt.get(snapshot) ?? []));
        } while (isPatient && copy.isWalking);
      }
    }
    expect(faults).toEqual([]);
  });

  test('has seen every kind of page', () => {
    const kinds = ['whole walk', 'changes', 'behind', 'both phases', 'forged 200', 'forged 400'];
    expect([...seen]).toEqual(expect.arrayContaining(kinds));
  });
});

/** A cursor like one that was given, with other numbers, places or phases. */
function forge(random: Random, cursor: string): string {
  const { epoch, began, shown, isFull, after } = readCursor(cursor);
  const other = (value: number) => (random.chance(0.5) ? value : Math.max(0, value + random.between(-9, 9)));
  const slug = random.chance(0.5) ? after.slug : '';
  return writeCursor({
    epoch: random.chance(0.9) ? epoch : 'another',
    began: other(began),
    shown: other(shown),
    isFull: random.chance(0.8) === isFull,
    after: random.chance(0.5)
      ? { number: other(began), slug }
      : { time: random.pick([0, 1.7e9]), slug, position: random.below(150) },
  });
}

describe('a walk through the blog', () => {
  /** A walk whose first page is read, before articles of later pages are edited. */
  async function startedWalk(posts = 12) {
    const { db: path, out } = blogPaths();
    shortBlog(path, posts, 3);
    await publish(path, out);
    const service = await gatewayOf(out);
    const ask = (query: Record<string, string>) => service.ask('/changes', { per_page: '1', ...query });
    const page = async (query: Record<string, string>) => changes.parse((await ask(query)).body).data;
    const before = await service.everything();
    const first = await page({});
    const edit = async (sql: string, options = {}) => {
      editing(path, (db) => db.exec(sql));
      await publish(path, out, { force: true, ...options });
      await service.refresh();
    };
    const second = () => ask({ cursor: first.cursor ?? '' });
    return { out, edit, before, service, first, ask, page, second };
  }

  const START_AGAIN = { success: false, message: expect.stringMatching(/Start again without a cursor\.$/) };

  test('never shows a withdrawn article, and reports it as removed', async () => {
    const { out, edit, before, first, page } = await startedWalk();
    const slug = before[0]?.slug ?? '';
    await edit(`DELETE FROM posts WHERE slug = '${slug}'`, { withdrawing: true });
    await prune(new FolderStorage(out), 0);
    const shown: string[] = [];
    const removed: string[] = [];
    for (let { cursor } = first; cursor !== null;) {
      const next = await page({ cursor });
      shown.push(...next.items.map((item) => item.slug));
      removed.push(...next.removed);
      ({ cursor } = next);
    }
    expect(shown).toEqual(before.slice(1).map((article) => article.slug));
    expect(removed).toEqual([slug]);
  });

  test('goes on after a rollback to its snapshot, whose earlier record of changes was pruned', async () => {
    const { out, edit, first } = await startedWalk();
    await edit("UPDATE posts SET title = 'Changed' WHERE id = 3");
    const { snapshot } = pointerOf(out);
    const late = await gatewayOf(out);
    const next = async (cursor: string | null) =>
      changes.parse((await late.ask('/changes', { cursor: cursor ?? '', per_page: '50' })).body).data;
    // All articles are shown: what follows is read from the record.
    const { cursor } = await next(first.cursor);
    await edit("UPDATE posts SET title = 'Changed again' WHERE id = 3");
    await rollBack(new FolderStorage(out), snapshot);
    await prune(new FolderStorage(out), 0);
    expect((await next(cursor)).items).toHaveLength(1);
    expect(late.faults).toEqual([]);
  });

  test('gets a 400 if too much has changed since it began', async () => {
    const { edit, second } = await startedWalk(1100);
    await edit("UPDATE posts SET title = title || '!' WHERE id <= 900");
    expect((await second()).status).toBe(200);
    await edit("UPDATE posts SET title = title || '!'");
    expect(await second()).toMatchObject({ status: 400, body: START_AGAIN });
  });

  test('gets a 400 with the cursor of another record', async () => {
    const { service } = await startedWalk();
    const { first } = await startedWalk();
    const reply = await service.ask('/changes', { cursor: first.cursor ?? '' });
    expect(reply).toMatchObject({ status: 400, body: START_AGAIN });
  });

  test('gets a 503 with Retry-After if the gateway is behind and cannot read the pointer', async () => {
    const { out, edit, first } = await startedWalk();
    const late = await gatewayOf(out);
    await edit("UPDATE posts SET title = 'Changed' WHERE id = 3");
    const ahead = await gatewayOf(out);
    const second = await ahead.ask('/changes', { cursor: first.cursor ?? '', per_page: '1' });
    const { cursor } = changes.parse(second.body).data;
    writeFileSync(join(out, 'snapshot.json'), '{');
    const reply = await late.ask('/changes', { cursor: cursor ?? '' });
    expect([reply.status, reply.header('Retry-After')]).toEqual([503, '2']);
    expect(reply.header('Cache-Control')).toBe('no-store');
    expect(late.faults).toHaveLength(1);
  });
});

test.each([false, true])(
  'a full build continues the record of changes, unless it is damaged: %s',
  async (damaged) => {
    const { db: path, out } = blogPaths();
    shortBlog(path, 12, 1);
    await publish(path, out);
    editing(path, (db) => db.exec("UPDATE posts SET title = 'Changed' WHERE id = 2"));
    await publish(path, out);
    const { changes: record } = pointerOf(out);
    const parts = record?.parts.map(({ hash }) => objectPath('lines', hash)) ?? [];
    expect(parts).toHaveLength(1);
    if (damaged) writeFileSync(join(out, parts[0] ?? ''), 'nonsense');
    expect((await verify(new FolderStorage(out), pointerOf(out))).faults).toHaveLength(damaged ? 1 : 0);
    await publish(path, out, { full: true });
    expect(pointerOf(out).changes?.epoch === record?.epoch).toBe(!damaged);
    expect((await verify(new FolderStorage(out), pointerOf(out))).faults).toEqual([]);
  },
);
