/** Random requests on parallel connections: thousands in `npm test`, up to a million in `npm run test:long`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cases, IS_LONG, LONG_MS, SEED } from '../random-cases.ts';
import type { Server } from '../service/server-process.ts';
import { FUZZ_LIMITS, makeCallers } from './fuzz/callers.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { makeServedBlog, type ServedBlog } from './served-blog.ts';

const REQUESTS = cases(2500, 1_000_000);
const POSTS = IS_LONG ? 2000 : 100;
const CALLERS = IS_LONG ? 48 : 24;

let blog: ServedBlog;
let server: Server;
beforeAll(async () => {
  blog = await makeServedBlog(POSTS, FUZZ_LIMITS);
  server = await blog.serve();
});
afterAll(async () => {
  await server.end('SIGKILL');
  blog.remove();
});

it(`answers random requests correctly, or refuses them (seed ${SEED})`, async () => {
  const port = Number(new URL(server.url).port);
  const callers = makeCallers(blog, CALLERS);
  const figures = await fuzz({ port, callers, requests: REQUESTS, seed: SEED, ms: LONG_MS });
  const { connections, resets, requests, faults, statuses } = figures;
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
