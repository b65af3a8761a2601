import { describe, expect, test } from 'vitest';
import { emptyBlog } from '../service/blogs.ts';
import { nodeHome } from '../service/node-home.ts';
import { rawGet, sendRaw } from '../service/raw-client.ts';
import { PREFIX } from './caller.ts';
import { quotaOf } from './fields.ts';
import { FREE, useStage, type Stage } from './stage.ts';

// The principal of a request without a key, behind a proxy, which appends the address of its client to X-Forwarded-For.
// test/safety/quotas.test.ts has none and more.

/** The count of the principal of a request with these headers. */
async function usedWith(stage: Stage, ...forwarded: string[]): Promise<number> {
  const lines = forwarded.map((value) => `X-Forwarded-For: ${value}`);
  const reply = await sendRaw(stage.service.url, rawGet(`${PREFIX}/me`, lines));
  if (reply === null) throw new Error('The service gave no reply.');
  expect(reply.status).toBe(200);
  return quotaOf(reply).used;
}

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

  test('without the header, the address of the connection counts', async () => {
    const used = await usedWith(stage());
    expect(await usedWith(stage(), '127.0.0.1')).toBe(used + 1);
  });

  test.each(['garbage', '', '198.51.100.1:', 'x'.repeat(5000)])(
    'an invalid address is ignored: "%s"',
    async (value) => {
      const before = await usedWith(stage());
      expect(await usedWith(stage(), value)).toBe(before + 1);
    },
  );
});
