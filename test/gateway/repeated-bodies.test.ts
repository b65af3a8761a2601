import { expect, test } from 'vitest';
import { RepeatedBodies } from '../../gateway/node/repeated-bodies.ts';

const bodyOf = (length: number) => Uint8Array.from({ length }, (_, i) => i % 256);

test('a text has one character for each byte, and is made once', () => {
  const repeated = new RepeatedBodies();
  const body = bodyOf(1000);
  const text = repeated.textOf(body, '"a"');
  expect(Buffer.from(text ?? '', 'latin1').equals(body)).toBe(true);
  expect(repeated.textOf(body, '"a"')).toBe(text);
});

test('bodies that are sent once are not kept when there is no room', () => {
  const repeated = new RepeatedBodies();
  const popular = bodyOf(10_000);
  repeated.textOf(popular, '"popular"');
  for (let i = 0; i < 2000; i++) repeated.textOf(bodyOf(10_000), `"${i}"`);
  expect(repeated.textOf(bodyOf(10_000), '"once"')).toBeUndefined();
  expect(repeated.textOf(popular, '"popular"')).toBeDefined();
});
