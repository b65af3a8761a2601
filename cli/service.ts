/** A service: the gateway of `serve` or `start`, with the record of its faults, its usage and its metrics. */
import { inlineMessage } from '../common/thrown.ts';
import type { PostgresQuotaCounter } from '../gateway/node/postgres/postgres-quota-counter.ts';
import { onResultError } from '../data/results.ts';
import { requestTimes } from './access-log.ts';
import type { Admin } from './admin/admin.ts';
import { colours } from './colours.ts';
import type { ServiceListener } from './events.ts';
import { FaultRecord, recordFaults } from './faults.ts';
import { logEvents } from './log-events.ts';
import type { Log } from './log.ts';
import { printable } from './printable.ts';
import type { ServiceFlags } from './options.ts';
import { namingService } from './place.ts';
import { type ServedGateway, type ServeOptions, serve } from './serving.ts';
import { UsageDatabase, UsageLog, usagePath, type UsageStore } from './usage/usage-log.ts';

/** What was opened before the service. */
interface ServiceParts extends Pick<ServeOptions, 'bucket'> {
  readonly log: Log;
  /** Null: none. */
  readonly admin: Admin | null;
}

export interface Service {
  readonly out: string;
  readonly log: Log;
  readonly admin: Admin | null;
  readonly faults: FaultRecord;
  /** Receives what happens. */
  readonly emit: ServiceListener;
  readonly gateway: ServedGateway;
  /** Stops all but the log. */
  close(): Promise<void>;
}

/** Serves an output. @throws errors of `serve` and `openCounts` */
export async function openService(
  { out, host, port, drain, counts, settings }: ServiceFlags,
  { log, admin, bucket }: ServiceParts,
): Promise<Service> {
  onResultError(log.fault);
  const faults = new FaultRecord(out);
  const listeners = [logEvents(log), recordFaults(faults), ...(admin === null ? [] : [admin.listen])];
  const emit: ServiceListener = (event) => {
    for (const listener of listeners) listener(event);
  };
  const isObserved = log.requests !== undefined || admin !== null;
  const accessLog = isObserved ? requestTimes((request) => emit({ kind: 'answered', request })) : undefined;
  let [quotas, usage]: [PostgresQuotaCounter?, UsageLog?] = [];
  const closeRecords = async (): Promise<void> => {
    admin?.close();
    await usage?.close();
    await quotas?.close();
    faults.close();
    onResultError();
  };
  handleUncaughtErrors((error) => emit({ kind: 'unexpected', error })); // Earlier failures are awaited, and end the process.
  try {
    let store: UsageStore | undefined;
    if (counts !== undefined) {
      const { openCounts, sharedUsage } = await import('./counts.ts');
      quotas = await openCounts(counts, (error) => emit({ kind: 'not counted', error }));
      store = sharedUsage(quotas);
    }
    usage = openUsage(store ?? new UsageDatabase(usagePath(out)), log);
    const place = { out, bucket, host, port, drain, trustedProxies: settings.trusted_proxies };
    const serving = { ...place, emit, usage, accessLog, quotas };
    const gateway = await namingService(out, () => serve(serving));
    faults.recordUrl(gateway.url);
    const watching = watchCounts(gateway, faults);
    return {
      out,
      log,
      admin,
      faults,
      emit,
      gateway,
      async close() {
        clearInterval(watching);
        await gateway.close();
        await closeRecords();
      },
    };
  } catch (error) {
    await closeRecords();
    throw error;
  }
}

/**
 * Reports uncaught errors and unhandled rejections of a serving process, which continues: its last resort. Errors of
 * requests are caught earlier, where they can be answered (http-server.ts).
 */
function handleUncaughtErrors(report: (error: unknown) => void): void {
  // Node also emits unhandled rejections as this event.
  process.on('uncaughtException', (error) => {
    try {
      report(error);
    } catch {
      // An error in here would end the process.
    }
  });
}

const WATCH_MS = 5_000;

/** After a failed write of counts, checks whether writes work again. */
export function watchCounts(gateway: Pick<ServedGateway, 'isReady'>, faults: FaultRecord): NodeJS.Timeout {
  return setInterval(() => {
    faults.restore();
    if (!faults.has('counting')) return;
    void gateway.isReady().then((ready) => {
      if (ready) faults.clear('counting');
    });
  }, WATCH_MS).unref();
}

/** Records requests for `usage`. A failed write affects neither answers nor limits. */
function openUsage(store: UsageStore, log: Log): UsageLog {
  return new UsageLog(store, Date.now, {
    onFailure(error) {
      const why = printable(inlineMessage(error));
      log.fault(`${colours.yellow('usage is not recorded')}: ${why}. Requests are still answered.`);
    },
    onRecovery: () => log.info(`${colours.green('usage is recorded')} again`),
  });
}
