import { describe, test } from 'vitest';
import { oddBlog } from '../service/blogs.ts';
import type { Home } from '../service/home.ts';
import { freshAddress } from './caller.ts';
import { crowd, served } from './crowd.ts';
import { integerHeader } from './fields.ts';
import { useStage } from './stage.ts';

/** Seconds for which a revoked key may still work. */
const BELIEVED = 30;

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Tests that must wait; they run in parallel. */
export function describeWaiting(home: Home): void {
  describe.concurrent(`${home.name}: timing`, () => {
    const stage = useStage(home, oddBlog, {});

    test('a revoked key works for 30 seconds at most', async ({ expect }) => {
      const { service, caller } = stage();
      const { key, prefix } = await service.createKey({ account: 'revoked', name: 'revoked' });
      expect((await caller.get('/me', { key })).status).toBe(200);
      await service.revokeKey(prefix);
      await sleep(BELIEVED + 1);
      expect((await caller.get('/me', { key })).status).toBe(401);
    });

    test('after a rotation, the new key works at once, and the old one for 30 seconds at most', async ({
      expect,
    }) => {
      const { service, caller } = stage();
      const old = await service.createKey({ account: 'rotated', name: 'rotated', scopes: ['blog:read'] });
      expect((await caller.get('/posts', { key: old.key })).status).toBe(200);
      const heir = await service.rotateKey(old.prefix);
      expect(heir).toMatchObject({ account: old.account, name: old.name, scopes: old.scopes });
      expect(heir.key).not.toBe(old.key);
      const reply = await caller.get('/posts', { key: heir.key });
      expect(reply.status).toBe(200);
      expect(integerHeader(reply, 'X-Quota-Used')).toBe(2); // The account's count continues.
      expect((await caller.get('/tags', { key: heir.key })).status).toBe(403);
      await sleep(BELIEVED + 1);
      expect((await caller.get('/posts', { key: old.key })).status).toBe(401);
      expect((await caller.get('/posts', { key: heir.key })).status).toBe(200);
    });

    test('a caller that waits for Retry-After is served', async ({ expect }) => {
      const { caller } = stage();
      const address = freshAddress();
      const replies = await crowd(6, 6, () => caller.get('/me', { address }));
      expect(served(replies)).toHaveLength(30);
      const refused = await caller.get('/me', { address });
      expect(refused.status).toBe(429);
      await sleep(integerHeader(refused, 'Retry-After'));
      expect((await caller.get('/me', { address })).status).toBe(200);
    });
  });
}
