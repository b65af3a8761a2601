/**
 * Leases in workerd: isolates that share only their Durable Objects race for the last counts.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readWorkerConfig } from '../../cli/worker-config.ts';
import { formatKey, keyPrefix, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { type KeyRecord, keyPath } from '../../contract/key-record.ts';
import { NO_LIMIT } from '../../contract/policy.ts';
import { folderUntil } from '../build/temporary-folder.ts';
import { awayFromMidnight } from '../conformance/crowd.ts';
import { emptyBlog } from '../service/blogs.ts';
import { answerOf } from '../service/in-process.ts';
import { bundleWorker } from '../service/worker-bundle.ts';

const ISOLATES = ['one', 'two', 'three'] as const;
const DAY = 10_500;
const MINUTE = 300;

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

/** Uses counts of an account's day, without a minute limit. */
const SPENDER = `
  export default {
    async fetch(request, { QUOTAS }) {
      const { account, count } = await request.json();
      const limits = { day: { address: 1, user: ${NO_LIMIT - 1}, admin: 1 }, minute: ${NO_LIMIT} };
      const object = QUOTAS.get(QUOTAS.idFromName('account:' + account));
      let left = count;
      while (left > 0) {
        const { lease } = await object.count('user', limits, 'spent-' + left, { want: left - 1 });
        left -= 1 + (lease?.count ?? 0);
      }
      return new Response('spent');
    }
  };
`;

let platform: Miniflare;
const folder = folderUntil(afterAll);

beforeAll(async () => {
  await awayFromMidnight(120);
  const compatibilityDate = String(readWorkerConfig()['compatibility_date']);
  const script = readFileSync(await bundleWorker(), 'utf8');
  const worker = (name: string, contents: string) => ({
    ...{ name, compatibilityDate, modules: [{ type: 'ESModule' as const, path: 'worker.js', contents }] },
    r2Buckets: { BUCKET: 'bucket' },
    durableObjects: { QUOTAS: { className: 'QuotaObject', scriptName: 'one', useSQLite: true } },
    bindings: { ADDRESS_SECRET: 'for this machine alone', BUCKET_PREFIX: '' },
  });
  platform = new Miniflare(
    convertV4MiniflareOptions({
      log: new NoOpLog(),
      workers: [...ISOLATES.map((name) => worker(name, script)), worker('spender', SPENDER)],
    }),
  );
  await platform.ready;

  const [out, config] = [join(folder, 'out'), join(folder, 'offprint.json')];
  // An account of each kind, each with one limit.
  const limits = { day: { user: DAY, admin: null }, minute: { user: null, admin: MINUTE } };
  writeFileSync(config, JSON.stringify({ limits }));
  await answerOf(['build', '--db', (await emptyBlog()).db, '--out', out, '--config', config]);
  const bucket = await platform.getR2Bucket('BUCKET', 'one');
  for (const path of fastGlob.sync(['snapshot.json', 'objects/**'], { cwd: out }))
    await bucket.put(path, readFileSync(join(out, path)));
  for (const plan of ['user', 'admin'] as const) {
    const [path, record] = recordOf(plan);
    await bucket.put(path, JSON.stringify(record));
  }
});
afterAll(() => platform.dispose());

const keyOf = (plan: string) =>
  formatKey(Array.from({ length: RANDOM_CHARACTERS }, (_, i) => (i + plan.length) % 62));

function recordOf(plan: string): [path: string, record: KeyRecord] {
  const key = keyOf(plan);
  const record = { account: plan, plan, name: plan, prefix: keyPrefix(key), revoked: false, scopes: [] };
  return [keyPath(createHash('sha256').update(key).digest('hex')), record];
}

async function spend(account: string, count: number): Promise<void> {
  const spender = await platform.getWorker('spender');
  const reply = await spender.fetch('http://spender/', {
    method: 'POST',
    body: JSON.stringify({ account, count }),
  });
  expect(await reply.text()).toBe('spent');
}

/** Sends requests to all isolates in parallel, with `clients` clients each. */
async function raceFor(plan: string, clients: number, each: number) {
  const seen = { sent: [] as number[], received: [] as number[], refused: 0, mostUsed: 0 };
  const client = async (isolate: string) => {
    const worker = await platform.getWorker(isolate);
    for (let i = 0; i < each; i++) {
      const sent = Date.now();
      const reply = await worker.fetch('http://offprint.example/api/public/v1/me', {
        headers: { 'x-api-key': keyOf(plan) },
      });
      await reply.text();
      expect([200, 429]).toContain(reply.status);
      if (reply.status === 200) {
        seen.sent.push(sent);
        seen.received.push(Date.now());
      } else seen.refused += 1;
      seen.mostUsed = Math.max(seen.mostUsed, Number(reply.headers.get('X-Quota-Used')));
    }
  };
  await Promise.all(ISOLATES.flatMap((name) => Array.from({ length: clients }, () => client(name))));
  const inOrder = (times: readonly number[]) => times.toSorted((a, b) => a - b);
  return { ...seen, served: seen.sent.length, sent: inOrder(seen.sent), received: inOrder(seen.received) };
}

test('the day: never more than the limit, and less by at most the counts in leases', async () => {
  const left = 1200;
  await spend('user', DAY - left);
  const { served, refused, mostUsed } = await raceFor('user', 4, 120);
  expect(refused).toBe(1440 - served);
  expect(mostUsed).toBeLessThanOrEqual(DAY);
  expect(served).toBeLessThanOrEqual(left);
  // This close to the limit, a lease has one count, and an isolate has one lease.
  expect(served).toBeGreaterThanOrEqual(left - ISOLATES.length);
});

test('any 60 seconds: the same', async () => {
  const { served, refused, sent, received } = await raceFor('admin', 2, 100);
  for (let i = 0; i + MINUTE < served; i++)
    expect((received[i + MINUTE] ?? 0) - (sent[i] ?? 0)).toBeGreaterThanOrEqual(60_000);
  expect(served).toBeGreaterThanOrEqual(MINUTE - ISOLATES.length * (MINUTE / 10));
  expect(refused).toBe(600 - served);
});
