/**
 * Counting while the snapshot is loading: by the last known limits, checked against the new ones.
 */
import { expect, test } from 'vitest';
import type { Directory } from '../../contract/directory.ts';
import { DEFAULT_LIMITS, type Limits, NO_LIMIT, policyFor } from '../../contract/policy.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import { Gateway } from '../../gateway/gateway.ts';
import type { GatewayRequest, QuotaCounter } from '../../gateway/home.ts';
import { countRequest, newTally, peekRequest } from '../../gateway/quota.ts';
import { Objects } from '../../gateway/snapshot/objects.ts';
import { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { countedAhead } from '../../gateway/worker/counted-ahead.ts';

const NOON = Date.UTC(2026, 5, 10, 12);
const withDay = (address: number): Limits => ({ ...DEFAULT_LIMITS, day: { ...DEFAULT_LIMITS.day, address } });

/** From an empty blog. */
function snapshotWith(limits: Limits): Snapshot {
  const nothing = { readObject: () => Promise.resolve(null), hashObject: () => '' };
  const directory: Directory = {
    ...{ format: FORMAT, posts: 0, viewed: 0, authors: 0, policy: policyFor(limits), site: { name: 'Blog' } },
    ...{ overview: '', categories: '', tags: '', files: [], pages: [], author_pages: [], views: [] },
    ...{ page_times: [], popular: [], most_viewed: null, suffixes: [] },
    names: { post: { inline: [] }, author: { inline: [] } },
  };
  return new Snapshot('', directory, new Objects(nothing, 1000), 1000);
}

/** Requests `/me` while the snapshot is loading, as the Worker does. */
function askMe(
  quotas: QuotaCounter,
  known: Limits,
  snapshot: Promise<Snapshot>,
  reportError: (error: unknown) => void,
) {
  const counted = countedAhead(quotas, known);
  const request: GatewayRequest = {
    ...{ method: 'GET', target: '/api/public/v1/me' },
    header: () => undefined,
    addressId: () => 'address:one',
    onIdentified: ({ principal }, isCounted) => counted.start(principal, isCounted),
  };
  return new Gateway({ find: () => null, now: Date.now }, counted, { reportError }).handle(request, snapshot);
}

/**
 * A gateway whose caller has used part of the day. Requests `/me` before the snapshot with the limits `current` is
 * loaded.
 */
async function ask(known: Limits, current: Limits, used = 0) {
  const tally = newTally();
  tally.days.push({ day: Math.floor(NOON / 86_400_000), used });
  const calls: string[] = [];
  const quotas: QuotaCounter = {
    count(principal, limits) {
      calls.push('count');
      return Promise.resolve(countRequest(tally, principal, limits, NOON));
    },
    peek(principal, limits) {
      calls.push('peek');
      return Promise.resolve(peekRequest(tally, principal, limits, NOON));
    },
  };
  const failed: unknown[] = [];
  const { promise: snapshot, resolve: arrive } = Promise.withResolvers<Snapshot>();
  const reply = askMe(quotas, known, snapshot, (error) => failed.push(error));
  await new Promise((resolve) => setImmediate(resolve));
  const early = [...calls];
  arrive(snapshotWith(current));
  const answered = await reply;
  expect(failed).toEqual([]);
  return { early, calls, reply: answered, used: tally.days[0]?.used };
}

const quotaOf = ({ headers }: { readonly headers: readonly string[] }) =>
  ['X-Quota-Limit', 'X-Quota-Used'].map((name) => Number(headers[headers.indexOf(name) + 1]));

const NO_DAY: Limits = { day: { address: NO_LIMIT, user: 1, admin: 1 }, minute: NO_LIMIT };
const OTHER_ADMIN = { ...DEFAULT_LIMITS, day: { ...DEFAULT_LIMITS.day, admin: 7 } };

test.each([
  ['the same', DEFAULT_LIMITS, { ...DEFAULT_LIMITS }, 0, ['count'], [200, 50, 1], 1],
  ['those of another plan', DEFAULT_LIMITS, OTHER_ADMIN, 0, ['count'], [200, 50, 1], 1],
  ['higher', withDay(50), withDay(80), 10, ['count', 'peek'], [200, 80, 11], 11],
  ['higher, after a refusal', withDay(10), withDay(80), 10, ['count', 'count'], [200, 80, 11], 11],
  ['lower than what was used', withDay(50), withDay(5), 10, ['count', 'peek'], [429, 5, 11], 11],
  ['the first', NO_DAY, withDay(5), 0, ['count', 'count'], [200, 5, 1], 1],
])(
  'counting does not wait for the snapshot, whose limits are %s',
  async (_, known, current, before, calls, answer, after) => {
    const { early, calls: all, reply, used } = await ask(known, current, before);
    expect({ early, all }).toEqual({ early: calls.slice(0, 1), all: calls });
    expect([reply.status, ...quotaOf(reply)]).toEqual(answer);
    expect(used).toBe(after);
  },
);

test('a failure to count is a 500, also if the snapshot loads later', async () => {
  const quotas: QuotaCounter = {
    count: () => Promise.reject(new Error('broken')),
    peek: () => Promise.reject(new Error('broken')),
  };
  const failed: unknown[] = [];
  const { promise: late, resolve: arrive } = Promise.withResolvers<Snapshot>();
  const reply = askMe(quotas, DEFAULT_LIMITS, late, (error) => failed.push(error));
  await new Promise((resolve) => setImmediate(resolve));
  arrive(snapshotWith(DEFAULT_LIMITS));
  expect((await reply).status).toBe(500);
  expect(failed).toHaveLength(1);
});
