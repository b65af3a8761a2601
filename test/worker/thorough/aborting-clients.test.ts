/**
 * Requests that share work, in an isolate whose code V8 has optimised, while clients abort at random: thousands in
 * `npm run test:thorough`, up to 200,000 in `npm run test:long`.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { generateBlog } from '../../../bench/generate/blog.ts';
import { Random } from '../../../bench/generate/random.ts';
import { editing } from '../../build/publishing.ts';
import { quotaOf } from '../../conformance/fields.ts';
import { cases, IS_LONG, LONG_MS, SEED } from '../../random-cases.ts';
import { makeReply, type Reply } from '../../service/client.ts';
import { serveWorker } from '../../service/worker-home.ts';

const REQUESTS = cases(4000, 200_000);
const POSTS = IS_LONG ? 12_000 : 300;
/** No caller reaches them, and none is high enough for leases. */
const LIMITS = { day: { address: 9000, user: 9000, admin: 9000 }, minute: 9000 };
const CONNECTIONS = 24;
/** Of the requests. */
const ABORTED = 0.3;
const ABORTED_WITHIN_MS = 60;
/** So many requests in a row are for the same article, so that several wait for the same reads. */
const IN_A_ROW = 8;

/** V8 optimises after few calls, not after tens of thousands of requests. Maglev does not show the fault. */
const EARLY = [
  '--no-maglev',
  '--invocation-count-for-turbofan=1',
  '--invocation-count-for-feedback-allocation=1',
];

test(`every answer is whole (seed ${SEED})`, async () => {
  const db = join(mkdtempSync(join(tmpdir(), 'offprint-aborting-')), 'blog.db');
  generateBlog(db, { posts: POSTS, seed: 7 });
  const slugs = publishedSlugs(db);
  const service = await serveWorker({ name: 'generated', db }, { limits: LIMITS }, undefined, EARLY);
  onTestFinished(() => service.close());
  const random = new Random(SEED);
  const start = performance.now();
  const faults: string[] = [];
  let [asked, aborted, answered, hot] = [0, 0, 0, 0];

  const nextPath = (): string => {
    if (asked % IN_A_ROW === 0) hot = random.below(slugs.length);
    const kind = random.fraction();
    const slug = encodeURIComponent(slugs[kind < 0.8 ? hot : random.below(slugs.length)] ?? '');
    if (kind < 0.8) return `/posts/${slug}?include=neighbours,summary,dates`;
    if (kind < 0.9) return `/posts/${slug}`;
    const [word = ''] = decodeURIComponent(slug).split('-');
    if (kind < 0.95) return `/posts?q=${encodeURIComponent(word)}&page=${1 + random.below(3)}`;
    return `/posts?page=${1 + random.below(POSTS / 15)}`;
  };

  const ask = async (): Promise<void> => {
    const path = nextPath();
    asked += 1;
    const address = `10.0.${(asked >> 8) & 255}.${asked & 255}`;
    const abortAfter = random.fraction() < ABORTED ? random.below(ABORTED_WITHIN_MS) : undefined;
    const reply = await getOrAbort(`${service.url}/api/public/v1${path}`, address, abortAfter);
    if (reply === null) aborted += 1;
    else answered += 1;
    if (reply && !isWhole(reply)) faults.push(`${reply.status} to ${path}: ${reply.text.slice(0, 100)}`);
  };
  const isEnough = () => asked >= REQUESTS || performance.now() - start >= LONG_MS || faults.length > 100;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (!isEnough()) await ask();
    }),
  );

  const seconds = Math.round((performance.now() - start) / 1000);
  if (IS_LONG) console.log({ asked, answered, aborted, faults: faults.length, seconds, log: service.log });
  expect(faults).toEqual([]);
  expect(answered).toBeGreaterThan(aborted);
  expect(aborted).toBeGreaterThan(0);
  expect(service.log).toBe('');
});

function publishedSlugs(db: string): string[] {
  const sql = "SELECT slug FROM posts WHERE status = 'published' AND published_unix < unixepoch()";
  return editing(db, (blog) => blog.prepare<[], string>(sql).pluck().all());
}

/** Null: aborted before all of it had arrived. */
async function getOrAbort(
  url: string,
  address: string,
  abortAfter: number | undefined,
): Promise<Reply | null> {
  const signal = abortAfter === undefined ? null : AbortSignal.timeout(abortAfter);
  try {
    const response = await fetch(url, { headers: { 'cf-connecting-ip': address }, signal });
    return makeReply(response.status, Object.fromEntries(response.headers), await response.text());
  } catch (error) {
    if (signal?.aborted) return null;
    throw error;
  }
}

/** Whether it is in the envelope, and has the quota's headers. */
function isWhole(reply: Reply): boolean {
  try {
    return reply.status === 200 && (reply.json as { success: boolean }).success && quotaOf(reply).used > 0;
  } catch {
    return false;
  }
}
