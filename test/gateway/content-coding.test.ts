import { expect, test } from 'vitest';
import { createEncode, preferredCoding } from '../../gateway/node/content-coding.ts';

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip;q=0.5,br;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0.2, identity;q=0.8', null],
  ['gzip;q=0.8, identity;q=0.2', 'gzip'],
  ['deflate, zstd', null],
  ['gzip;q=2', null],
  ['gzip;q=a', null],
  ['br ; q=0.9 , gzip ; q=0.1', 'br'],
  [',,;=, gzip', 'gzip'],
  [`${','.repeat(1_020)}gzip`, 'gzip'],
  [`${','.repeat(1_021)}gzip`, null],
])('%s: %s', (header, coding) => {
  expect(preferredCoding(header)).toBe(coding);
});

test.each(['br', 'gzip'] as const)('a body in %s keeps no more in memory than it has', async (coding) => {
  const body = new Uint8Array(Buffer.from('{"text":"word"}'.repeat(200)));
  const reply = { status: 200, headers: [], body, representation: { body, etag: '"a"' } };
  const { body: coded } = await createEncode(2 ** 20)(reply, coding);
  expect(coded?.length).toBeLessThan(200);
  expect(coded?.buffer.byteLength).toBe(coded?.length);
});
