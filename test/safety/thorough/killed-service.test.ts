/** `kill -9` at random moments of full load: each request that was answered is counted. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Random } from '../../../bench/generate/random.ts';
import { PREFIX } from '../../../contract/api.ts';
import { awayFromMidnight } from '../../away-from-midnight.ts';
import { cases, IS_LONG, LONG_MS, SEED } from '../../random-cases.ts';
import { send } from '../../service/client.ts';
import { makeServedBlog } from '../served-blog.ts';

const TIMES = cases(2, 200);
const CLIENTS = 16;

it(`a killed service has counted what it answered (seed ${SEED})`, async () => {
  if (IS_LONG) await awayFromMidnight(LONG_MS / 60_000 + 5);
  const blog = await makeServedBlog(100);
  const random = new Random(SEED, 701);
  const end = performance.now() + LONG_MS;
  let used = 0;
  for (let time = 0; time < TIMES && performance.now() < end; time++) {
    const server = await blog.serve();
    let [sent, answered] = [0, 0];
    const statuses = new Set<number>();
    const client = async () => {
      for (;;) {
        sent += 1;
        statuses.add((await send(server.url, { path: `${PREFIX}/posts` })).status);
        answered += 1;
      }
    };
    const clients = Array.from({ length: CLIENTS }, () => client().catch(() => undefined));
    const most = CLIENTS * random.between(2, 40);
    while (answered < most) await delay(1);
    await server.end('SIGKILL');
    await Promise.all(clients);
    const again = await blog.serve();
    const now = Number((await send(again.url, { path: `${PREFIX}/me` })).header('x-quota-used'));
    await again.end('SIGTERM');
    const counted = now - used - 1;
    used = now;
    expect([...statuses]).toEqual([200]);
    expect(answered).toBeGreaterThan(CLIENTS);
    expect(counted).toBeGreaterThanOrEqual(answered);
    expect(counted).toBeLessThanOrEqual(sent);
  }
});
