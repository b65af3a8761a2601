/**
 * Some thousands of random requests; `npm run bench:fuzz` sends a million.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cases } from '../random-cases.ts';
import type { Server } from '../service/server-process.ts';
import { FUZZ_LIMITS, makeCallers } from './fuzz/callers.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { makeServedBlog, type ServedBlog } from './served-blog.ts';

const REQUESTS = cases(2500);
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let blog: ServedBlog;
let server: Server;
beforeAll(async () => {
  blog = await makeServedBlog(100, FUZZ_LIMITS);
  server = await blog.serve();
});
afterAll(async () => {
  await server.end('SIGKILL');
  blog.remove();
});

it(`answers random requests correctly, or refuses them (seed ${SEED})`, async () => {
  const port = Number(new URL(server.url).port);
  const callers = makeCallers(blog, 24);
  const { connections, resets, requests, faults, statuses } = await fuzz({
    port,
    callers,
    requests: REQUESTS,
    seed: SEED,
  });
  expect(faults).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(REQUESTS);
  expect(resets).toBeLessThan(connections / 20);
  // All kinds of answers occurred, so the requests were varied.
  for (const status of [200, 204, 304, 400, 401, 404, 405, 414, 422, 431]) {
    expect(statuses.get(status), `answers of ${status}`).toBeGreaterThan(0);
  }
  expect(server.log).not.toMatch(/failed|not counted|Error/);
});
