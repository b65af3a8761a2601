/**
 * The gateway on one machine: the output folder, a quota database in it, and an HTTP server. The pointer
 * is looked at every second, so that a publish or a rollback is seen without a restart.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PointerUnreadable } from '../../contract/pointer.ts';
import { Gateway } from '../gateway.ts';
import { KnownKeys } from '../known-keys.ts';
import { CurrentSnapshot } from '../snapshot/current.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { UsageRecorder } from '../usage.ts';
import { CodedBodies } from './coded-bodies.ts';
import { diskKeyFiles } from './disk-key-files.ts';
import { DiskSnapshotStore } from './disk-snapshot-store.ts';
import { createHttpServer, type HttpReporter, isReady, type RequestLines } from './http-server.ts';
import { codeOf, NothingPublished } from '../../common/errors.ts';
import { checkPublished, listen, quotaPath } from './place.ts';
import { SqliteQuotaCounter } from './sqlite-quota-counter.ts';

const REFRESH_MS = 1000;
const KEYS_BELIEVED_MS = 10_000;
const OBJECT_BYTES = 48 * 2 ** 20;
const ANSWER_BYTES = 24 * 2 ** 20;
const CODED_BYTES = 16 * 2 ** 20;

export interface ServeOptions {
  /** The output folder. */
  readonly out: string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly trustedProxies: number;
  readonly reporter: ServeReporter;
  /** Undefined: requests are not logged. */
  readonly accessLog?: RequestLines | undefined;
  /** Null: nobody writes down who asked for what. */
  readonly usage?: UsageRecorder | null;
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

export interface ServedGateway {
  /** `http://127.0.0.1:8787` */
  readonly url: string;
  snapshot(): Snapshot | undefined;
  /** Whether there is a snapshot, and counts can be written. */
  isReady(): Promise<boolean>;
  /** Looks at the pointer now, instead of within the second. */
  refresh(): Promise<void>;
  /** Lets requests under way finish, for a moment, and stops. */
  close(): Promise<void>;
}

/** @throws NothingPublished, CannotListen, QuotaInUse, QuotaUnusable, and what a snapshot that cannot be read throws */
export async function serve(options: ServeOptions): Promise<ServedGateway> {
  const { out, host, port, reporter } = options;
  checkPublished(out);
  const quotas = new SqliteQuotaCounter(quotaPath(out), Date.now);
  const current = new CurrentSnapshot(new DiskSnapshotStore(out), {
    objectBytes: OBJECT_BYTES,
    answerBytes: ANSWER_BYTES,
  });
  const keys = new KnownKeys(diskKeyFiles(out), KEYS_BELIEVED_MS);
  const server = createHttpServer({
    ...{ gateway: new Gateway(keys, quotas, reporter, options.usage), current, quotas, reporter },
    codedBodies: new CodedBodies(CODED_BYTES),
    trustedProxies: options.trustedProxies,
    accessLog: options.accessLog,
  });
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
    isReady: () => isReady({ current, quotas }),
    refresh,
    async close() {
      clearInterval(timer);
      await closeServer(server);
      quotas.close();
    },
  };
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
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
