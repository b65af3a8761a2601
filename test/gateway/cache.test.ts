import { expect, test } from 'vitest';
import { Cache } from '../../gateway/cache.ts';

const BYTES = 1000;
const ROOM = 20;

const named = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}-${i}`);

test('a value that is too large takes no turn of others', () => {
  const cache = new Cache<{ bytes: number }>(ROOM * (BYTES + 624), ({ bytes }) => bytes);
  for (const key of named('old', ROOM)) void cache.get(key, () => ({ bytes: BYTES }));
  let made = 0;
  for (let i = 0; i < 100; i++) {
    for (const key of named('hot', 3)) void cache.get(key, () => ({ bytes: ((made += 1), BYTES) }));
    void cache.get('big', () => ({ bytes: 100_000 }));
  }
  expect(made).toBeLessThan(100);
});

test('a value is made once for parallel requests, and again after a failure', async () => {
  const cache = new Cache<{ key: string }>(10_000, () => BYTES);
  let made = 0;
  const make = async () => {
    made += 1;
    await new Promise((resolve) => setImmediate(resolve));
    if (made === 1) throw new Error('not yet');
    return { key: 'a' };
  };
  const failures = await Promise.allSettled(Array.from({ length: 5 }, async () => cache.get('a', make)));
  expect(failures.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  expect(made).toBe(1);
  const values = await Promise.all(Array.from({ length: 5 }, async () => cache.get('a', make)));
  expect(new Set(values).size).toBe(1);
  expect(made).toBe(2);
});
