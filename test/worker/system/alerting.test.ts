/**
 * The platform's own alerting sees the outcome of each invocation, like a tail Worker.
 */
import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from 'miniflare';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { POINTER_PATH } from '../../../contract/pointer.ts';
import { bundleWorker } from '../../service/worker-bundle.ts';
import { readWorkerConfig } from '../../service/worker-config.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

/** Stores the events of each invocation, and returns them on request. */
const TAIL = `
  const told = [];
  export default {
    tail(events) {
      for (const { event, outcome, exceptions } of events)
        told.push({ path: new URL(event.request.url).pathname, outcome, exceptions });
    },
    fetch: () => Response.json(told.splice(0)),
  };
`;

interface Told {
  readonly path: string;
  readonly outcome: string;
  readonly exceptions: readonly { readonly name: string }[];
}

let platform: Miniflare;
beforeAll(async () => {
  const compatibilityDate = String(readWorkerConfig()['compatibility_date']);
  const script = readFileSync(await bundleWorker(), 'utf8');
  const moduleOf = (contents: string) => [{ type: 'ESModule' as const, path: 'worker.js', contents }];
  platform = new Miniflare(
    convertV4MiniflareOptions({
      log: new NoOpLog(),
      workers: [
        {
          name: 'offprint',
          compatibilityDate,
          modules: moduleOf(script),
          r2Buckets: ['BUCKET'],
          durableObjects: { QUOTAS: { className: 'QuotaObject', useSQLite: true } },
          bindings: { ADDRESS_SECRET: 'for this machine alone', BUCKET_PREFIX: '' },
          tails: ['tail'],
        },
        { name: 'tail', compatibilityDate, modules: moduleOf(TAIL) },
      ],
    }),
  );
  await platform.ready;
});
afterAll(() => platform.dispose());

/** Requests a path. Returns the status, and the exceptions of failed invocations that the tail Worker received. */
async function ask(path: string, failures: number): Promise<[status: number, failed: string[]]> {
  const reply = await platform.dispatchFetch(`http://offprint.example${path}`);
  await reply.text();
  const tail = await platform.getWorker('tail');
  const told: Told[] = [];
  const failed = () => told.filter(({ outcome }) => outcome === 'exception');
  while (!told.some((one) => one.path === path) || failed().length < failures) {
    told.push(...((await (await tail.fetch('http://tail/')).json()) as Told[]));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [reply.status, failed().flatMap(({ exceptions }) => exceptions.map(({ name }) => name))];
}

test('successful and refused requests are no errors', async () => {
  expect(await ask('/healthz', 0)).toEqual([200, []]);
});

test('a bucket without a snapshot is logged as an error', async () => {
  expect(await ask('/api/public/v1/tags', 1)).toEqual([503, ['NothingPublished']]);
  expect(await ask('/readyz', 1)).toEqual([503, ['NothingPublished']]);
});

test('a 500 is an error', async () => {
  const bucket = await platform.getR2Bucket('BUCKET', 'offprint');
  await bucket.put(POINTER_PATH, 'not JSON');
  expect(await ask('/api/public/v1/posts', 1)).toEqual([500, ['PointerUnreadable']]);
});
