/** Random requests on parallel connections: thousands in `npm test`, up to a million in `npm run test:long`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from '../../../bench/generate/random.ts';
import { cases, IS_LONG, LONG_MS, SEED } from '../../random-cases.ts';
import type { Server } from '../../service/server-process.ts';
import { type Caller, FUZZ_LIMITS, makeCallers } from '../fuzz/callers.ts';
import { fuzzConnection } from '../fuzz/connection.ts';
import { makeServedBlog, type ServedBlog } from '../served-blog.ts';

const REQUESTS = cases(2500, 1_000_000);
const POSTS = IS_LONG ? 2000 : 100;
const CALLERS = IS_LONG ? 48 : 24;
const FAULTS_KEPT = 20;
const FIXED_TURNS = 3;

let blog: ServedBlog;
let server: Server;
beforeAll(async () => {
  blog = await makeServedBlog(POSTS, FUZZ_LIMITS);
  server = await blog.serve();
});
afterAll(() => server.end('SIGKILL'));

it(`answers random requests correctly, or refuses them (seed ${SEED})`, async () => {
  const end = performance.now() + LONG_MS;
  let [requests, connections, resets] = [0, 0, 0];
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  /** One connection after another. A seed gives the same requests, but not the same timing. */
  const play = async (caller: Caller): Promise<void> => {
    for (let turn = 0; turn < FIXED_TURNS || (requests < REQUESTS && performance.now() < end); turn += 1) {
      if (faults.length >= FAULTS_KEPT) return;
      // The first are the same in each run: they get all kinds of answers.
      const random = new Random(turn < FIXED_TURNS ? 1 : SEED, caller.number, turn);
      const result = await fuzzConnection(server.url, caller, random);
      connections += 1;
      requests += result.requests;
      if (result.wasReset) resets += 1;
      for (const { status } of result.replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      faults.push(...result.faults.map((fault) => `caller ${caller.number}, connection ${turn}: ${fault}`));
    }
  };
  await Promise.all(makeCallers(blog, CALLERS).map(play));
  if (IS_LONG) console.log({ requests, connections, resets, statuses });
  expect(faults).toEqual([]);
  if (!IS_LONG) expect(requests).toBeGreaterThanOrEqual(REQUESTS);
  expect(resets).toBeLessThan(connections / 20);
  // All kinds of answers occurred, so the requests were varied.
  for (const status of [200, 204, 304, 400, 401, 404, 405, 414, 422, 431]) {
    expect(statuses.get(status), `answers of ${status}`).toBeGreaterThan(0);
  }
  expect(server.log).not.toMatch(/failed|not counted|Error/);
});
