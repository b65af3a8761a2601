import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatKey, keyPrefix, RANDOM_CHARACTERS } from '../../contract/api-key.ts';
import { keyCache } from '../../gateway/key-cache.ts';

const NOON = Date.UTC(2026, 5, 10, 12);
const KEY = formatKey(Array.from({ length: RANDOM_CHARACTERS }, () => 1));
const RECORD = {
  account: 'ada',
  plan: 'admin',
  name: 'n',
  scopes: [],
  revoked: false,
  prefix: keyPrefix(KEY),
};

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test('a record is believed as long as was said, so that a revoked key ends', () => {
  let reads = 0;
  const read = () => {
    reads += 1;
    return { text: JSON.stringify(RECORD) };
  };
  const keys = keyCache({ hashKey: (key) => key, read }, 10_000);
  for (const [after, expected] of [
    [0, 1],
    [9_999, 1],
    [10_001, 2],
  ] as const) {
    vi.setSystemTime(NOON + after);
    void keys.find(KEY);
    expect(reads, `after ${after} ms`).toBe(expected);
  }
});

test('a clock that is set back does not make a record live longer', () => {
  let reads = 0;
  const read = () => {
    reads += 1;
    return null;
  };
  const keys = keyCache({ hashKey: (key) => key, read }, 10_000);
  const find = () => void keys.find(KEY);
  find();
  find();
  expect(reads).toBe(1);
  vi.setSystemTime(NOON - 3_600_000);
  find();
  find();
  expect(reads).toBe(2);
});

test('the record of another key is none, as after two files were swapped', async () => {
  const found = async (prefix: string) => {
    const text = JSON.stringify({ ...RECORD, prefix });
    return keyCache({ hashKey: (key) => key, read: () => ({ text }) }, 10_000).find(KEY);
  };
  expect(await found(keyPrefix(KEY))).toEqual(RECORD);
  expect(await found('opk_00000000')).toBeNull();
});
