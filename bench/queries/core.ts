/**
 * Measures the gateway's core on a published blog, without HTTP and without cached answers: `core.ts DATABASE OUT`
 * prints the cost of each class of requests. A process for each blog: what one has left slows no other down.
 */
import { isNumber, recordOf } from '../../contract/json.ts';
import { openForReading } from '../../data/database.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { coreAsker, openSnapshot } from '../ask-core.ts';
import { median } from '../statistics.ts';
import { type RequestClass, requestClasses } from './requests.ts';

/** The cache of objects of the gateway on one machine. */
const OBJECT_BYTES = 24 * 2 ** 20;
/** How long the warm requests of a class are repeated. */
const CLASS_MS = 600;
const COLD_ROUNDS = 3;

/** What the requests of a class cost, the most of each figure. */
export interface ClassCost {
  /** Objects that a cold request reads, and the sequential rounds of reads. */
  readonly objects: number;
  readonly rounds: number;
  readonly kb: number;
  /** CPU time of a cold request whose objects come from memory. */
  readonly coldMs: number;
  /** The median time of a warm request. */
  readonly ms: number;
}

const isNumberOf = { objects: isNumber, rounds: isNumber, kb: isNumber, coldMs: isNumber, ms: isNumber };
export const isClassCost = recordOf<ClassCost>(isNumberOf);

/** A store in memory that counts reads, round by round. */
class CountingStore extends DiskSnapshotStore {
  readonly #known = new Map<string, Uint8Array<ArrayBuffer> | null>();
  reads = { objects: 0, rounds: 0, kb: 0 };

  override async readObject(...[kind, hash]: Parameters<DiskSnapshotStore['readObject']>) {
    const round = this.reads.rounds + 1;
    let bytes = this.#known.get(hash);
    if (bytes === undefined) this.#known.set(hash, (bytes = await super.readObject(kind, hash)));
    else await new Promise(setImmediate); // All reads of a round start before the first one ends.
    const { objects, rounds, kb } = this.reads;
    const size = (bytes?.length ?? 0) / 1000;
    this.reads = { objects: objects + 1, rounds: Math.max(rounds, round), kb: kb + size };
    return bytes;
  }
}

const [database = '', folder = ''] = process.argv.slice(2);
if (import.meta.main) {
  const db = openForReading(database);
  const classes = requestClasses(db);
  db.close();
  console.log(JSON.stringify(await measureCore(folder, classes)));
}

async function measureCore(out: string, classes: readonly RequestClass[]): Promise<ClassCost[]> {
  const askCore = coreAsker();
  const store = new CountingStore(out);

  async function ask(snapshot: Snapshot, query: string): Promise<void> {
    const { status } = await askCore(snapshot, query);
    if (status !== 200) throw new Error(`${query}: ${status}`);
  }

  async function cold(query: string) {
    const times: number[] = [];
    await ask(await openSnapshot(store, OBJECT_BYTES, 'answers'), query); // Loads the objects from disk.
    for (let round = 0; round < COLD_ROUNDS; round++) {
      const snapshot = await openSnapshot(store, OBJECT_BYTES, 'answers');
      store.reads = { objects: 0, rounds: 0, kb: 0 };
      const start = process.cpuUsage();
      await ask(snapshot, query);
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1000);
    }
    return { ...store.reads, coldMs: median(times) };
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

  const keeping = await openSnapshot(store, OBJECT_BYTES, 'answers');
  const forgetting = await openSnapshot(store, OBJECT_BYTES, 'answers', 'matchings');
  const costs: ClassCost[] = [];
  for (const { queries, keepsMatching } of classes) {
    const warm = keepsMatching ? keeping : forgetting;
    const each: ClassCost[] = [];
    for (const query of queries)
      each.push({ ...(await cold(query)), ms: await timeOf(warm, query, CLASS_MS / queries.length) });
    const most = (figure: keyof ClassCost) => Math.max(...each.map((cost) => cost[figure]));
    costs.push({
      ...{ objects: most('objects'), rounds: most('rounds'), kb: most('kb') },
      ...{ coldMs: most('coldMs'), ms: most('ms') },
    });
  }
  return costs;
}
