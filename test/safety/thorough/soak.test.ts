/**
 * Requests while `start` follows edits: each answer is of exactly one snapshot, none is older than the one before it, and
 * each request is counted once.
 *
 * Some posts have a marker. Each edition changes all of them in one transaction: it writes its number into titles and
 * bodies, and every other edition adds a post. So a list shows whether it is of one snapshot.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Random } from '../../../bench/generate/random.ts';
import { median } from '../../../bench/statistics.ts';
import { PREFIX } from '../../../contract/api.ts';
import { openForWriting } from '../../../data/database.ts';
import { awayFromMidnight } from '../../away-from-midnight.ts';
import { cases, IS_LONG, LONG_MS, SEED } from '../../random-cases.ts';
import { send } from '../../service/client.ts';
import { insertPost } from '../../service/odd-blog.ts';
import { startServer } from '../../service/server-process.ts';
import { makeServedBlog } from '../served-blog.ts';

const EDITIONS = cases(3, 10_000);
const ACCOUNTS = 4;
const MARKER = 'soakmarker';
/** Growth of memory from the second quarter of a long run to the last: more is a leak. In a shorter run it still grows. */
const GROWTH_MAX = 0.1;
const GROWTH_MIN_MS = 5 * 60_000;

const QUESTIONS: readonly ((random: Random) => string)[] = [
  () => `/posts?q=${MARKER}&per_page=50`,
  () => `/posts?q=${MARKER}&per_page=2&sort=old`,
  (random) => `/posts/${MARKER}-${random.below(3)}`,
  (random) => `/posts?sort=${random.pick(['new', 'old', 'popular'])}`,
  (random) => random.pick(['', '/me', '/tags', '/categories', '/authors']),
];

it(`answers from one snapshot and counts exactly while posts are edited, added and removed (seed ${SEED})`, async () => {
  if (IS_LONG) await awayFromMidnight(LONG_MS / 60_000 + 5);
  const blog = await makeServedBlog(IS_LONG ? 2000 : 100);
  insertMarkers(blog.db);
  const files = ['--db', blog.db, '--out', blog.out, '--config', `${blog.folder}/offprint.json`];
  const server = await startServer([
    'start',
    ...files,
    '--port',
    '0',
    '--cron',
    '* * * * * *',
    '--log',
    'json',
  ]);
  const end = performance.now() + LONG_MS;
  const memory: number[] = [];
  let [written, seen, isOver] = [0, 0, false];

  const client = async (number: number, headers: Record<string, string>): Promise<number> => {
    const random = new Random(SEED, number);
    let [sent, latest] = [0, 0];
    for (; !isOver; sent += 1) {
      const path = PREFIX + random.pick(QUESTIONS)(random);
      const { status, json } = await send(server.url, { path, headers });
      expect([path, status]).toEqual([path, 200]);
      if (!path.includes(MARKER)) continue;
      const edition = editionOf(json);
      expect(edition, path).toBeGreaterThanOrEqual(latest);
      expect(edition, path).toBeLessThanOrEqual(written);
      seen = Math.max(seen, edition);
      latest = edition;
    }
    return sent;
  };
  const editing = async (): Promise<void> => {
    while (!isOver && written < EDITIONS && performance.now() < end) {
      writeEdition(blog.db, (written += 1));
      memory.push(Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]));
      await expect.poll(() => isOver || seen === written).toBe(true);
    }
  };
  const accounts = Array.from({ length: ACCOUNTS }, async (_, i) => {
    const { key } = await blog.createKey({ account: `steady-${i}`, name: 'steady' });
    const headers = { 'X-Api-Key': key };
    const sent = await Promise.all([client(2 * i, headers), client(2 * i + 1, headers)]);
    const me = await send(server.url, { path: `${PREFIX}/me`, headers });
    expect(Number(me.header('x-quota-used'))).toBe(sent.reduce((sum, count) => sum + count, 1));
  });
  await Promise.all([editing(), ...accounts].map((part) => part.finally(() => (isOver = true))));
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.log).not.toMatch(/"level":"error"|^\S*error:/m);

  const quarter = Math.floor(memory.length / 4);
  const [warm, last] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))];
  if (IS_LONG) console.log({ written, warm, last, most: Math.max(...memory) });
  if (IS_LONG && LONG_MS >= GROWTH_MIN_MS)
    expect(last / warm - 1, 'growth of memory').toBeLessThan(GROWTH_MAX);
});

const editionIn = (text: string): number => Number(/edition (\d+)/.exec(text)?.[1] ?? Number.NaN);

/** The edition that all of an answer shows. */
function editionOf(json: unknown): number {
  const { data } = json as {
    data: { title: string; content: string } | { items: { title: string }[]; meta: { total: number } };
  };
  const texts = 'items' in data ? data.items.map(({ title }) => title) : [data.title, data.content];
  const [edition = Number.NaN, ...others] = new Set(texts.map(editionIn));
  expect(others).toEqual([]);
  if ('items' in data) expect(data.meta.total).toBe(edition % 2 === 1 ? 4 : 3);
  return edition;
}

function insertMarkers(path: string): void {
  const db = openForWriting(path);
  for (const i of [0, 1, 2, 3])
    insertPost(db, { slug: `${MARKER}-${i}`, status: i === 3 ? 'draft' : 'published' });
  db.close();
  writeEdition(path, 0);
}

/** Writes an edition in one transaction; also replaces a post that no client requests. */
function writeEdition(path: string, edition: number): void {
  const db = openForWriting(path);
  db.transaction(() => {
    db.prepare('UPDATE posts SET title = ?, body = ? WHERE slug LIKE ?').run(
      ...[`${MARKER} edition ${edition}`, `<p>edition ${edition}</p>`, `${MARKER}-%`],
    );
    db.prepare('UPDATE posts SET status = ? WHERE slug = ?').run(
      ...[edition % 2 === 1 ? 'published' : 'draft', `${MARKER}-3`],
    );
    db.prepare('DELETE FROM posts WHERE slug LIKE ?').run('comes-and-goes-%');
    insertPost(db, { slug: `comes-and-goes-${edition}` });
    db.prepare('UPDATE posts SET views = views + 1 WHERE id % 7 = ?').run(edition % 7);
  }).immediate();
  db.close();
}
