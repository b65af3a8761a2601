/**
 * The Worker compared with a trivial one that makes one Durable Object call and sends the same bytes, both in
 * workerd. The difference in CPU time is the cost of the Worker itself. Both store their counts in memory (if
 * /dev/shm exists); otherwise they would mostly wait for the disk.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { PREFIX } from '../../contract/api.ts';
import { ask, usedOf, type WireReply } from './ask.ts';
import { faultsOfLoad } from './check.ts';
import { usageOfThese } from './process-usage.ts';
import type { Processes } from './processes.ts';
import type { Sample, WorkerResults } from './results.ts';
import type { Stage } from './stage.ts';
import { startWorker, type WorkerProcess } from './workerd.ts';
import { runWrk } from './wrk.ts';
import { bundleWorker } from '../../release/worker-bundle.ts';

const TRIVIAL = fileURLToPath(new URL('../opponents/trivial-worker/worker.js', import.meta.url));
/** The configuration of the deployed Worker. */
const WRANGLER_CONFIG = fileURLToPath(new URL('../../wrangler.jsonc', import.meta.url));
const TARGET = `${PREFIX}/posts`;
const CONNECTIONS = 16;
const MEMORY = '/dev/shm';

interface Trial {
  readonly processes: Processes;
  readonly stage: Stage;
  readonly rounds: number;
  readonly seconds: number;
  readonly onFault: (fault: string) => void;
}

interface Contestant extends WorkerProcess {
  readonly name: string;
  /** Per answer. */
  readonly bytes: number;
}

/** Measures both in turn, on the newest list; null if there is no Worker. */
export async function compareWithTrivial(trial: Trial): Promise<WorkerResults | null> {
  if (!existsSync(WRANGLER_CONFIG)) return null;
  const { stage, rounds, seconds } = trial;
  const headers = stage.headers.reader;
  const state = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : stage.folder, 'offprint-worker-'));
  const remove = () => rmSync(state, { recursive: true, force: true });
  process.once('exit', remove);
  const worker = await startOurWorker(stage, state);
  try {
    const reply = await ask(worker.url + TARGET, headers);
    if (reply.status !== 200) throw new Error(`The Worker answers with ${reply.status}: ${reply.body}`);
    const ours = { ...worker, name: 'the Worker', bytes: reply.bytes };
    const trivial = await startTrivial(state, reply);
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
    await worker.close();
    remove();
    process.off('exit', remove);
  }
}

/** The deployed Worker, with a bucket that has the stage's output. */
async function startOurWorker({ folder, out }: Stage, state: string): Promise<WorkerProcess> {
  const script = join(folder, 'worker.js');
  await bundleWorker(script);
  const worker = await startWorker({
    ...{ script, folder: join(state, 'worker') },
    variables: { BUCKET_PREFIX: '', ADDRESS_SECRET: 'for this measurement alone' },
    ...{ objects: { QUOTAS: 'QuotaObject' }, buckets: ['BUCKET'] },
  });
  const paths = await fastGlob(['snapshot.json', 'objects/**', 'keys/**'], { cwd: out });
  await worker.fill('BUCKET', new Map(paths.map((path) => [path, readFileSync(join(out, path))])));
  return worker;
}

/** Starts the trivial Worker with the bytes and headers of a reply. */
export async function startTrivial(folder: string, reply: WireReply): Promise<Contestant> {
  const own = join(folder, 'trivial-worker');
  mkdirSync(own, { recursive: true });
  const worker = await startWorker({
    ...{ script: TRIVIAL, folder: own },
    variables: { HEADERS: JSON.stringify(fixedHeaders(reply)), BODY: reply.body },
    ...{ objects: { COUNTER: 'Counter' }, buckets: [] },
  });
  return { ...worker, name: 'the trivial Worker', bytes: (await ask(worker.url + TARGET)).bytes };
}

/** Not pinned to a core: workerd has several threads. */
async function measure(
  { processes, stage, onFault }: Trial,
  { name, url, pids, bytes }: Contestant,
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

/** The headers that a Worker may set. The trivial Worker sets the count itself. */
function fixedHeaders({ headers }: WireReply): Record<string, string> {
  const its =
    /^(?:content-length|content-encoding|transfer-encoding|connection|date|keep-alive|x-quota-used)$/i;
  const pairs = headers.flatMap((name, i): [string, string][] =>
    i % 2 === 0 && !its.test(name) ? [[name, headers[i + 1] ?? '']] : [],
  );
  return Object.fromEntries(pairs);
}
