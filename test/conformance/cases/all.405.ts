import { describe, expect, test } from 'vitest';
import { send } from '../../service/client.ts';
import { freshAddress } from '../caller.ts';
import { quotaOf } from '../fields.ts';
import { ENDPOINTS, PREFIX, type Cases } from './suite.ts';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'SEARCH'];

/** The interface is read-only. */
export const all405: Cases = (stage) => {
  describe.each(METHODS)('%s: 405', (method) => {
    test.each(ENDPOINTS)('on "%s"', async (path) => {
      expect((await stage().caller.get(path, { method })).status).toBe(405);
    });
  });

  describe('405', () => {
    test('with a body, which is ignored', async () => {
      const { service } = stage();
      const call = {
        method: 'POST',
        path: `${PREFIX}/posts`,
        headers: { ...service.from('192.0.2.1'), 'content-type': 'application/json' },
        body: '{"title":',
      };
      const sentAt = Date.now();
      const reply = await send(service.url, call);
      expect(reply.status).toBe(405);
      await stage().caller.check(call, reply, sentAt);
    });

    test('counts, and comes before wrong parameters and existence', async () => {
      const address = freshAddress();
      const post = (path: string) => stage().caller.get(path, { method: 'POST', address });
      expect(quotaOf(await post('/posts')).used).toBe(1);
      expect((await post('/posts?page=0')).status).toBe(405);
      expect(quotaOf(await post('/posts/nothing-like-it')).used).toBe(3);
    });
  });
};
