/**
 * The deployed Worker with instrumentation that counts its calls of the platform, and makes them fail. It runs in
 * workerd, where the Durable Objects share these variables. Tests use it at WATCH_PATH.
 */
import type {
  DurableObjectNamespace,
  DurableObjectState,
  R2Bucket,
  R2GetOptions,
} from '@cloudflare/workers-types';
import type { ObjectCache } from '../../gateway/worker/cached-bucket.ts';
import type { Environment } from '../../gateway/worker/environment.ts';
import { QuotaObject as RealQuotaObject } from '../../gateway/worker/quota-object.ts';
import { createWorker } from '../../gateway/worker/worker.ts';
import { type Command, type Counts, type Fault, type Kept, NO_COUNTS, WATCH_PATH } from './watching.ts';

let counts: { -readonly [Name in keyof Counts]: Counts[Name] } = { ...NO_COUNTS };
let faults: { -readonly [Name in keyof Fault]: Fault[Name] }[] = [];
let cacheGeneration = 0;
let clockOffset = 0;
let stoppedClock = 0;
let isSettling = false;
/** Only awaited by tests that count what follows. */
let puts: Promise<void>[] = [];
let worker = createWorker(watchedCache);

const now = Date.now.bind(Date);
Date.now = () => (stoppedClock || now()) + clockOffset;

/** A fault of this kind that happens now. */
function due(at: Fault['at'], key = ''): Fault | undefined {
  const fault = faults.find((one) => one.at === at && one.times > 0 && key.includes(one.key ?? ''));
  if (fault) fault.times -= 1;
  return fault;
}

/** Throws if a fault of this kind is due. */
function fail(at: Fault['at'], key = ''): void {
  if (due(at, key)) throw new Error(`A fault of the tests, at ${at} ${key}.`);
}

/** Never resolves if such a fault is due. */
async function hang(key: string): Promise<void> {
  if (due('hang', key)) await new Promise(() => undefined);
}

/** Looks by timers of its own: workerd lets no request wait for another's promise. */
async function untilReplaced(these: typeof faults): Promise<void> {
  while (faults === these) await new Promise((resolve) => setTimeout(resolve, 5));
}

function watchedBucket(bucket: R2Bucket): Pick<R2Bucket, 'get'> {
  const get = async (key: string, options?: R2GetOptions) => {
    counts.bucketReads += 1;
    counts.keys = [...counts.keys, key];
    fail('bucket', key);
    await hang(key);
    if (due('slow', key)) await untilReplaced(faults);
    const stale = key.endsWith('snapshot.json') ? due('pointer')?.text : undefined;
    if (stale !== undefined) {
      const { buffer } = new TextEncoder().encode(stale);
      return { etag: 'stale', body: buffer, arrayBuffer: () => Promise.resolve(buffer) };
    }
    const object = await bucket.get(key, options);
    if (object !== null && !('body' in object)) counts.unchanged += 1;
    return object;
  };
  return { get: get as R2Bucket['get'] };
}

function watchedCache(): ObjectCache {
  const addressOf = (url: string) => `${url}?generation=${cacheGeneration}`;
  return {
    match(url) {
      counts.cacheReads += 1;
      fail('cache', url);
      return caches.default.match(addressOf(url));
    },
    put(url, response) {
      counts.cacheWrites += 1;
      fail('cache', url);
      const put = caches.default.put(addressOf(url), response);
      puts.push(put);
      return put;
    },
  };
}

function watchedQuotas(quotas: DurableObjectNamespace<RealQuotaObject>) {
  const names = new Map<string, string>();
  const call = async <T>(id: string, ask: () => Promise<T>): Promise<T> => {
    counts.objectRequests += 1;
    fail('call');
    await hang(names.get(id) ?? '');
    const answer = await ask();
    fail('answer');
    return answer;
  };
  return {
    idFromName(name: string) {
      const id = quotas.idFromName(name);
      names.set(id.toString(), name);
      return id;
    },
    get(id: ReturnType<typeof quotas.idFromName>) {
      const stub = quotas.get(id);
      return {
        count: (...of: Parameters<typeof stub.count>) => call(id.toString(), async () => stub.count(...of)),
        peek: (...of: Parameters<typeof stub.peek>) => call(id.toString(), async () => stub.peek(...of)),
        // After the answers, so tests count them apart.
        async settle() {
          await stub.settle();
          counts.settled = [...counts.settled, names.get(id.toString()) ?? ''];
        },
      };
    },
  };
}

export { Failure } from '../../gateway/worker/failure.ts';

/**
 * Counts the rows that it reads and writes as Cloudflare charges them: a put is a row, and so is setting the alarm. Returns
 * what it stores.
 */
export class QuotaObject extends RealQuotaObject {
  readonly #storage: DurableObjectState['storage'];
  readonly #state: DurableObjectState;
  readonly #written: () => number;

  constructor(state: DurableObjectState, environment: unknown) {
    const { storage } = state;
    const { sql, kv } = storage;
    const exec = sql.exec.bind(sql);
    sql.exec = ((query: string, ...values: unknown[]) => {
      const cursor = exec(query, ...values);
      if (query.includes('__miniflare')) return cursor; // The local runtime's own.
      counts.rowsWritten += cursor.rowsWritten;
      counts.rowsRead += cursor.rowsRead;
      return cursor;
    }) as typeof sql.exec;
    let written = 0;
    const [get, put] = [kv.get.bind(kv), kv.put.bind(kv)];
    kv.get = (key) => {
      counts.rowsRead += 1;
      return get(key);
    };
    kv.put = (key, value) => {
      fail('write');
      if (!isSettling) counts.rowsWritten += 1;
      written += 1;
      put(key, value);
    };
    const setAlarm = storage.setAlarm.bind(storage);
    storage.setAlarm = (time) => {
      counts.rowsWritten += 1;
      return setAlarm(time);
    };
    super(state, environment);
    this.#storage = storage;
    this.#state = state;
    this.#written = () => written;
  }

  override settle(): boolean {
    isSettling = true;
    try {
      return super.settle();
    } finally {
      isSettling = false;
    }
  }

  restart(): void {
    this.#state.abort('As the test wants it.');
  }

  clear(): Promise<void> {
    return this.alarm();
  }

  async kept(): Promise<Kept> {
    const rows = [...this.#storage.kv.list()].length;
    return { rows, written: this.#written(), alarm: await this.#storage.getAlarm() };
  }
}

async function execute(command: Command, environment: Environment): Promise<unknown> {
  if (command.goOn) return counts;
  const kept = puts;
  puts = [];
  await Promise.allSettled(kept);
  if (command.forget) worker = createWorker(watchedCache);
  if (command.emptyCache) cacheGeneration += 1;
  if (command.faults) faults = command.faults.map((fault) => ({ ...fault }));
  if (command.clockOffset !== undefined) clockOffset = command.clockOffset;
  if (command.clock !== undefined) stoppedClock = command.clock;
  if (command.principal !== undefined) {
    const quotas = environment.QUOTAS as unknown as DurableObjectNamespace<QuotaObject>;
    const stub = quotas.get(quotas.idFromName(command.principal));
    if (command.restart) await stub.restart().catch(() => undefined);
    if (command.request !== undefined) {
      const limits = { day: { address: 100, user: 1000, admin: 10_000 }, minute: 5000 };
      return quotas.get(quotas.idFromName(command.principal)).count('user', limits, command.request);
    }
    if (command.clear) await stub.clear();
    return stub.kept();
  }
  const seen = counts;
  counts = { ...NO_COUNTS };
  return seen;
}

export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    if (new URL(request.url).pathname === WATCH_PATH) {
      return Response.json(await execute((await request.json()) as Command, environment));
    }
    const watched = {
      ...environment,
      BUCKET: watchedBucket(environment.BUCKET),
      QUOTAS: watchedQuotas(environment.QUOTAS),
    };
    return worker.fetch(request, watched as unknown as Environment);
  },
};
