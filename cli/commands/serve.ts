import cluster from 'node:cluster';
import { type Command, InvalidArgumentError } from 'commander';
import { loggedPath } from '../../gateway/node/access-log.ts';
import { goOnServing } from '../../gateway/node/last-resort.ts';
import { checkPublished, noteServing, openCounts } from '../../gateway/node/place.ts';
import {
  serve,
  type ServedGateway,
  type ServeOptions,
  type ServeReporter,
} from '../../gateway/node/serve.ts';
import { startWorkers } from '../../gateway/node/workers/primary.ts';
import { serveAsWorker } from '../../gateway/node/workers/worker.ts';
import { colours } from '../colours.ts';
import { describeFailure } from '../failure.ts';
import { FaultRecord } from '../faults.ts';
import { faultsOf, type Log, openLog } from '../log.ts';
import { command, type LogForm } from '../options.ts';
import { printable } from '../printable.ts';
import { readConfig } from '../settings.ts';
import { untilStopped } from '../stopping.ts';
import { counted } from '../terminal.ts';

interface Options {
  readonly out: string;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly config?: string;
  readonly log: LogForm;
}

export function serveCommand(): Command {
  return command(
    'serve',
    'serve the published snapshot',
    ['out', 'host', 'port', 'config', 'log'],
    'serve --out out --port 8787',
  )
    .option(
      '--workers <number>',
      'processes that serve, beside one that counts for them; 1: one that does both',
      parseWorkers,
      1,
    )
    .action(run);
}

async function run({ out, host, port, workers, config, log: form }: Options): Promise<void> {
  const { trusted_proxies: trustedProxies } = readConfig(config);
  checkPublished(out); // Before anything is written in a folder that was mistyped.
  const log = await openLog(form);
  const reporter = logReporter(log);
  goOnServing(reporter.unexpected); // What fails before it serves is awaited, and ends it.
  if (workers > 1 && cluster.isPrimary) return serveWithWorkers({ out, reporter }, workers, log);
  const faults = new FaultRecord(out);
  const options = {
    ...{ out, host, port, trustedProxies },
    ...{ reporter: recordingReporter(reporter, faults), accessLog: log.requests },
  };
  if (cluster.isWorker) {
    serveAsWorker(options, () => {
      faults.close();
      log.close();
    });
  } else await serveAlone(options, log, faults);
}

async function serveAlone(options: ServeOptions, log: Log, faults: FaultRecord): Promise<void> {
  try {
    const gateway = await serve(options);
    sayServing(log, gateway.snapshot()?.directory.posts ?? 0, gateway.url);
    const watching = watchCounts(gateway, faults);
    await untilStopped();
    clearInterval(watching);
    await gateway.close();
  } finally {
    faults.close();
    log.close();
  }
}

async function serveWithWorkers(
  { out, reporter }: Pick<ServeOptions, 'out' | 'reporter'>,
  count: number,
  log: Log,
): Promise<void> {
  const counter = openCounts(out);
  let forget: (() => void) | undefined;
  try {
    const workers = await startWorkers(count, counter, {
      switched: ({ snapshot, posts }) => saySwitched(log, snapshot, posts),
      notCounted: reporter.notCounted,
      restarted: (why) => log.fault(`${colours.red('a worker ended')} (${why}); another is started`),
    });
    forget = noteServing(out, workers.served.url);
    sayServing(log, workers.served.posts, workers.served.url);
    await untilStopped();
    await workers.close();
  } finally {
    counter.close();
    forget?.();
    log.close();
  }
}

function sayServing(log: Log, posts: number, url: string): void {
  log.info(`${colours.green('serving')} ${counted(posts, 'post')} on ${url}`, { url, posts });
}

function saySwitched(log: Log, snapshot: string, posts: number): void {
  const text = `${colours.green('switched')} to snapshot ${snapshot}, ${counted(posts, 'post')}`;
  log.info(text, { snapshot, posts });
}

function parseWorkers(text: string): number {
  const workers = Number(text);
  if (!/^\d+$/.test(text) || workers < 1 || workers > 64)
    throw new InvalidArgumentError('It must be a number from 1 to 64.');
  return workers;
}

const WATCH_MS = 5_000;

/** Looks whether counts can be written again, once they could not. */
export function watchCounts(gateway: Pick<ServedGateway, 'isReady'>, faults: FaultRecord): NodeJS.Timeout {
  return setInterval(() => {
    faults.restore();
    if (!faults.has('counting')) return;
    void gateway.isReady().then((ready) => {
      if (ready) faults.clear('counting');
    });
  }, WATCH_MS).unref();
}

/** Writes down for `status`, besides, what nothing else records. */
export function recordingReporter(reporter: ServeReporter, faults: FaultRecord): ServeReporter {
  return {
    ...reporter,
    notCounted(error) {
      reporter.notCounted(error);
      faults.report('counting', describeFailure(error));
    },
    followed: () => faults.clear('following the snapshot'),
    notSwitched(error) {
      reporter.notSwitched(error);
      faults.report('following the snapshot', describeFailure(error));
    },
  };
}

/** Says in the log what happens while serving. */
export function logReporter(log: Log): ServeReporter {
  const fault = faultsOf(log);
  let lastFault = '';
  return {
    failed(error, { method, target, log: request }) {
      fault(`failed ${method} ${printable(loggedPath(target))}:`, error, { request: request?.id });
    },
    notCounted: (error) => fault('not counted, and so refused:', error),
    unexpected: (error) => fault('failed, and goes on serving:', error),
    crowded: (connections) =>
      fault('turned away:', `There are ${connections} connections already. Let a proxy in front limit them.`),
    switched({ id, directory }) {
      lastFault = '';
      saySwitched(log, id, directory.posts);
    },
    notSwitched(error) {
      const message = describeFailure(error);
      if (message !== lastFault) log.fault(`${colours.red('not switched')} to another snapshot: ${message}`);
      lastFault = message;
    },
    usageNotKept(error) {
      const why = printable(error instanceof Error ? error.message : String(error));
      log.fault(`${colours.yellow('usage is not written down')}: ${why}. Requests are answered as ever.`);
    },
  };
}
