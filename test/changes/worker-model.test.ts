/**
 * The model of model.test.ts with the Worker: built, published to a bucket and read over HTTP, in fewer steps.
 */
import { join } from 'node:path';
import { expect, onTestFailed, onTestFinished, test } from 'vitest';
import { Random } from '../../bench/generate/random.ts';
import { PREFIX } from '../../contract/api.ts';
import { EditedBlog } from '../build/edits.ts';
import { shortBlog } from '../build/publishing.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';
import { cases, SEED } from '../random-cases.ts';
import { offprintInProcess } from '../service/in-process.ts';
import { serveWatched } from '../worker/watched-worker.ts';
import { type Article, Copy, type Reply } from './copy.ts';
import { allArticlesOf, sorted } from './service.ts';

const POSTS = 70;
const STEPS = 40;
const MINUTE_MS = 60_000;
const UNLIMITED = { day: { address: null, user: null, admin: null }, minute: null };

test(`seed ${SEED}: copies that follow the Worker equal the blog, at the end of each walk`, async () => {
  const path = join(temporaryFolder(), 'blog.db');
  shortBlog(path, POSTS, SEED);
  const { service, watch } = await serveWatched(
    { name: 'model', db: path },
    { limits: UNLIMITED, blog: 'bench.example' }, // A random edit may change the site's address.
  );
  onTestFinished(() => service.close());
  const random = new Random(SEED, 1);
  const blog = new EditedBlog(service.db, random);
  onTestFinished(() => void blog.db.close());
  const log: string[] = [];
  onTestFailed(() => console.error(`OFFPRINT_TEST_SEED=${SEED}:\n  ${log.slice(-30).join('\n  ')}`));

  const get = async (endpoint: string, query: Record<string, string> = {}): Promise<unknown> => {
    const response = await fetch(
      `${service.url}${PREFIX}${endpoint}?${new URLSearchParams(query).toString()}`,
    );
    const body: unknown = await response.json();
    expect(response.status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const ask = async (query: Record<string, string>): Promise<Reply> => {
    const response = await fetch(`${service.url}${PREFIX}/changes?${new URLSearchParams(query).toString()}`);
    const header = (name: string) => response.headers.get(name);
    return {
      status: response.status,
      snapshot: header('x-snapshot') ?? '',
      header,
      body: await response.json(),
    };
  };
  const snapshot = async () => {
    const response = await fetch(`${service.url}${PREFIX}/tags`, { method: 'HEAD' });
    return response.headers.get('x-snapshot') ?? '';
  };

  const copies = Array.from({ length: 3 }, () => new Copy());
  /** By snapshot id. */
  const blogAt = new Map<string, readonly Article[]>();
  let ended = 0;
  let clockOffset = 0;
  for (let step = 0; step < cases(STEPS); step++) {
    const number = random.below(copies.length);
    if (copies[number]?.isWalking === false && random.chance(0.2)) copies[number] = new Copy();
    const copy = copies[number];
    if (!copy) throw new Error('There is no such copy.');
    if (random.below(100) < 35) {
      const edits = Array.from({ length: random.between(1, 3) }, () => blog.edit());
      // A job without state; the bucket has the record.
      if (random.chance(0.2)) await offprintInProcess(['snapshots', 'prune', '--now', '--out', service.out]);
      await service.publish('--force'); // A random edit may remove more than half of the posts.
      // After a minute, an isolate sees the new snapshot, and the location's cache has dropped its answers.
      const forget = random.chance(0.3);
      await watch({ clockOffset: (clockOffset += MINUTE_MS), emptyCache: true, forget });
      log.push(`${step}: ${edits.join(', ')}${forget ? ', another isolate' : ''}`);
      continue;
    }
    const now = await snapshot();
    if (!blogAt.has(now)) blogAt.set(now, sorted(await allArticlesOf(get)));
    const isPatient = random.chance(0.5);
    do {
      const page = await copy.step(random.pick([7, 20, 50]), ask);
      log.push(`${step}: copy ${number}, ${JSON.stringify({ ...page, items: page.items.length })}`);
      if (copy.isWalking) continue;
      ended += 1;
      expect(page.snapshot).toBe(now);
      expect(sorted(copy.articles.values())).toEqual(blogAt.get(now));
    } while (isPatient && copy.isWalking);
  }
  expect(ended).toBeGreaterThan(3);
});
