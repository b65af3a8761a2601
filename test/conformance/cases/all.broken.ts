import { describe, expect, test } from 'vitest';
import type { Reply } from '../../service/client.ts';
import { rawGet, sendRaw } from '../../service/raw-client.ts';
import { failure } from '../shapes.ts';
import { PREFIX, type Cases } from './suite.ts';

/** Malformed requests are refused with the envelope, and the service continues. */
export const allBroken: Cases = (stage) => {
  const stillServes = async () => {
    expect((await stage().caller.get('/posts')).status).toBe(200);
  };
  /** Replies of the platform in front of the service are not checked. */
  const isOurs = (reply: Reply | null): reply is Reply =>
    reply !== null &&
    (stage().service.receivesRawRequests || reply.header('Access-Control-Allow-Origin') !== undefined);
  describe('a malformed request', () => {
    test.each([
      ['a query of 100 KB', rawGet(`${PREFIX}/posts?q=${'x'.repeat(100_000)}`)],
      ['a path of 100 KB in percent-encoding', rawGet(`${PREFIX}/posts/${'%F0%9F%A6%80'.repeat(8_500)}`)],
      ['ten thousand parameters', rawGet(`${PREFIX}/posts?${'page=1&'.repeat(10_000)}`)],
      ['a query of 12 KB', rawGet(`${PREFIX}/posts?q=${'x'.repeat(12_000)}`)],
      ['headers of 100 KB', rawGet(`${PREFIX}/posts`, [`X-Filler: ${'x'.repeat(100_000)}`])],
      ['ten thousand headers', rawGet(`${PREFIX}/posts`, Array<string>(10_000).fill('A: b'))],
      ['a query of 3 MB', rawGet(`${PREFIX}/posts?q=${'x'.repeat(3_000_000)}`)],
    ])('%s', async (_, request) => {
      const sentAt = Date.now();
      const reply = await sendRaw(stage().service.url, request);
      if (isOurs(reply)) {
        // Too long for the platform, or for us; or not read at all.
        expect([200, 400, 404, 414, 422, 431]).toContain(reply.status);
        if (reply.status >= 400) failure.parse(reply.json);
        await stage().caller.check({ path: `${PREFIX}/posts` }, reply, sentAt);
      }
      await stillServes();
    });

    test.each([
      ['in the path', Buffer.from(`${PREFIX}/posts/\xff\xfe`, 'latin1')],
      ['in the query', Buffer.from(`${PREFIX}/posts?q=\xff\xfe`, 'latin1')],
      ['UTF-8 as it is, in the query', Buffer.from(`${PREFIX}/posts?q=\u65e5\u672c\u8a9e`)],
    ])('raw bytes %s', async (_, target) => {
      const reply = await sendRaw(stage().service.url, rawGet(target));
      if (isOurs(reply)) {
        expect(reply.status).toBeLessThan(500);
        expect(reply.json).toMatchObject({ success: expect.any(Boolean) });
      }
      await stillServes();
    });
  });
};
