/**
 * The Worker beside a trivial one that makes one call of a Durable Object and sends the same bytes, both in
 * workerd as Wrangler starts it. The difference in processor time is what the Worker itself costs: each
 * request also goes through a proxy of Wrangler's, which both have in front.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PREFIX } from '../../contract/api.ts';
import type { Home } from '../../test/service/home.ts';
import { startWrangler } from '../../test/service/local-bucket.ts';
import { ask, usedOf, type WireReply } from './ask.ts';
import { faultsOfLoad } from './check.ts';
import { namedBelow, usageOfThese } from './process-usage.ts';
import type { Processes } from './processes.ts';
import type { Sample, WorkerResults } from './results.ts';
import { LIMITS, type Stage } from './stage.ts';
import { runWrk } from './wrk.ts';

const TRIVIAL = fileURLToPath(new URL('../opponents/trivial-worker/worker.js', import.meta.url));
/** To be joined: it comes with gateway/worker, and is then a plain import. */
const WORKER_HOME = new URL('../../test/service/worker-home.ts', import.meta.url);
const TARGET = `${PREFIX}/posts`;
const CONNECTIONS = 16;

interface Trial {
  readonly processes: Processes;
  readonly stage: Stage;
  readonly rounds: number;
  readonly seconds: number;
  readonly onFault: (fault: string) => void;
}

/** A Worker that is running, and the processes of workerd that it runs in. */
interface Running {
  readonly name: string;
  readonly url: string;
  readonly pids: readonly number[];
  readonly bytes: number;
  close(): Promise<void>;
}

/** Measures both in turn, on the newest list; null where there is no Worker. */
export async function compareWithTrivial(trial: Trial): Promise<WorkerResults | null> {
  const home = await workerHome();
  if (!home) return null;
  const { stage, rounds, seconds } = trial;
  const headers = stage.headers.reader;
  const ours = await start('the Worker', headers, () =>
    home.serve({ name: 'bench', db: stage.database }, { limits: LIMITS }),
  );
  try {
    const trivial = await startTrivial(stage, await ask(ours.url + TARGET, headers));
    try {
      const samples = { ours: [] as Sample[], trivial: [] as Sample[] };
      for (const each of [ours, trivial]) await measure(trial, each, 1);
      for (let round = 0; round < rounds; round++) {
        samples.ours.push(await measure(trial, ours, seconds));
        samples.trivial.push(await measure(trial, trivial, seconds));
      }
      return samples;
    } finally {
      await trivial.close();
    }
  } finally {
    await ours.close();
  }
}

/** Starts the trivial Worker with the bytes and headers of a reply. */
export function startTrivial(stage: Pick<Stage, 'folder' | 'headers'>, reply: WireReply): Promise<Running> {
  const folder = join(stage.folder, 'trivial-worker');
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'wrangler.json');
  writeFileSync(
    config,
    JSON.stringify({
      ...{ name: 'trivial', main: TRIVIAL, compatibility_date: '2026-10-01' },
      vars: { REPLY: { headers: fixedHeaders(reply), text: reply.body } },
      durable_objects: { bindings: [{ name: 'COUNTER', class_name: 'Counter' }] },
      migrations: [{ tag: 'v1', new_sqlite_classes: ['Counter'] }],
    }),
  );
  return start('the trivial Worker', stage.headers.reader, () =>
    startWrangler(config, join(folder, 'state')),
  );
}

async function start(
  name: string,
  headers: Readonly<Record<string, string>>,
  open: () => Promise<{ readonly url: string; close(): Promise<void> }>,
): Promise<Running> {
  const before = new Set(namedBelow(process.pid, 'workerd'));
  const opened = await open();
  const { status, bytes } = await ask(opened.url + TARGET, headers);
  if (status !== 200) throw new Error(`${name} answers with ${status}.`);
  const pids = namedBelow(process.pid, 'workerd').filter((pid) => !before.has(pid));
  return { name, url: opened.url, pids, bytes, close: () => opened.close() };
}

/** Bound to no core: workerd has threads of its own. */
async function measure(
  { processes, stage, onFault }: Trial,
  { name, url, pids, bytes }: Running,
  seconds: number,
): Promise<Sample> {
  const headers = stage.headers.reader;
  const used = await usedOf(url, headers);
  const before = usageOfThese(pids).cpuUs;
  const found = await runWrk(processes, {
    ...{ url: url + TARGET, headers, connections: CONNECTIONS, seconds, under: [] },
  });
  const cpuUs = (usageOfThese(pids).cpuUs - before) / found.requests;
  const counted = (await usedOf(url, headers)) - used - 1;
  const expected = { status: 200, asker: 'reader', connections: CONNECTIONS, bytes, counted } as const;
  for (const fault of faultsOfLoad(found, expected)) onFault(`${name}: ${fault}`);
  return { perSecond: found.requests / (found.us / 1e6), p50Us: found.p50, p99Us: found.p99, cpuUs };
}

async function workerHome(): Promise<Home | null> {
  if (!existsSync(WORKER_HOME)) return null;
  const { workerHome: home }: { readonly workerHome: Home } = await import(WORKER_HOME.href);
  return home;
}

/** Those that a Worker may set; the count it sets anew. */
function fixedHeaders({ headers }: WireReply): Record<string, string> {
  const its =
    /^(?:content-length|content-encoding|transfer-encoding|connection|date|keep-alive|x-quota-used)$/i;
  const pairs = headers.flatMap((name, i): [string, string][] =>
    i % 2 === 0 && !its.test(name) ? [[name, headers[i + 1] ?? '']] : [],
  );
  return Object.fromEntries(pairs);
}
