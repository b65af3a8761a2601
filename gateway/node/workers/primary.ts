/**
 * Several processes on one port. This one, the primary, hands out connections and counts, for all of them
 * and exactly as one process would: there is one tally for each principal, here. It serves nothing itself, so
 * that what may crash is a worker, and a worker that ends is started again.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Limits } from '../../../contract/policy.ts';
import type { Principal } from '../../home.ts';
import type { Verdict } from '../../quota.ts';
import type { SqliteQuotaCounter } from '../sqlite-quota-counter.ts';
import { type CountBatch, type FromPrimary, type FromWorker, packVerdict, type Served } from './messages.ts';

/** A worker that ends this soon would end again at once. */
const SOON_MS = 1000;
/** How long workers may take to finish what is under way. */
const STOP_MS = 5000;

/** Workers cannot begin to serve. */
export class WorkersFailed extends Error {
  override name = 'WorkersFailed';
}

/** Who is told what happens to workers. */
export interface PrimaryReporter {
  /** Another snapshot is served by the first of the workers; the others follow within the second. */
  switched(served: Served): void;
  /** A count could not be read; that request is refused. */
  notCounted(error: unknown): void;
  /** A worker ended, and another is started. */
  restarted(why: string): void;
}

export interface Workers {
  /** What they serve at first. */
  readonly served: Served;
  /** Lets requests under way finish, for a moment, and stops. */
  close(): Promise<void>;
}

/**
 * Starts workers, each running this process's own command anew, and counts for them.
 *
 * @throws WorkersFailed
 */
export async function startWorkers(
  size: number,
  counter: SqliteQuotaCounter,
  reporter: PrimaryReporter,
): Promise<Workers> {
  let stopping = false;
  let snapshot: string | undefined;

  function start(): Promise<Served> {
    const begun = Date.now();
    const worker = cluster.fork();
    const send = (message: FromPrimary) => {
      if (worker.isConnected()) worker.send(message);
    };
    const count = countingFor(counter, send, reporter.notCounted);
    worker.on('error', () => undefined); // A message to a worker that just ended: its end is seen to below.
    worker.on(
      'exit',
      (code, signal) => void startAgain(begun, code === 0 ? 'it was stopped' : signal || `code ${code}`),
    );
    return new Promise((resolve, reject) => {
      worker.on('exit', () => reject(new WorkersFailed('A worker ended before it served.')));
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'count') count(message);
        else if (message.type === 'ready')
          send({ type: 'begin', secret: Buffer.from(counter.secret).toString('base64') });
        else if (message.type === 'cannot serve') reject(new WorkersFailed(message.message));
        else {
          const { served } = message;
          if (snapshot !== undefined && served.snapshot !== snapshot) reporter.switched(served);
          snapshot = served.snapshot;
          resolve(served);
        }
      });
    });
  }

  async function startAgain(begun: number, why: string): Promise<void> {
    if (stopping) return;
    reporter.restarted(why);
    await delay(Math.max(0, SOON_MS - (Date.now() - begun)));
    if (!stopping) await start().catch(() => undefined); // It ended, and so was started again.
  }

  async function close(): Promise<void> {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map(stop));
  }

  try {
    const served = await Promise.all(Array.from({ length: size }, start));
    const [first] = served;
    if (!first) throw new WorkersFailed('There must be one worker at least.');
    return { served: first, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Counts for one worker, and answers each message once its counts are safe. */
function countingFor(
  counter: SqliteQuotaCounter,
  send: (message: FromPrimary) => void,
  notCounted: (error: unknown) => void,
): (batch: CountBatch) => void {
  let known: Limits | null = null;
  /** What cannot be read is one caller's fault to bear, not that of all in the message. */
  const verdictOn = (principal: Principal, counts: 0 | 1, limits: Limits): Verdict | null => {
    try {
      return counts === 1 ? counter.count(principal, limits) : counter.peek(principal, limits);
    } catch (error) {
      notCounted(error);
      return null;
    }
  };
  return ({ limits, requests }) => {
    known = limits ?? known;
    if (!known) return;
    const verdicts: number[] = [];
    for (const [id, kind, counts] of requests) {
      packVerdict(verdictOn({ id, kind }, counts, known), verdicts);
    }
    counter.whenSaved((error) => {
      if (error === undefined) send({ type: 'counted', verdicts });
      else send({ type: 'not counted', message: error instanceof Error ? error.message : String(error) });
    });
  };
}

async function stop(worker: Worker): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  if (worker.isDead()) return;
  if (worker.isConnected()) worker.send({ type: 'stop' } satisfies FromPrimary);
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
