import { PREFIX } from '../contract/api.ts';
import { parsePointer } from '../contract/pointer.ts';
import { Cache } from '../gateway/cache.ts';
import { Gateway } from '../gateway/gateway.ts';
import type { SnapshotStore } from '../gateway/home.ts';
import type { MaybePromise } from '../gateway/maybe-promise.ts';
import { newTally, peekRequest } from '../gateway/quota.ts';
import type { Reply } from '../gateway/reply.ts';
import { Objects } from '../gateway/snapshot/objects.ts';
import { Snapshot } from '../gateway/snapshot/snapshot.ts';
import { NO_LIMITS } from './offprint.ts';

/** The cache of answers of the gateway on one machine. */
const ANSWER_BYTES = 24 * 2 ** 20;

/** The snapshot of a store. @param off caches that it does without */
export async function openSnapshot(
  store: SnapshotStore,
  objectBytes: number,
  ...off: readonly ('answers' | 'matchings' | 'occurrences')[]
): Promise<Snapshot> {
  const { snapshot: id } = parsePointer(await store.readPointer());
  const objects = new Objects(store, objectBytes);
  const snapshot = new Snapshot(id, await objects.read('directory', id), objects, ANSWER_BYTES);
  for (const name of off) Object.assign(snapshot, { [name]: new Cache(1, () => 1) });
  return snapshot;
}

/** Asks the gateway's core for a list of posts, by its query: without HTTP, and with counts that are not kept. */
export function coreAsker(): (snapshot: Snapshot, query: string) => MaybePromise<Reply> {
  const count: ConstructorParameters<typeof Gateway>[1]['count'] = (principal) =>
    peekRequest(newTally(), principal, NO_LIMITS, Date.now());
  const gateway = new Gateway(
    { find: () => null, now: Date.now },
    { count, peek: count },
    { reportError: console.error },
  );
  const caller = { header: () => undefined, addressId: () => 'address:bench' };
  return (snapshot, query) =>
    gateway.handle({ method: 'GET', target: `${PREFIX}/posts?${query}`, ...caller }, snapshot);
}
