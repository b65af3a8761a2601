import { expect, test } from 'vitest';
import { RepeatedBodies } from '../../gateway/node/repeated-bodies.ts';

const BODY = Uint8Array.from({ length: 10_000 }, (_, i) => i % 256);

test('a text has one character for each byte, and is made once', () => {
  const repeated = new RepeatedBodies();
  const text = repeated.textOf(BODY, '"a"');
  expect(Buffer.from(text ?? '', 'latin1').equals(BODY)).toBe(true);
  expect(repeated.textOf(BODY.slice(), '"a"')).toBe(text);
});

test('bodies that are sent once are not kept when there is no room', () => {
  const repeated = new RepeatedBodies();
  repeated.textOf(BODY, '"popular"');
  for (let i = 0; i < 2000; i++) repeated.textOf(BODY, `"${i}"`);
  expect(repeated.textOf(BODY, '"once"')).toBeUndefined();
  expect(repeated.textOf(BODY, '"popular"')).toBeDefined();
});

test('a small body has a text, with and without an entity tag', () => {
  const body = Uint8Array.from({ length: 300 }, (_, i) => i % 256);
  for (const etag of [null, '"a"'])
    expect(Buffer.from(new RepeatedBodies().textOf(body, etag) ?? '', 'latin1').equals(body)).toBe(true);
  expect(new RepeatedBodies().textOf(BODY, null)).toBeUndefined();
});

test('a large body has no text, so that all who receive it slowly share its bytes', () => {
  expect(new RepeatedBodies().textOf(new Uint8Array(3_000_000), '"large"')).toBeUndefined();
});
