import { PREFIX } from '../contract/api.ts';
import { Gateway } from '../gateway/gateway.ts';
import type { MaybePromise } from '../gateway/maybe-promise.ts';
import { newTally, peekRequest } from '../gateway/quota.ts';
import type { Reply } from '../gateway/reply.ts';
import type { Snapshot } from '../gateway/snapshot/snapshot.ts';
import { NO_LIMITS } from './offprint.ts';

/** Asks the gateway's core for a list of posts, by its query: without HTTP, and with counts that are not kept. */
export function coreAsker(): (snapshot: Snapshot, query: string) => MaybePromise<Reply> {
  const count: ConstructorParameters<typeof Gateway>[1]['count'] = (principal) =>
    peekRequest(newTally(), principal, NO_LIMITS, Date.now());
  const gateway = new Gateway({ find: () => null }, { count, peek: count }, { failed: console.error });
  const caller = { header: () => undefined, addressId: () => 'address:bench' };
  return (snapshot, query) =>
    gateway.handle({ method: 'GET', target: `${PREFIX}/posts?${query}`, ...caller }, snapshot);
}
