/**
 * What a search reads with empty caches: `cold.ts OUT` prints, for each class of searches, the objects and bytes of
 * the index and of pages, the sequential rounds of reads, and the CPU time. Pointer and directory are already
 * loaded. Objects come from memory, so the time is only the gateway's.
 */
import type { Decoded, ObjectKind } from '../../contract/object-kinds.ts';
import { parsePointer } from '../../contract/pointer.ts';
import { Gateway } from '../../gateway/gateway.ts';
import type { SnapshotStore } from '../../gateway/home.ts';
import { DiskSnapshotStore } from '../../gateway/node/disk-snapshot-store.ts';
import { newTally, peekRequest } from '../../gateway/quota.ts';
import { Objects } from '../../gateway/snapshot/objects.ts';
import { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { plantedWords, ONCE, TEN_TIMES } from '../generate/planted.ts';
import { median } from '../median.ts';

/** The Worker's cache sizes. */
const OBJECT_BYTES = 24 * 2 ** 20;
const ANSWER_BYTES = 8 * 2 ** 20;
const ROUNDS = 5;

const COMMON = ['release', 'harbour', 'lantern', 'oxbow', 'quartz', 'page', 'first', 'the'];

/** Searches of each kind, from ordinary ones to the most expensive ones. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  'a rare word': [ONCE, TEN_TIMES],
  'a common word': Object.values(plantedWords).map(({ word }) => word),
  'a part of a word': ['arbou', 'uotab', 'eleas', 'ntern'],
  'one letter': ['e', 'a', 'т', '灯', '1'],
  'two letters': ['th', 'er', 'qu', 'zz', 'ле', 'x-'],
  'a word that is nowhere': ['zyzzyva', 'harbourmastership', 'qqqqq', 'thexyz', 'releasenot'],
  'Chinese, without spaces': ['灯台', '台守', '灯台守の', '的灯台守', '一二三四'],
  'two words': ['harbour lantern', 'oxbow quartz', 'release harbour', 'quixotic the'],
  'eight common words': [COMMON.join(' ')],
  'eight letters': ['a e i o n r s t', 't h s l d c m p'],
  'eight rare parts': ['uixot quinox tabl rdinar zlin kwor vrab xylo'],
  'made to hurt': ['e, a, s, t. n. o. r. d', 'aa ee ii oo uu ss tt rr', 'in er on an re at or es'],
};

interface Read {
  readonly kind: ObjectKind;
  readonly bytes: number;
  readonly round: number;
}

/** A store in memory that answers reads round by round. */
class RecordingStore implements SnapshotStore {
  readonly #disk: DiskSnapshotStore;
  readonly #known = new Map<string, Uint8Array<ArrayBuffer> | null>();
  #round = 0;
  reads: Read[] = [];

  constructor(out: string) {
    this.#disk = new DiskSnapshotStore(out);
  }

  begin(): void {
    this.reads = [];
    this.#round = 0;
  }

  readPointer() {
    return this.#disk.readPointer();
  }

  async readObject(...[kind, hash]: Parameters<SnapshotStore['readObject']>) {
    const round = this.#round + 1;
    let bytes = this.#known.get(hash);
    if (bytes === undefined) this.#known.set(hash, (bytes = await this.#disk.readObject(kind, hash)));
    else await new Promise(setImmediate); // All reads of a round start before the first one ends.
    this.#round = Math.max(this.#round, round);
    this.reads.push({ kind, bytes: bytes?.length ?? 0, round });
    return bytes;
  }

  hashOf(...[bytes]: Parameters<SnapshotStore['hashOf']>) {
    return this.#disk.hashOf(bytes);
  }
}

const [out = ''] = process.argv.slice(2);
const store = new RecordingStore(out);
const { snapshot: id } = parsePointer(await store.readPointer());
const directory: Decoded<'directory'> = await new Objects(store, OBJECT_BYTES).read('directory', id);
const peek: ConstructorParameters<typeof Gateway>[1]['peek'] = (principal) => {
  const limits = { day: { address: 1e12, user: 1e12, admin: 1e12 }, minute: 1e12 };
  return peekRequest(newTally(), principal, limits, Date.now());
};
const failed = (error: unknown) => console.error(error);
const gateway = new Gateway({ find: () => null }, { count: peek, peek }, { failed });

interface Cost {
  readonly index: number;
  readonly pages: number;
  readonly rounds: number;
  readonly indexKb: number;
  readonly kb: number;
  readonly ms: number;
}

async function costOf(q: string, sort: 'new' | 'old'): Promise<Cost> {
  const ask = async () => {
    const snapshot = new Snapshot(id, directory, new Objects(store, OBJECT_BYTES), ANSWER_BYTES);
    store.begin();
    const start = process.cpuUsage();
    const reply = await gateway.handle(
      {
        method: 'GET',
        target: `/api/public/v1/posts?${new URLSearchParams({ q, sort }).toString()}`,
        header: () => undefined,
        addressId: () => 'address:bench',
      },
      snapshot,
    );
    const { user, system } = process.cpuUsage(start);
    if (reply.status !== 200) throw new Error(`${q}: ${reply.status}`);
    return (user + system) / 1000;
  };
  await ask(); // Loads the objects from disk.
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await ask());
  const sum = (reads: readonly Read[]) => reads.reduce((total, { bytes }) => total + bytes, 0) / 1000;
  const index = store.reads.filter(({ kind }) => kind === 'suffixes');
  const pages = store.reads.filter(({ kind }) => kind === 'page');
  return {
    ...{
      index: index.length,
      pages: pages.length,
      rounds: Math.max(...store.reads.map(({ round }) => round)),
    },
    ...{ indexKb: sum(index), kb: sum(store.reads), ms: median(times) },
  };
}

console.log(`${directory.posts} posts; the index has ${directory.suffixes.length} objects`);
console.log('class | objects of the index | pages | rounds | kB of the index | kB in all | CPU ms');
for (const queries of Object.values(CLASSES)) for (const q of queries) await costOf(q, 'new'); // Warm-up of the JavaScript engine.
const medians: number[] = [];
for (const [name, queries] of Object.entries(CLASSES)) {
  const costs: Cost[] = [];
  for (const q of queries) for (const sort of ['new', 'old'] as const) costs.push(await costOf(q, sort));
  const most = (of: (cost: Cost) => number, digits = 0) => Math.max(...costs.map(of)).toFixed(digits);
  medians.push(...costs.map(({ kb }) => kb));
  console.log(
    [
      name,
      most(({ index }) => index),
      most(({ pages }) => pages),
      most(({ rounds }) => rounds),
      most(({ indexKb }) => indexKb),
      most(({ kb }) => kb),
      most(({ ms }) => ms, 1),
    ].join(' | '),
  );
}
console.log(`median of all: ${median(medians).toFixed(0)} kB`);
