import { expect, test } from 'vitest';
import { quotaOf } from '../fields.ts';
import type { Cases } from './suite.ts';

/** A refused permission counts for the account. statuses.txt says what each permission opens. */
export const all403: Cases = (stage, keys) => {
  test('403 counts against the account of the key', async () => {
    const { key } = keys().taxonomy;
    const before = quotaOf(await stage().caller.get('/me', { key }));
    const reply = await stage().caller.get('/posts', { key });
    expect(reply.status).toBe(403);
    expect(quotaOf(reply)).toMatchObject({ limit: before.limit, used: before.used + 1 });
  });
};
