import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { AHEAD_MAX } from '../../gateway/worker/burst.ts';
import { oddBlog } from '../service/blogs.ts';
import type { Reply } from '../service/client.ts';
import type { CreatedKey, Home } from '../service/home.ts';
import { freshAddress } from './caller.ts';
import { crowd, served, upTo, usedBy } from './crowd.ts';
import { integerHeader, quotaOf, rateLimitOf } from './fields.ts';
import { failure } from './shapes.ts';
import { useStage } from './stage.ts';

/** The two limits on `home`: exact under parallel requests, for every kind of caller, and after a crash. */
export function describeQuotas(home: Home): void {
  describe(`${home.name}: the limits of interface.md`, () => defaultLimits(home));
  describe(`${home.name}: the day`, () => dailyLimit(home));
  describe(`${home.name}: plans`, () => plans(home));
  describe(`${home.name}: stopped and restarted`, () => restarts(home));
}

function defaultLimits(home: Home): void {
  const stage = useStage(home, oddBlog, {});

  test('ten parallel clients of one account get 30 answers in a minute, and each count occurs once', async () => {
    const { service, caller } = stage();
    const admin = await service.createKey({ account: 'admin', name: 'admin', plan: 'admin' });
    expect(quotaOf(await caller.get('/me', { key: admin.key })).limit).toBe(1000);
    const { key } = await service.createKey({ account: 'crowd', name: 'crowd' });
    const replies = await crowd(10, 10, () => caller.get('/posts', { key }));
    expect(usedBy(served(replies))).toEqual(upTo(30));
    for (const reply of replies)
      expect(rateLimitOf(reply, 'RateLimit-Policy').get('minute')?.get('q')).toBe(30);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(70);
    for (const reply of refused) {
      expect(failure.parse(reply.json).message).toMatch(/minute/i);
      expect(quotaOf(reply)).toMatchObject({ limit: 100, used: 30, remaining: 70 });
      const minute = rateLimitOf(reply, 'RateLimit').get('minute');
      expect(minute).toEqual(
        new Map([
          ['r', 0],
          ['t', integerHeader(reply, 'Retry-After')],
        ]),
      );
    }
  });
}

function dailyLimit(home: Home): void {
  const stage = useStage(home, oddBlog, { limits: { minute: 5_000 } });

  test('ten parallel clients of one account, each with its own key, get 100 answers', async () => {
    const { service, caller } = stage();
    const keys: CreatedKey[] = [];
    for (const name of ['a', 'b', 'c']) keys.push(await service.createKey({ account: 'crowd', name }));
    const replies = await crowd(10, 15, (client) => {
      const key = keys[client % keys.length]?.key;
      return caller.get('/posts', key === undefined ? {} : { key });
    });
    expect(usedBy(served(replies))).toEqual(upTo(100));
    for (const reply of replies.filter(({ status }) => status === 429)) {
      expect(failure.parse(reply.json).message).toMatch(/\bda(?:y|ily)\b/i);
      expect(quotaOf(reply)).toMatchObject({ limit: 100, used: 100, remaining: 0 });
      expect(rateLimitOf(reply, 'RateLimit').get('daily')?.get('r')).toBe(0);
    }
    const fresh = await service.createKey({ account: 'crowd', name: 'one more' });
    expect((await caller.get('/me', { key: fresh.key })).status).toBe(429);
  });

  test('an address gets 50, including requests with wrong keys', async () => {
    const address = freshAddress();
    const replies = await crowd(10, 7, (client) =>
      stage().caller.get('/tags', client % 2 === 0 ? { address } : { address, key: 'guess' }),
    );
    expect(usedBy(served(replies))).toEqual(upTo(50));
    expect(new Set(served(replies).map(({ status }) => status))).toEqual(new Set([200, 401]));
  });

  describe('after the limit', () => {
    const address = freshAddress();
    let key = '';
    let unused = '';
    beforeAll(async () => {
      const { service, caller } = stage();
      key = (await service.createKey({ account: 'used up', name: 'used up', scopes: ['authors:read'] })).key;
      unused = (await service.createKey({ account: 'not used', name: 'not used' })).key;
      await crowd(5, 10, () => caller.get('/me', { address }));
      await crowd(5, 20, () => caller.get('/me', { key }));
    });

    test.each([
      ['/posts', 'GET'],
      ['', 'GET'],
      ['/me', 'GET'],
      ['/nothing', 'GET'],
      ['/posts', 'POST'],
      ['/nothing', 'DELETE'],
      ['/posts?page=0', 'GET'],
      ['/posts?api_key=x', 'GET'],
      ['/posts/%zz', 'GET'],
      [`/posts?q=${'x'.repeat(101)}`, 'GET'],
      ['/posts/nothing-like-it', 'GET'],
      ['/posts', 'HEAD'],
    ])('429 comes before all checks but the key: %s %s', async (path, method) => {
      for (const who of [{ address }, { key }]) {
        const reply = await stage().caller.get(path, { ...who, method });
        expect(reply.status).toBe(429);
        expect(quotaOf(reply).remaining).toBe(0);
      }
    });

    test('neither does a matching If-None-Match help, nor a wrong key from that address', async () => {
      for (const options of [
        { headers: { 'if-none-match': '*' } },
        { key: 'guess' },
        { headers: { 'x-api-key': 'guess' } },
      ])
        expect((await stage().caller.get('/posts', { address, ...options })).status).toBe(429);
    });

    test('a valid key from that address has its account’s quota, and a used-up key does not affect its address', async () => {
      expect((await stage().caller.get('/posts', { address, key: unused })).status).toBe(200);
      const elsewhere = freshAddress();
      expect((await stage().caller.get('/posts', { address: elsewhere, key })).status).toBe(429);
      expect(quotaOf(await stage().caller.get('/me', { address: elsewhere })).used).toBe(1);
    });

    test('a preflight is answered, and refused requests do not count', async () => {
      await crowd(5, 5, () => stage().caller.get('/me', { address }));
      const reply = await stage().caller.get('/posts', { address, method: 'OPTIONS' });
      expect(reply.status).toBe(204);
      expect(quotaOf(reply)).toMatchObject({ limit: 50, used: 50, remaining: 0 });
    });
  });
}

function plans(home: Home): void {
  const limits = {
    day: { address: 50, user: 60, admin: 1000, partner: 120, trickle: 5000 },
    minute: { address: 5_000, user: 5_000, admin: 5_000, partner: 5_000, trickle: 10 },
  };
  const stage = useStage(home, oddBlog, { limits });

  test('an account has the limits of its plan, and nobody else learns of them', async () => {
    const { service, caller } = stage();
    const { key } = await service.createKey({ account: 'a partner', name: 'site', plan: 'partner' });
    const replies = await crowd(10, 14, () => caller.get('/posts', { key }));
    expect(usedBy(served(replies))).toEqual(upTo(120));
    for (const reply of replies) {
      expect(quotaOf(reply).limit).toBe(120);
      expect(rateLimitOf(reply, 'RateLimit-Policy').get('daily')?.get('q')).toBe(120);
    }
    for (const path of ['', '/me', '/openapi.json', '/']) {
      const reply = await caller.get(path, { address: freshAddress() });
      expect(reply.text).not.toMatch(/partner|trickle/);
    }
  });

  test('while a plan changes, nobody gets more than the larger limit, and no count occurs twice', async () => {
    const { service, caller } = stage();
    const { key } = await service.createKey({ account: 'moved', name: 'site' });
    let change: Promise<void> | undefined;
    const replies = await crowd(10, 20, async () => {
      change ??= service.setPlan('moved', 'partner');
      return caller.get('/me', { key });
    });
    await change;
    const first = served(replies);
    expect(first.length).toBeGreaterThanOrEqual(60);
    await expect.poll(async () => quotaOf(await caller.get('/me', { key })).limit).toBe(120);
    const rest = served(await crowd(10, 10, () => caller.get('/me', { key })));
    const counts = usedBy([...first, ...rest]);
    expect(new Set(counts).size).toBe(counts.length);
    expect(Math.max(...counts)).toBe(120);
  });

  test('a key works until it expires, to the second, and then says so', async () => {
    const { service, caller } = stage();
    let [when, worked, late]: [string, number, Reply | undefined] = ['', 0, undefined];
    // Later, if a busy machine has not used it before.
    for (let seconds = 10; worked === 0; seconds *= 2) {
      const end = Math.ceil(Date.now() / 1000 + seconds) * 1000;
      when = new Date(end).toISOString().replace('.000', '');
      const wish = { account: 'passing', name: `for ${seconds} s`, plan: 'admin', expires: when };
      const { key } = await service.createKey(wish);
      for (late = undefined; late === undefined; await delay(100)) {
        const sent = Date.now();
        const reply = await caller.get('/me', { key, address: freshAddress() });
        if (sent >= end) expect(reply.status).toBe(401);
        else expect([200, 401]).toContain(reply.status);
        if (reply.status === 401) late = reply;
        else worked += 1;
      }
      expect(Date.now()).toBeGreaterThanOrEqual(end);
    }
    if (late === undefined) throw new Error('It never expired.');
    expect(failure.parse(late.json).message).toBe(`This API key expired at ${when}. Use another key.`);
    expect(late.header('WWW-Authenticate')).toContain(
      `error="invalid_token", error_description="expired at ${when}"`,
    );
    expect(quotaOf(late).limit).toBe(50);
  });
}

function restarts(home: Home): void {
  // A Worker may have stored requests ahead, which a kill leaves counted (decision 23).
  const ahead = home.name === 'Worker' ? AHEAD_MAX : 0;
  const stage = useStage(home, oddBlog, { limits: { minute: 5_000 } });

  test('after kill -9 the count continues, for keys and addresses', async () => {
    const { service, caller } = stage();
    const { key } = await service.createKey({ account: 'killed', name: 'killed' });
    const address = freshAddress();
    const begun = performance.now();
    for (let request = 1; request <= 20; request += 1) {
      expect(quotaOf(await caller.get('/me', { key })).used).toBe(request);
      expect(quotaOf(await caller.get('/me', { address })).used).toBe(request);
    }
    await service.kill();
    await service.restart();
    const used: number[] = [];
    for (const who of [{ key }, { address }]) {
      const reply = await caller.get('/me', who);
      used.push(quotaOf(reply).used);
      // So does that of the minute, until it has passed.
      const left = rateLimitOf(reply, 'RateLimit').get('minute')?.get('r');
      if (performance.now() - begun < 60_000) expect(left).toBe(5_000 - quotaOf(reply).used);
    }
    for (const count of used) {
      expect(count).toBeGreaterThanOrEqual(21);
      expect(count).toBeLessThanOrEqual(21 + ahead);
    }
    await service.stop();
    await service.restart();
    expect(quotaOf(await caller.get('/me', { key })).used).toBe((used[0] ?? 0) + 1);
    expect(quotaOf(await caller.get('/me', { address })).used).toBe((used[1] ?? 0) + 1);
  });

  test('after a kill under load, no count is used twice', async () => {
    const { service, caller } = stage();
    const { key } = await service.createKey({ account: 'crowd', name: 'crowd' });
    const counts: number[] = [];
    let unanswered = 0;
    let killing: Promise<void> | undefined;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (counts.length < 80) {
          try {
            counts.push(quotaOf(await caller.get('/me', { key })).used);
          } catch {
            unanswered += 1;
            return;
          }
          if (counts.length >= 40) killing ??= service.kill();
        }
      }),
    );
    await killing;
    await service.restart();
    expect(counts.length).toBeLessThan(80);
    const rest = served(await crowd(8, 15, () => caller.get('/me', { key })));
    const all = [...counts, ...usedBy(rest)];
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeLessThanOrEqual(100);
    // A request without an answer may have been counted.
    expect(all.length).toBeGreaterThanOrEqual(100 - unanswered - ahead);
    expect(Math.max(...all)).toBe(100);
  });
}
