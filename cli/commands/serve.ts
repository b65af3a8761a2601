import type { Command } from 'commander';
import { messageOf } from '../../common/thrown.ts';
import { COMMAND_LIST } from '../command-list.ts';
import { handleUncaughtErrors } from '../uncaught-errors.ts';
import type { AdminAddress } from '../admin/address.ts';
import { openAdmin } from '../admin/admin.ts';
import { loggedPath } from '../access-log.ts';
import { colours } from '../colours.ts';
import { describeFailure } from '../failure.ts';
import { FaultRecord } from '../faults.ts';
import { faultsOf, type Log, openLog } from '../log.ts';
import { command, type LogForm } from '../options.ts';
import { checkPublished } from '../place.ts';
import { printable } from '../printable.ts';
import { type ServedGateway, serveNoted, type ServeReporter } from '../serving.ts';
import { readConfig } from '../settings.ts';
import { stopSignal } from '../stop-signal.ts';
import { counted } from '../terminal.ts';
import { UsageLog, usagePath } from '../usage/usage-log.ts';

interface Options {
  readonly out: string;
  readonly host: string;
  readonly port: number;
  readonly config?: string;
  readonly log: LogForm;
  readonly admin?: AdminAddress;
}

export function serveCommand(): Command {
  return command(
    'serve',
    COMMAND_LIST.serve.does,
    ['out', 'host', 'port', 'config', 'log', 'admin'],
    'serve --out out --port 8787',
  ).action(run);
}

async function run({ out, host, port, config, log: form, admin: adminAddress }: Options): Promise<void> {
  const { trusted_proxies: trustedProxies } = readConfig(config);
  checkPublished(out); // Before any write to a mistyped folder.
  const log = await openLog(form);
  const faults = new FaultRecord(out);
  const reporter = recordingReporter(logReporter(log), faults);
  const usage = openUsage(out, log);
  const admin = await openAdmin(adminAddress);
  handleUncaughtErrors(reporter.unexpected); // Earlier failures are awaited, and end the process.
  try {
    const gateway = await serveNoted(
      admin.measured({ out, host, port, trustedProxies, reporter, usage, accessLog: log.requests }),
    );
    admin.watch(gateway, out, faults, null);
    const { url } = gateway;
    const { posts = 0 } = gateway.snapshot()?.directory ?? {};
    const measured = admin.url === null ? '' : `; metrics on ${admin.url}/metrics`;
    log.info(`${colours.green('serving')} ${counted(posts, 'post')} on ${url}${measured}`, { url, posts });
    const watching = watchCounts(gateway, faults);
    await stopSignal();
    clearInterval(watching);
    await gateway.close();
  } finally {
    admin.close();
    usage.close();
    faults.close();
    log.close();
  }
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

/** Also records faults for `status` that nothing else records. */
export function recordingReporter(reporter: ServeReporter, faults: FaultRecord): ServeReporter {
  return {
    ...reporter,
    notCounted(error) {
      reporter.notCounted(error);
      faults.report('counting', describeFailure(error));
    },
    countsNotRestored(error) {
      reporter.countsNotRestored(error);
      faults.report('counting', describeFailure(error));
    },
    followed: () => faults.clear('following the snapshot'),
    notSwitched(error) {
      reporter.notSwitched(error);
      faults.report('following the snapshot', describeFailure(error));
    },
  };
}

/** Logs events of the server. */
export function logReporter(log: Log): ServeReporter {
  const fault = faultsOf(log);
  let lastFault = '';
  return {
    failed(error, { method, target, log: request }) {
      fault(`failed ${method} ${printable(loggedPath(target))}:`, error, { request: request?.id });
    },
    notCounted: (error) => fault('request refused, because it could not be counted:', error),
    unexpected: (error) => fault('unexpected error, still serving:', error),
    crowded: (connections) =>
      fault(
        'turned away:',
        `All ${connections} connections are in use. Limit connections in a proxy in front.`,
      ),
    switched({ id: snapshot, directory: { posts } }) {
      lastFault = '';
      const text = `${colours.green('switched')} to snapshot ${snapshot}, ${counted(posts, 'post')}`;
      log.info(text, { snapshot, posts });
    },
    notSwitched(error) {
      const message = describeFailure(error);
      if (message !== lastFault) log.fault(`${colours.red('not switched')} to another snapshot: ${message}`);
      lastFault = message;
    },
    countsRestored: (path) =>
      log.fault(
        `${colours.yellow('counts restored:')} ${printable(path)} was removed while in use. It is written again with all ` +
          `counts. Stop Offprint before you delete its output.`,
      ),
    countsNotRestored: (error) => fault('not ready:', error),
  };
}

/** Records requests for `usage`. A failed write affects neither answers nor limits. */
export function openUsage(out: string, log: Log): UsageLog {
  return new UsageLog(usagePath(out), Date.now, {
    failed(error) {
      const why = printable(messageOf(error));
      log.fault(`${colours.yellow('usage is not recorded')}: ${why}. Requests are still answered.`);
    },
    recovered: () => log.info(`${colours.green('usage is recorded')} again`),
  });
}
