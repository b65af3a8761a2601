/**
 * A store that ignores conditional writes would lose updates silently, so it is rejected with a clear error.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pointerOf } from '../../build/output.ts';
import { type Care, type MemoryStore, startMemoryStore } from '../memory-store.ts';
import { startProxy } from '../proxy.ts';
import { builtBlog, publishTo } from '../publishing.ts';

const [TO, PREFIX] = ['s3://blog/here', 'blog/here'];

let store: MemoryStore;
beforeAll(async () => void (store = await startMemoryStore()));
afterAll(() => store.close());
beforeEach(() => {
  store.care = 'keeps';
  store.files.clear();
});

const CARELESS: readonly (readonly [Care, string])[] = [
  ['ignores If-Match', 'it ignores If-Match'],
  ['ignores If-None-Match', 'it ignores If-None-Match'],
  ['ignores both', 'it ignores If-None-Match'],
  ['answers only', 'it refuses a write, but carries it out'],
  ['refuses all', 'it refuses an If-Match that matches'],
  ['not implemented', 'it answers conditions with 501'],
];

describe('a store that', () => {
  test.each(CARELESS)('%s is rejected before anything is published', async (care, says) => {
    store.care = care;
    const { out } = await builtBlog(3);
    const retry = { tries: 1, baseMs: 0, capMs: 0 };
    const refused = publishTo(store.endpoint, TO, out, { transport: { retry } });
    await expect(refused).rejects.toThrow(
      `${TO} at ${store.endpoint} does not support conditional writes: ${says}`,
    );
    expect([...store.files.keys()]).toEqual([]);
  });
});

test('a store is probed by the first publish to a bucket, and again with --full', async () => {
  const { out } = await builtBlog(3);
  const probes = async (more = {}) => {
    store.seen.length = 0;
    await publishTo(store.endpoint, TO, out, more);
    return store.seen.filter((request) => request.includes('/probe-')).length;
  };
  expect(await probes()).toBeGreaterThan(3);
  expect(await probes()).toBe(0);
  expect(store.seen).toHaveLength(2); // The pointer, and the list of keys.
  expect(await probes({ full: true })).toBeGreaterThan(3);
  expect([...store.files.keys()].filter((key) => key.includes('probe'))).toEqual([]);
});

test('lost responses of a store are not mistaken for ignored conditions', async () => {
  const { out } = await builtBlog(3);
  const proxy = await startProxy(store.endpoint);
  try {
    const lost = new Set<string>();
    proxy.fault = ({ method, url, headers }) => {
      const request = [method, url, headers['if-match'], headers['if-none-match']].join(' ');
      if (!url.includes('probe-') || method === 'DELETE' || lost.has(request)) return undefined;
      lost.add(request);
      return 'lose';
    };
    const retry = { tries: 3, baseMs: 0, capMs: 0 };
    await publishTo(proxy.endpoint, TO, out, { transport: { retry } });
    expect(lost.size).toBeGreaterThan(3);
    expect(store.pointer(PREFIX).snapshot).toBe(pointerOf(out).snapshot);
  } finally {
    await proxy.close();
  }
});
