/** Platforms cache the records of keys, for half a minute at most. */
import { describe, test } from 'vitest';
import { oddBlog } from '../../service/blogs.ts';
import { bucketHome } from '../../service/bucket-home.ts';
import { nodeHome } from '../../service/node-home.ts';
import { workerHome } from '../../service/worker-home.ts';
import { quotaOf } from '../fields.ts';
import { useStage } from '../stage.ts';

describe.concurrent.each([nodeHome, workerHome, bucketHome])('$name', (home) => {
  const stage = useStage(home, oddBlog, {});

  test('a rotated key is replaced at once by one of its account, and it and a revoked key end to work', async ({
    expect,
  }) => {
    const { service, caller } = stage();
    const untilRefused = (key: string) =>
      expect.poll(async () => (await caller.get('/me', { key })).status, { interval: 3000 }).toBe(401);
    const old = await service.createKey({ account: 'rotated', name: 'rotated', scopes: ['blog:read'] });
    expect((await caller.get('/posts', { key: old.key })).status).toBe(200);
    const heir = await service.rotateKey(old.prefix);
    expect(heir).toMatchObject({ account: old.account, name: old.name, scopes: old.scopes });
    const reply = await caller.get('/posts', { key: heir.key });
    expect([reply.status, quotaOf(reply).used]).toEqual([200, 2]);
    expect((await caller.get('/tags', { key: heir.key })).status).toBe(403);
    await untilRefused(old.key);
    expect((await caller.get('/posts', { key: heir.key })).status).toBe(200);
    await service.revokeKey(heir.prefix);
    await untilRefused(heir.key);
  });
});
