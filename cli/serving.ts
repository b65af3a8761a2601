/**
 * Serves an output folder over HTTP. The pointer is looked at every second, so that a publish or a rollback is seen
 * without a restart.
 */
import { rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { codeOf, NothingPublished } from '../common/errors.ts';
import { PointerUnreadable } from '../contract/pointer.ts';
import { type HttpReporter, isReady } from '../gateway/node/http-server.ts';
import { createOneMachine, type OneMachineOptions } from '../gateway/node/one-machine.ts';
import type { Snapshot } from '../gateway/snapshot/snapshot.ts';
import { checkPublished, listen, naming, notePath, urlOf } from './place.ts';

const REFRESH_MS = 1000;

export interface ServeOptions extends OneMachineOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly reporter: ServeReporter;
}

/** Who is told what happens while serving. */
export interface ServeReporter extends HttpReporter {
  /** Another snapshot is served from now on. */
  switched(snapshot: Snapshot): void;
  /** The pointer was looked at, and what it names is served. */
  followed?(): void;
  /** The pointer could not be followed; the last good snapshot is served on. */
  notSwitched(error: unknown): void;
}

/** Of this process, since it started. */
export interface ServingStatistics {
  /** Objects of snapshots in memory, in bytes. */
  readonly cachedBytes: number;
  /** Objects that were read from the disk. */
  readonly objectReads: number;
  /** Counts of callers that were written to the database. */
  readonly countsSaved: number;
  /** Connections that are open. */
  readonly connections: number;
}

export interface ServedGateway {
  /** `http://127.0.0.1:8787` */
  readonly url: string;
  snapshot(): Snapshot | undefined;
  statistics(): Promise<ServingStatistics>;
  /** Whether there is a snapshot, and counts can be written. */
  isReady(): Promise<boolean>;
  /** Looks at the pointer now, instead of within the second. */
  refresh(): Promise<void>;
  /** Lets requests under way finish, for a moment, and stops. */
  close(): Promise<void>;
}

/**
 * Serves, and notes where for as long as it does.
 *
 * @throws AlreadyServing, and what `serve` throws
 */
export async function serveNoted(options: ServeOptions): Promise<ServedGateway> {
  const gateway = await naming(options.out, () => serve(options));
  const path = notePath(options.out);
  try {
    writeFileSync(path, JSON.stringify(gateway.url), { mode: 0o600 });
  } catch {
    // The disk is full, say. Others hear then that the folder is in use, but not where.
  }
  return {
    ...gateway,
    async close() {
      await gateway.close();
      rmSync(path, { force: true });
    },
  };
}

/** @throws NothingPublished, CannotListen, QuotaInUse, QuotaUnusable, and what a snapshot that cannot be read throws */
export async function serve(options: ServeOptions): Promise<ServedGateway> {
  const { out, host, port, reporter } = options;
  checkPublished(out);
  const { server, current, quotas } = createOneMachine(options);
  try {
    await current.refresh().catch((error: unknown) => {
      throw codeOf(error) === 'ENOENT' ? new NothingPublished(out) : error;
    });
    await listen(server, host, port);
  } catch (error) {
    quotas.close();
    throw error;
  }
  // A connection that cannot be taken, as for want of file descriptors. The others go on.
  server.on('error', (error) => reporter.unexpected(error));

  async function refresh(): Promise<void> {
    const before = current.get();
    try {
      const snapshot = await current.refresh();
      if (snapshot !== before) reporter.switched(snapshot);
      reporter.followed?.();
    } catch (error) {
      reporter.notSwitched(codeOf(error) === 'ENOENT' ? new PointerUnreadable('it is missing') : error);
    }
  }
  const timer = setInterval(() => void refresh(), REFRESH_MS);

  return {
    url: urlOf(server, host),
    snapshot: () => current.get(),
    async statistics() {
      const connections = await promisify(server.getConnections).call(server);
      const { bytes: cachedBytes, reads: objectReads } = current.objects;
      return { cachedBytes, objectReads, countsSaved: quotas.saved, connections };
    },
    isReady: () => isReady({ current, quotas }),
    refresh,
    async close() {
      clearInterval(timer);
      await closeServer(server);
      quotas.close();
    },
  };
}

const STOPPING_MS = 3000;

/** Idle connections end at once, requests under way get three seconds. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), STOPPING_MS);
    // A connection that was busy is idle once it has its answer: Node closes those of the first moment alone.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(deadline);
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}
