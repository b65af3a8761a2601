import { join } from 'node:path';
import { describe, expect, onTestFailed, test } from 'vitest';
import { Random } from '../../bench/generate/random.ts';
import { writePointer } from '../../build/pointer-file.ts';
import { prune } from '../../build/snapshots/prune.ts';
import { release, rollBack } from '../../build/snapshots/rollback.ts';
import { PREFIX } from '../../contract/api.ts';
import { Gateway } from '../../gateway/gateway.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { countRequest, newTally } from '../../gateway/quota.ts';
import { CurrentSnapshot } from '../../gateway/snapshot/current.ts';
import { EditedBlog } from '../build/edits.ts';
import { pointerOf } from '../build/output.ts';
import { editing, LIMITS, NOW, publish, shortBlog } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { detail, paged, success, summary } from '../conformance/shapes.ts';
import { cases } from '../random-cases.ts';
import { type Article, changes, Copy } from './copy.ts';

/** Each run takes other steps; CHANGES_SEED takes those of an earlier run again. */
const SEED = Number(process.env['CHANGES_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const COPIES = 4;
const DAY_MS = 86_400_000;

describe(`seed ${SEED}: a copy that follows the blog`, () => {
  test.each([
    { posts: 12, steps: 300 },
    { posts: 120, steps: 150 },
  ])('is the blog, at each token, over $steps steps with $posts posts', async ({ posts, steps }) => {
    const folder = temporaryFolder();
    const [path, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    const random = new Random(SEED, posts);
    shortBlog(path, posts, SEED);
    const blog = new EditedBlog(path, random);
    const log: string[] = [];
    onTestFailed(() =>
      console.error(`CHANGES_SEED=${SEED}, ${posts} posts:\n  ${log.slice(-30).join('\n  ')}`),
    );

    let time = NOW;
    const build = () => publish(path, out, { now: time, force: true });
    await build();
    const service = await gatewayOf(out);
    const copies = Array.from({ length: COPIES }, () => new Copy());
    /** What was published, by number and epoch. */
    const blogAt = new Map<string, Article[]>();
    const ended: string[] = [];

    for (let step = 0; step < cases(steps); step++) {
      const number = random.below(COPIES);
      const copy = copies[number];
      if (!copy) throw new Error('There is no such copy.');
      const what = random.below(100);
      if (what < 25) {
        const edits = Array.from({ length: random.between(1, 3) }, () => blog.edit());
        // Time passes, so that posts come due.
        if (random.chance(0.3)) time = new Date(time.getTime() + random.below(20 * DAY_MS));
        if (pointerOf(out).held) release(out);
        await build();
        log.push(`${step}: build, ${edits.join(', ')}`);
      } else if (what < 28) {
        const { previous } = pointerOf(out);
        if (previous.length === 0) continue;
        log.push(`${step}: back to ${rollBack(out, random.pick(previous).snapshot).snapshot}`);
      } else if (what < 33) {
        prune(out, new Date(), 0);
        log.push(`${step}: prune`);
      } else {
        const { log: record } = await service.refresh();
        const now = `${record?.number}.${record?.epoch}`;
        if (!blogAt.has(now)) blogAt.set(now, sorted(await service.everything()));
        const isPatient = random.chance(0.4);
        do {
          const page = await copy.step(random.pick([1, 3, 20, 50]), (query) =>
            service.get('/changes', query),
          );
          log.push(`${step}: copy ${number}, ${JSON.stringify({ ...page, items: page.items.length })}`);
          if (page.cursor === null) ended.push(page.whole ? 'whole walk' : 'changes');
        } while (isPatient && copy.isWalking);
        if (copy.isWalking) continue;
        // A walk that began with an earlier snapshot is the blog of then.
        const place = copy.token?.slice(27) ?? '';
        const blogThen = blogAt.get(place);
        expect(sorted(copy.articles.values())).toEqual(blogThen);
        if (place !== now) ended.push('an earlier snapshot');
      }
    }
    blog.db.close();
    expect(ended.length).toBeGreaterThan(steps / 10);
    expect(ended).toEqual(expect.arrayContaining(['whole walk', 'changes']));
  });
});

describe('a walk through the blog', () => {
  /** A walk of which the first page is read, and then the article of the second is edited. */
  async function begunWalk() {
    const folder = temporaryFolder();
    const [path, out] = [join(folder, 'blog.db'), join(folder, 'out')];
    shortBlog(path, 12, 3);
    await publish(path, out);
    const service = await gatewayOf(out);
    const page = async (query: Record<string, string>) =>
      changes.parse(await service.get('/changes', { per_page: '1', ...query })).data;
    const first = await page({});
    const second = await page({ cursor: first.cursor ?? '' });
    const [article] = second.items;
    const edit = async (title: string) => {
      editing(path, (db) => {
        db.prepare('UPDATE posts SET title = ? WHERE slug = ?').run(title, article?.slug);
      });
      await publish(path, out);
      await service.refresh();
    };
    return { out, service, edit, before: article, second: () => page({ cursor: first.cursor ?? '' }) };
  }

  test('is from the snapshot with which it began, while that is kept', async () => {
    const { edit, before, second } = await begunWalk();
    await edit('Changed');
    expect((await second()).items).toEqual([before]);
  });

  test('shows nothing any more that the pointer names no more, though it is in memory', async () => {
    const { out, service, edit, second } = await begunWalk();
    await edit('Changed');
    writePointer(out, { ...pointerOf(out), previous: [] });
    await service.refresh();
    expect((await second()).items).toMatchObject([{ title: 'Changed' }]);
  });

  test('begins again after a rollback, and its cursors begin otherwise', async () => {
    const { out, service, edit, second } = await begunWalk();
    const { snapshot } = pointerOf(out);
    await edit('Changed');
    await edit('Changed twice');
    rollBack(out, snapshot);
    await service.refresh();
    expect(await second()).toMatchObject({ whole: true, cursor: expect.stringMatching(`^${snapshot}`) });
    release(out);
    await edit('Released');
    const page = await second();
    expect(page.cursor?.slice(0, 26)).toBe(pointerOf(out).snapshot);
  });
});

test('a walk that outlives its snapshot and its record of changes starts again, and keeps nothing that is gone', async () => {
  const folder = temporaryFolder();
  const [path, out] = [join(folder, 'blog.db'), join(folder, 'out')];
  shortBlog(path, 12, 1);
  const edit = (sql: string) => {
    editing(path, (db) => db.exec(sql));
    return publish(path, out, { force: true });
  };
  await edit('');
  let service = await gatewayOf(out);
  const copy = new Copy();
  const step = (perPage: number) => copy.step(perPage, (query) => service.get('/changes', query));
  await step(3);

  for (let i = 0; i < 7; i++) await edit(`UPDATE posts SET title = title || '${i}' WHERE id = 2`);
  prune(out, new Date(), 0);
  service = await gatewayOf(out); // The other has read the earlier snapshot.
  const { cursor } = await step(50);
  expect(cursor).not.toBeNull(); // What changed meanwhile comes next.

  const [earlier] = pointerOf(out).previous;
  rollBack(out, earlier?.snapshot ?? '');
  release(out);
  const gone = [...copy.articles.keys()].slice(0, 2);
  await edit(`DELETE FROM posts WHERE slug IN ('${gone.join("','")}')`);
  await service.refresh();
  do await step(50);
  while (copy.isWalking);
  expect(sorted(copy.articles.values())).toEqual(sorted(await service.everything()));
});

function sorted(articles: Iterable<Article>): Article[] {
  return [...articles].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** The gateway over an output, without HTTP. */
async function gatewayOf(out: string) {
  const tally = newTally();
  const count: ConstructorParameters<typeof Gateway>[1]['count'] = (principal) => {
    tally.times.length = tally.counts.length = 0;
    return countRequest(tally, principal, LIMITS, Date.now());
  };
  const fault = (error: unknown) => {
    throw error;
  };
  const gateway = new Gateway({ find: () => null }, { count, peek: count }, { failed: fault });
  const current = new CurrentSnapshot(new DiskSnapshotStore(out), {
    objectBytes: 2 ** 22,
    answerBytes: 2 ** 20,
  });
  await current.refresh();

  const get = async (endpoint: string, query: Record<string, string> = {}): Promise<unknown> => {
    const snapshot = current.get();
    if (!snapshot) throw new Error('Nothing is published.');
    const request = {
      method: 'GET',
      target: `${PREFIX}${endpoint}?${new URLSearchParams(query).toString()}`,
      header: () => undefined,
      addressId: () => 'address:test',
    };
    const { status, body } = await gateway.handle(request, snapshot);
    const text = new TextDecoder().decode(body ?? new Uint8Array());
    expect(status, `${request.target}: ${text}`).toBe(200);
    return JSON.parse(text);
  };

  return {
    refresh: () => current.refresh(),
    get,
    /** By the lists and articles of the interface, which other tests hold against plain SQL. */
    async everything(): Promise<Article[]> {
      const articles: Article[] = [];
      for (let page = 1, last = 1; page <= last; page++) {
        const reply = await get('/posts', { sort: 'old', per_page: '50', page: String(page) });
        const { items, meta } = success(paged(summary)).parse(reply).data;
        last = meta.last_page;
        for (const { views: _, ...item } of items) {
          const whole = await get(`/posts/${encodeURIComponent(item.slug)}`);
          const { content, seo } = success(detail).parse(whole).data;
          articles.push({ ...item, content, seo });
        }
      }
      return articles;
    },
  };
}
