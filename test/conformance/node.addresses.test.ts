import { describe, expect, test } from 'vitest';
import { emptyBlog } from '../service/blogs.ts';
import { nodeHome } from '../service/node-home.ts';
import { rawGet, sendRaw } from '../service/raw-client.ts';
import { PREFIX } from './caller.ts';
import { quotaOf } from './fields.ts';
import { FREE, useStage, type Stage } from './stage.ts';

// The principal of a request without a key, behind zero, one or two proxies. Each proxy appends the address of its
// client to X-Forwarded-For.

/** The count of the principal of a request with these headers. */
async function usedWith(stage: Stage, ...forwarded: string[]): Promise<number> {
  const lines = forwarded.map((value) => `X-Forwarded-For: ${value}`);
  const reply = await sendRaw(stage.service.url, rawGet(`${PREFIX}/me`, lines));
  if (reply === null) throw new Error('The service gave no reply.');
  expect(reply.status).toBe(200);
  return quotaOf(reply).used;
}

describe('without a proxy', () => {
  const stage = useStage(nodeHome, emptyBlog, { ...FREE, trusted_proxies: 0 });

  test('X-Forwarded-For is ignored', async () => {
    expect(await usedWith(stage())).toBe(1);
    expect(await usedWith(stage(), '198.51.100.1')).toBe(2);
    expect(await usedWith(stage(), '198.51.100.2, 198.51.100.3')).toBe(3);
    expect(await usedWith(stage(), 'garbage')).toBe(4);
  });
});

describe('behind one proxy', () => {
  const stage = useStage(nodeHome, emptyBlog, { ...FREE, trusted_proxies: 1 });

  test('the last address counts; earlier ones, which a client can forge, are ignored', async () => {
    expect(await usedWith(stage(), '198.51.100.1')).toBe(1);
    expect(await usedWith(stage(), '203.0.113.9, 198.51.100.1')).toBe(2);
    expect(await usedWith(stage(), '203.0.113.10 ,203.0.113.11,198.51.100.1')).toBe(3);
    expect(await usedWith(stage(), '203.0.113.9', '198.51.100.1')).toBe(4);
    expect(await usedWith(stage(), 'garbage, 198.51.100.1')).toBe(5);
    expect(await usedWith(stage(), '198.51.100.2')).toBe(1);
    expect(await usedWith(stage(), '203.0.113.9')).toBe(1);
  });

  test('a port that some proxies add is ignored', async () => {
    expect(await usedWith(stage(), '198.51.100.7')).toBe(1);
    expect(await usedWith(stage(), '198.51.100.7:4711')).toBe(2);
    expect(await usedWith(stage(), '203.0.113.9:1, 198.51.100.7:65535')).toBe(3);
    expect(await usedWith(stage(), '2001:db8::1')).toBe(1);
    expect(await usedWith(stage(), '[2001:db8::1]:443')).toBe(2);
    expect(await usedWith(stage(), '[2001:db8::2]')).toBe(3);
    expect(await usedWith(stage(), '[::ffff:198.51.100.7]:443')).toBe(4);
  });

  test('without the header, the address of the connection counts', async () => {
    const used = await usedWith(stage());
    expect(await usedWith(stage(), '127.0.0.1')).toBe(used + 1);
  });

  test.each([
    'garbage',
    '',
    ',',
    '999.999.999.999',
    '::::',
    '198.51.100.1.2',
    '198.51.100.099',
    '198.51.100.1:',
    '[::1',
    'x'.repeat(5000),
  ])('an invalid address is ignored: "%s"', async (value) => {
    const before = await usedWith(stage());
    expect(await usedWith(stage(), value)).toBe(before + 1);
  });
});

describe('behind two proxies', () => {
  const stage = useStage(nodeHome, emptyBlog, { ...FREE, trusted_proxies: 2 });

  test('the second last address counts', async () => {
    expect(await usedWith(stage(), '198.51.100.1, 203.0.113.1')).toBe(1);
    expect(await usedWith(stage(), '198.51.100.1, 203.0.113.2')).toBe(2);
    expect(await usedWith(stage(), '192.0.2.55, 198.51.100.1, 203.0.113.3')).toBe(3);
    expect(await usedWith(stage(), '198.51.100.1', '203.0.113.3')).toBe(4);
    expect(await usedWith(stage(), '198.51.100.2, 203.0.113.1')).toBe(1);
  });
});
