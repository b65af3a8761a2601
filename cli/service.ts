/** A service: the gateway of `serve` or `start`, with the record of its faults, its usage and its metrics. */
import { messageOf } from '../common/thrown.ts';
import type { Admin } from './admin/admin.ts';
import { colours } from './colours.ts';
import { FaultRecord } from './faults.ts';
import type { Log } from './log.ts';
import { printable } from './printable.ts';
import { logReporter, recordingReporter } from './serve-reporter.ts';
import { type ServedGateway, type ServeOptions, serveAndRecord } from './serving.ts';
import { UsageLog, usagePath } from './usage/usage-log.ts';

export interface ServiceOptions extends Pick<ServeOptions, 'out' | 'host' | 'port' | 'trustedProxies'> {
  readonly log: Log;
  readonly admin: Admin;
}

export interface Service {
  readonly out: string;
  readonly log: Log;
  readonly admin: Admin;
  readonly faults: FaultRecord;
  readonly gateway: ServedGateway;
  /** Stops all but the log. */
  close(): Promise<void>;
}

/** Serves an output. @throws errors of `serveAndRecord` */
export async function openService({ log, admin, ...place }: ServiceOptions): Promise<Service> {
  const { out } = place;
  const faults = new FaultRecord(out);
  const reporter = recordingReporter(logReporter(log), faults);
  const usage = openUsage(out, log);
  const closeRecords = (): void => {
    admin.close();
    usage.close();
    faults.close();
  };
  handleUncaughtErrors(reporter.unexpected); // Earlier failures are awaited, and end the process.
  try {
    const gateway = await serveAndRecord(
      admin.measured({ ...place, reporter, usage, accessLog: log.requests }),
    );
    const watching = watchCounts(gateway, faults);
    return {
      ...{ out, log, admin, faults, gateway },
      async close() {
        clearInterval(watching);
        await gateway.close();
        closeRecords();
      },
    };
  } catch (error) {
    closeRecords();
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
function openUsage(out: string, log: Log): UsageLog {
  return new UsageLog(usagePath(out), Date.now, {
    failed(error) {
      const why = printable(messageOf(error));
      log.fault(`${colours.yellow('usage is not recorded')}: ${why}. Requests are still answered.`);
    },
    recovered: () => log.info(`${colours.green('usage is recorded')} again`),
  });
}
