import { describe, expect, test } from 'vitest';
import { send } from '../../service/client.ts';
import { PREFIX, type Cases } from './suite.ts';

/** The interface is read-only. statuses.txt has each method and endpoint. */
export const all405: Cases = (stage) => {
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
  });
};
