import { type Command, InvalidArgumentError } from 'commander';
import { colours } from '../colours.ts';
import cluster from 'node:cluster';
import { quotaPath, serve, type ServeOptions, type ServeReporter } from '../../gateway/node/serve.ts';
import { SqliteQuotaCounter } from '../../gateway/node/sqlite-quota-counter.ts';
import { startWorkers } from '../../gateway/node/workers/primary.ts';
import { serveAsWorker } from '../../gateway/node/workers/worker.ts';
import { withoutSecrets } from '../../contract/api-key.ts';
import { untilStopped } from '../stopping.ts';
import { command } from '../options.ts';
import { readConfig } from '../settings.ts';
import { counted } from '../terminal.ts';

interface Options {
  readonly out: string;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly config?: string;
}

export function serveCommand(): Command {
  return command(
    'serve',
    'the gateway alone, from what is published',
    ['out', 'host', 'port', 'config'],
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

async function run({ out, host, port, workers, config }: Options): Promise<void> {
  const { trusted_proxies: trustedProxies } = readConfig(config);
  const options = { out, host, port, trustedProxies, reporter: terminalReporter() };
  if (cluster.isWorker) serveAsWorker(options);
  else if (workers > 1) await serveWithWorkers(options, workers);
  else await serveAlone(options);
}

async function serveAlone(options: ServeOptions): Promise<void> {
  const gateway = await serve(options);
  sayServing(gateway.snapshot()?.directory.posts ?? 0, gateway.url);
  await untilStopped();
  await gateway.close();
}

async function serveWithWorkers({ out }: ServeOptions, count: number): Promise<void> {
  const counter = new SqliteQuotaCounter(quotaPath(out), Date.now);
  try {
    const workers = await startWorkers(count, counter, {
      switched: ({ snapshot, posts }) => saySwitched(snapshot, posts),
      restarted: (why) => console.error(`${colours.red('a worker ended')} (${why}); another is started`),
    });
    sayServing(workers.served.posts, workers.served.url);
    await untilStopped();
    await workers.close();
  } finally {
    counter.close();
  }
}

function sayServing(posts: number, url: string): void {
  console.log(`${colours.green('serving')} ${counted(posts, 'post')} on ${url}`);
}

function saySwitched(snapshot: string, posts: number): void {
  console.log(`${colours.green('switched')} to snapshot ${snapshot}, ${counted(posts, 'post')}`);
}

function parseWorkers(text: string): number {
  const workers = Number(text);
  if (!/^\d+$/.test(text) || workers < 1 || workers > 64)
    throw new InvalidArgumentError('It must be a number from 1 to 64.');
  return workers;
}

/** Says on the terminal what happens while serving. Requests themselves are not logged here. */
export function terminalReporter(): ServeReporter {
  let lastFault = '';
  return {
    failed(error, { method, target }) {
      const path = withoutSecrets(target.split('?')[0] ?? '');
      console.error(`${colours.red('failed')} ${method} ${path}:`, error);
    },
    switched({ id, directory }) {
      lastFault = '';
      saySwitched(id, directory.posts);
    },
    notSwitched(error) {
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== lastFault) console.error(`${colours.red('not switched')} to another snapshot: ${fault}`);
      lastFault = fault;
    },
    usageNotKept(error) {
      const fault = error instanceof Error ? error.message : String(error);
      console.error(
        `${colours.yellow('usage is not written down')}: ${fault}. Requests are answered as ever.`,
      );
    },
  };
}
