/**
 * Serves an output folder over HTTP. The pointer is checked every second, so a publish or rollback takes effect without a
 * restart.
 */
import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { NothingPublished } from '../common/errors.ts';
import { codeOf } from '../common/thrown.ts';
import { PointerUnreadable } from '../contract/pointer.ts';
import { isReady } from '../gateway/node/http-server.ts';
import { lockCounting } from '../gateway/node/counting-lock.ts';
import { createOneMachine, type OneMachineOptions, quotaPath } from '../gateway/node/one-machine.ts';
import type { Snapshot } from '../gateway/snapshot/snapshot.ts';
import { type ServiceListener, toReporter } from './events.ts';
import { checkPublished, listen, serverUrl } from './place.ts';

/** How often the pointer is read: in a folder, and in a bucket. */
export const REFRESH_MS = 1000;
const BUCKET_REFRESH_MS = 5000;

export interface ServeOptions extends Omit<OneMachineOptions, 'isStopping' | 'reporter'> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How long to answer requests after a signal to stop, in ms; default: 0. */
  readonly drain?: number;
  /** Receives what happens. */
  readonly emit: ServiceListener;
}

export interface ServedGateway {
  /** `http://127.0.0.1:8787` */
  readonly url: string;
  snapshot(): Snapshot | undefined;
  /** How many are open. */
  connections(): Promise<number>;
  /** Whether a snapshot is loaded and counts can be written. */
  isReady(): Promise<boolean>;
  /** Checks the pointer now, without waiting for the next second. */
  refresh(): Promise<void>;
  /** Drains, then stops, after at most 3 seconds for active requests. */
  close(): Promise<void>;
}

/** @throws NothingPublished, ExplainedError, QuotaInUse, QuotaUnusable, and errors of an unreadable snapshot */
export async function serve(options: ServeOptions): Promise<ServedGateway> {
  const { out, bucket, host, port, drain = 0, emit } = options;
  const reporter = toReporter(emit);
  if (!bucket) checkPublished(out);
  const unlock = lockCounting(out, options.quotas ? 'together' : 'alone');
  let isStopping = false;
  const { server, current, quotas } = unlockingIfItFails(unlock, () =>
    createOneMachine({ ...options, reporter, isStopping: () => isStopping }),
  );
  // Counts of others are closed by those who opened them.
  const closeCounts = async (): Promise<void> => {
    if (!options.quotas) await quotas.close();
    unlock();
  };
  try {
    await current.refresh().catch((error: unknown) => {
      throw codeOf(error) === 'ENOENT' ? new NothingPublished(out) : error;
    });
    await listen(server, host, port);
  } catch (error) {
    await closeCounts();
    throw error;
  }
  // One connection could not be accepted, for example without file descriptors. The others continue.
  server.on('error', (error) => reporter.reportUnexpected(error));

  let followed = current.get();
  async function refresh(): Promise<void> {
    try {
      const snapshot = await current.refresh();
      if (snapshot !== followed) emit({ kind: 'switched', snapshot });
      followed = snapshot;
      emit({ kind: 'followed' });
    } catch (error) {
      const isMissing = codeOf(error) === 'ENOENT';
      emit({ kind: 'not switched', error: isMissing ? new PointerUnreadable('it is missing') : error });
    }
  }
  function restoreCounts(): void {
    try {
      if (quotas.restore()) emit({ kind: 'counts restored', path: quotaPath(out) });
    } catch (error) {
      emit({ kind: 'counts not restored', error });
    }
  }
  let refreshing: Promise<void> | undefined; // A store may take longer than the interval.
  const refreshTimer = setInterval(
    () => {
      refreshing ??= refresh().finally(() => (refreshing = undefined));
    },
    bucket ? BUCKET_REFRESH_MS : REFRESH_MS,
  );
  const restoreTimer = setInterval(restoreCounts, REFRESH_MS);

  return {
    url: serverUrl(server, host),
    snapshot: () => current.get(),
    connections: () => promisify(server.getConnections).call(server),
    isReady: async () => !isStopping && isReady({ current, quotas }),
    refresh,
    async close() {
      isStopping = true;
      await wait(drain);
      clearInterval(refreshTimer);
      clearInterval(restoreTimer);
      await closeServer(server);
      await closeCounts();
      await bucket?.close();
    },
  };
}

function unlockingIfItFails<T>(unlock: () => void, work: () => T): T {
  try {
    return work();
  } catch (error) {
    unlock();
    throw error;
  }
}

const STOPPING_MS = 3000;

/** Closes idle connections at once; active requests get three seconds. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), STOPPING_MS);
    // Busy connections become idle after their answer, but Node closes only those idle at the first call.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}
