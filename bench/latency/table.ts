import { PREFIX } from '../../contract/api.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { markdownTable } from '../markdown-table.ts';
import type { FarAway } from './far-away.ts';
import { makeSkeleton } from './skeleton.ts';
import { bytesOf, readsOf, type Trace } from './trace.ts';

/** Sizes of blogs, in posts. */
export const SIZES = [1000, 20_000, 100_000] as const;

/** How many paths of a class are measured at a location that has everything, where they hardly differ. */
const KNOWN_PATHS = 2;

/** The first answer of an isolate to a path. */
export interface ColdRequest {
  readonly path: string;
  /** At a location where nothing is cached. */
  readonly atNew: Trace;
  /** At a location that has everything; undefined: not measured. */
  readonly atKnown: Trace | undefined;
}

export interface Measured {
  /** The requests of each class, by its name. */
  readonly classes: ReadonlyMap<string, readonly ColdRequest[]>;
  /** The hashes of the pages of summaries. */
  readonly pages: ReadonlySet<ObjectHash>;
  /** Requests for the newest posts, by what is known before. */
  readonly newest: ReadonlyMap<string, Trace>;
}

/** Requests every path of every class of a blog. */
export async function measureCold(far: FarAway, posts: number): Promise<Measured> {
  const skeleton = makeSkeleton(posts);
  far.use(skeleton);
  const classes = new Map<string, ColdRequest[]>();
  for (const [name, paths] of Object.entries(skeleton.classes)) {
    const requests: ColdRequest[] = [];
    for (const [i, path] of paths.entries()) {
      const atNew = await far.ask(path);
      const atKnown = i < KNOWN_PATHS ? await far.ask(path, { isKnown: true }) : undefined;
      requests.push({ path, atNew, atKnown });
    }
    classes.set(name, requests);
  }
  return { classes, pages: skeleton.pages, newest: await measureNewest(far, skeleton.key) };
}

async function measureNewest(far: FarAway, key: string): Promise<Map<string, Trace>> {
  const isKnown = true;
  const isWarm = true;
  const later = 3_600_000;
  const newest = new Map<string, Trace>();
  const measure = async (name: string, circumstances: Parameters<FarAway['ask']>[1] = {}) =>
    newest.set(name, await far.ask(`${PREFIX}/posts`, circumstances));
  await measure('new isolate, new location');
  await measure('new isolate, known location', { isKnown });
  await measure('the same, with a key that was not used there', { isKnown, key });
  await measure('the same, with a key that was used there within 25 seconds', { isKnown, key });
  await measure('new isolate, known location, an hour later', { isKnown, later });
  await measure('warm isolate', { isKnown, isWarm });
  await measure('warm isolate, an hour later', { isKnown, isWarm, later });
  far.republish();
  await measure('warm isolate, after a publish', { isKnown, isWarm, later });
  return newest;
}

/** The tables of bench/COST.md. @param sizes the measurements for each of SIZES */
export function latencyTables(sizes: readonly Measured[]): string[] {
  const columns = SIZES.map((posts) => `${posts.toLocaleString('en')} posts`);
  const table = (first: string, names: readonly string[], cell: (name: string, of: Measured) => string) =>
    markdownTable(
      [first, ...columns],
      names.map((name) => [name, ...sizes.map((size) => cell(name, size))]),
    );
  const [some] = sizes;
  return [
    table('request for the newest posts', [...(some?.newest.keys() ?? [])], (name, { newest }) => {
      const trace = newest.get(name);
      return trace ? cellOf([trace]) : '';
    }),
    table('first answer of a cold isolate', [...(some?.classes.keys() ?? [])], (name, { classes }) =>
      cellOf((classes.get(name) ?? []).map(({ atNew }) => atNew)),
    ),
  ];
}

/** The slowest request, and the largest number of reads. */
function cellOf(traces: readonly Trace[]): string {
  const most = (of: (trace: Trace) => number) => Math.max(...traces.map(of));
  const reads = most((trace) => readsOf(trace).length);
  const ms = `${most((trace) => trace.ms)} ms`;
  if (reads === 0) return ms;
  const kb = Math.ceil(most((trace) => bytesOf(readsOf(trace))) / 50_000) * 50;
  return `${ms}; ${reads} ${reads === 1 ? 'read' : 'reads'}, ${kb} kB`;
}
