import { expect, test } from 'vitest';
import { Random } from '../../bench/generate/random.ts';
import { decimal } from '../../gateway/decimal.ts';

test('writes whole numbers as String does', () => {
  const random = new Random(1, 71);
  const edges = [0, 9, 10, 999, 1000, 1001, 99_999, 1_000_000, 1_000_999, Number.MAX_SAFE_INTEGER];
  const others = Array.from({ length: 20_000 }, (_, i) => random.below(10 ** (1 + (i % 15))));
  for (const value of [...edges, ...others]) expect(decimal(value)).toBe(String(value));
});
