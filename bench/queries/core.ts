/**
 * Measures the gateway's core on a published blog: `core.ts DATABASE OUT` prints, for each class of requests, the
 * objects that a cold request reads and the time of a warm one, and the time of each search that is compared with
 * SQL.
 */
import { openForReading } from '../../data/database.ts';
import type { Answer } from '../../gateway/answer.ts';
import { Cache } from '../../gateway/cache.ts';
import { Gateway } from '../../gateway/gateway.ts';
import type { GatewayRequest, SnapshotStore } from '../../gateway/home.ts';
import type { Matching } from '../../gateway/listing/filter.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { countRequest, newTally } from '../../gateway/quota.ts';
import { Objects } from '../../gateway/snapshot/objects.ts';
import { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { isNumber, parseJson, recordOf } from '../../contract/json.ts';
import { parsePointer } from '../../contract/pointer.ts';
import { median } from '../median.ts';
import { requestClasses, searches } from './requests.ts';

/** The cache sizes of the gateway on one machine. */
const OBJECT_BYTES = 40 * 2 ** 20;
const ANSWER_BYTES = 24 * 2 ** 20;
const ROUND_MS = 600;

export interface CoreMeasurement {
  readonly classes: readonly {
    readonly name: string;
    /** The maximum of its requests. */
    readonly objects: number;
    /** The median time of its slowest request. */
    readonly ms: number;
  }[];
  readonly searches: readonly { readonly q: string; readonly total: number; readonly ms: number }[];
}

class SwitchedCache<Value extends object> extends Cache<Value> {
  isOn = true;
  override get(...[key, make]: Parameters<Cache<Value>['get']>): ReturnType<Cache<Value>['get']> {
    return this.isOn ? super.get(key, make) : make();
  }
}

class SwitchedSnapshot extends Snapshot {
  override readonly answers = new SwitchedCache<Answer>(ANSWER_BYTES, ({ body }) => body.length);
  override readonly matchings = new SwitchedCache<Matching>(ANSWER_BYTES / 5, ({ bytes }) => bytes);
}

class CountingStore implements SnapshotStore {
  readonly #store: SnapshotStore;
  objects = 0;
  constructor(store: SnapshotStore) {
    this.#store = store;
  }
  readPointer() {
    return this.#store.readPointer();
  }
  readObject(...asked: Parameters<SnapshotStore['readObject']>) {
    this.objects += 1;
    return this.#store.readObject(...asked);
  }
  hashOf(...[bytes]: Parameters<SnapshotStore['hashOf']>) {
    return this.#store.hashOf(bytes);
  }
}

const [databasePath = '', out = ''] = process.argv.slice(2);
const db = openForReading(databasePath);
const classes = requestClasses(db);
db.close();

const tally = newTally();
const limits = { day: { address: 1e12, user: 1e12, admin: 1e12 }, minute: 1e12 };
const count: ConstructorParameters<typeof Gateway>[1]['count'] = (principal) => {
  tally.times.length = tally.counts.length = 0;
  return countRequest(tally, principal, limits, Date.now());
};
const gateway = new Gateway(
  { find: () => null },
  { count, peek: count },
  { failed: (error) => console.error(error) },
);

const store = new CountingStore(new DiskSnapshotStore(out));
const { snapshot: id } = parsePointer(await store.readPointer());

async function open(): Promise<SwitchedSnapshot> {
  const objects = new Objects(store, OBJECT_BYTES);
  const snapshot = new SwitchedSnapshot(id, await objects.read('directory', id), objects, ANSWER_BYTES);
  snapshot.answers.isOn = false;
  return snapshot;
}

const isMeta = recordOf<{ total: number }>({ total: isNumber });
const isAnswer = recordOf<{ data: { meta: { total: number } } }>({
  data: recordOf<{ meta: { total: number } }>({ meta: isMeta }),
});

async function ask(snapshot: Snapshot, query: string): Promise<Uint8Array> {
  const request: GatewayRequest = {
    method: 'GET',
    target: `/api/public/v1/posts?${query}`,
    header: () => undefined,
    addressId: () => 'address:bench',
  };
  const { status, body } = await gateway.handle(request, snapshot);
  if (status !== 200 || body === null) throw new Error(`${query}: ${status}`);
  return body;
}

async function coldObjects(query: string): Promise<number> {
  const snapshot = await open();
  const before = store.objects;
  await ask(snapshot, query);
  return store.objects - before;
}

/** The median time of one request. */
async function timeOf(snapshot: Snapshot, query: string, forMs: number): Promise<number> {
  for (let i = 0; i < 3; i++) await ask(snapshot, query);
  const times: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until || times.length < 5) {
    const start = performance.now();
    await ask(snapshot, query);
    times.push(performance.now() - start);
  }
  return median(times);
}

const warm = await open();
const measured: CoreMeasurement = {
  classes: await inTurn(classes, async ({ name, queries, keepsMatching }) => {
    const objects = Math.max(...(await inTurn(queries, coldObjects)));
    warm.matchings.isOn = keepsMatching;
    const times = await inTurn(queries, (query) => timeOf(warm, query, ROUND_MS / queries.length));
    return { name, objects, ms: Math.max(...times) };
  }),
  searches: await inTurn(searches, async (q) => {
    warm.matchings.isOn = false;
    const query = `q=${encodeURIComponent(q)}`;
    const list = parseJson(new TextDecoder().decode(await ask(warm, query)), isAnswer, 'a list of articles');
    return { q, total: list.data.meta.total, ms: await timeOf(warm, query, 50) };
  }),
};
console.log(JSON.stringify(measured));

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
