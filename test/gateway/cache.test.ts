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
