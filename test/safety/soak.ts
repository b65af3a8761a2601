/**
 * Requests to a service that rebuilds every few seconds, while posts are edited, published and deleted. Lists and
 * articles are compared with what can be published, every account's count with the sent requests.
 *
 * Some posts have a marker. Each edition changes all of them in one transaction: it writes its number into titles
 * and bodies, and every other edition adds a post. So a list shows whether it comes from exactly one snapshot, and
 * whether that snapshot existed.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../bench/generate/random.ts';
import { changingKeys } from '../../data/accounts/change-keys.ts';
import { PREFIX, SCOPES } from '../../contract/api.ts';
import { createKey } from '../../data/accounts/keys.ts';
import { openForWriting } from '../../data/database.ts';
import { SEED } from '../random-cases.ts';
import { type Reply, send } from '../service/client.ts';
import { insertPost } from '../service/odd-blog.ts';
import { startServer } from '../service/server-process.ts';
import type { ServedBlog } from './served-blog.ts';

interface SoakFigures {
  readonly requests: number;
  /** Snapshots that clients saw, and editions that were written. */
  readonly seen: number;
  readonly editions: number;
  /** Memory of the service, each second, in MB. */
  readonly memory: readonly number[];
  readonly faults: readonly string[];
}

const ACCOUNTS = 8;
const CLIENTS_PER_ACCOUNT = 2;
const EDIT_MS = 700;
const MARKER = 'soakmarker';
const FAULTS_KEPT = 20;

/**
 * @param seconds at most
 * @param pauseMs between requests of a client
 * @param isEnough ends it early
 */
export async function soak(
  blog: ServedBlog,
  seconds: number,
  pauseMs: number,
  isEnough: (figures: Pick<SoakFigures, 'requests' | 'seen'>) => boolean,
): Promise<SoakFigures> {
  insertMarkers(blog.db);
  const files = ['--db', blog.db, '--out', blog.out, '--config', `${blog.folder}/offprint.json`];
  const args = ['start', ...files, '--port', '0', '--cron', '*/3 * * * * *', '--log', 'json'];
  const server = await startServer(args);
  const end = performance.now() + seconds * 1000;
  const isOver = (): boolean =>
    performance.now() > end || faults.length >= FAULTS_KEPT || isEnough({ requests, seen: seen.size });
  const faults: string[] = [];
  const memory: number[] = [];
  const seen = new Set<number>();
  let requests = 0;
  let edition = 0;

  const ask = async (path: string, key: string): Promise<Reply> => {
    const reply = await send(server.url, { path: PREFIX + path, headers: { 'X-Api-Key': key } });
    requests += 1;
    return reply;
  };

  /** One client: sends requests in sequence, and counts them. */
  const client = async (number: number, key: string): Promise<number> => {
    const random = new Random(SEED, number);
    let latest = 0;
    let sent = 0;
    while (!isOver()) {
      if (pauseMs > 0) await sleep(pauseMs);
      const [path, fault] = random.pick(QUESTIONS)(random);
      const newest = edition;
      const reply = await ask(path, key);
      sent += 1;
      const found = fault(reply);
      if (typeof found === 'string') faults.push(`${path}: ${found}`);
      if (typeof found !== 'number') continue;
      seen.add(found);
      if (found < latest) faults.push(`${path}: edition ${found} came after ${latest}`);
      if (found > Math.max(newest, edition)) faults.push(`${path}: edition ${found} was never written`);
      latest = Math.max(latest, found);
    }
    return sent;
  };

  const editing = async (): Promise<void> => {
    while (!isOver()) {
      writeEdition(blog.db, (edition += 1));
      await sleep(EDIT_MS);
    }
  };

  const watching = async (): Promise<void> => {
    while (!isOver()) {
      memory.push(residentMb(server.pid));
      await sleep(1000);
    }
  };

  const accounts = changingKeys(blog.db, blog.out, (db) =>
    Array.from({ length: ACCOUNTS }, (_, i) =>
      createKey(db, {
        account: `steady-${i}`,
        name: 'steady',
        scopes: SCOPES,
        plan: i % 2 === 0 ? 'admin' : 'user',
      }),
    ),
  );
  const clients = accounts.map(async ({ key }, i) => {
    const sent = await Promise.all(
      Array.from({ length: CLIENTS_PER_ACCOUNT }, (_, j) => client(i * CLIENTS_PER_ACCOUNT + j, key)),
    );
    const expected = sent.reduce((sum, count) => sum + count, 0) + 1;
    const used = Number((await ask('/me', key)).header('x-quota-used'));
    if (used !== expected) faults.push(`steady-${i} sent ${expected} requests, and ${used} were counted`);
  });
  await Promise.all([...clients, editing(), watching()]);

  const code = await server.end('SIGTERM');
  if (code !== 0) faults.push(`it ended with ${code}`);
  const errors = server.log
    .split('\n')
    .filter((line) => line.includes('"level":"error"') || /^\S*error:/.test(line));
  faults.push(...errors.slice(0, FAULTS_KEPT));
  return { requests, seen: seen.size, editions: edition, memory, faults };
}

/** What is wrong with an answer; otherwise the edition that it shows. */
type Check = (reply: Reply) => string | number | undefined;

const QUESTIONS: readonly ((random: Random) => readonly [string, Check])[] = [
  () => [`/posts?q=${MARKER}&per_page=50`, editionOfList],
  () => [`/posts?q=${MARKER}&per_page=2&sort=old`, editionOfList],
  (random) => [`/posts/${MARKER}-${random.below(3)}`, editionOfArticle],
  (random) => [`/posts?sort=${random.pick(['new', 'old', 'popular'])}`, isSuccess],
  (random) => [random.pick(['', '/me', '/tags', '/categories', '/authors']), isSuccess],
];

const editionIn = (text: string): number => Number(/edition (\d+)/.exec(text)?.[1] ?? 0);

interface List {
  readonly data?: {
    readonly items: readonly { readonly title: string }[];
    readonly meta: { readonly total: number; readonly per_page: number };
  };
}

function editionOfList({ status, json }: Reply): string | number {
  const { data } = json as List;
  if (status !== 200 || !data) return `gave ${status}`;
  const editions = new Set(data.items.map(({ title }) => editionIn(title)));
  const [edition = -1] = editions;
  if (editions.size !== 1) return `shows the editions ${[...editions].join(', ')} at once`;
  const total = edition % 2 === 1 ? 4 : 3;
  return data.meta.total === total ? edition : `has ${data.meta.total} posts in edition ${edition}`;
}

function editionOfArticle({ status, json }: Reply): string | number {
  const { data } = json as { data?: { title: string; content: string } };
  if (status !== 200 || !data) return `gave ${status}`;
  const [title, content] = [editionIn(data.title), editionIn(data.content)];
  return title === content ? title : `has edition ${title} in its title and ${content} in its text`;
}

function isSuccess({ status, json }: Reply): string | undefined {
  return status === 200 && (json as { success?: unknown }).success === true ? undefined : `gave ${status}`;
}

function insertMarkers(path: string): void {
  const db = openForWriting(path);
  for (let i = 0; i < 4; i += 1) {
    const status = i === 3 ? 'draft' : 'published';
    insertPost(db, {
      slug: `${MARKER}-${i}`,
      title: `${MARKER} edition 0`,
      body: '<p>edition 0</p>',
      status,
    });
  }
  db.close();
}

/** Writes an edition in one transaction; also adds or removes a post that no client requests. */
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

/** Resident memory of a process in MB, from Linux's /proc. */
function residentMb(pid: number): number {
  return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
