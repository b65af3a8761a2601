import { type Command } from 'commander';
import { loggedPath } from '../../gateway/node/access-log.ts';
import { serve, type ServeReporter } from '../../gateway/node/serve.ts';
import { colours } from '../colours.ts';
import { describeFailure } from '../failure.ts';
import { faultsOf, type Log, openLog } from '../log.ts';
import { command, type LogForm } from '../options.ts';
import { readConfig } from '../settings.ts';
import { untilStopped } from '../stopping.ts';
import { counted } from '../terminal.ts';

interface Options {
  readonly out: string;
  readonly host: string;
  readonly port: number;
  readonly config?: string;
  readonly log: LogForm;
}

export function serveCommand(): Command {
  return command(
    'serve',
    'the gateway alone, from what is published',
    ['out', 'host', 'port', 'config', 'log'],
    'serve --out out --port 8787',
  ).action(run);
}

async function run({ out, host, port, config, log: form }: Options): Promise<void> {
  const { trusted_proxies: trustedProxies } = readConfig(config);
  const log = await openLog(form);
  const reporter = logReporter(log);
  const gateway = await serve({ out, host, port, trustedProxies, reporter, accessLog: log.requests });
  const posts = gateway.snapshot()?.directory.posts ?? 0;
  const { url } = gateway;
  log.info(`${colours.green('serving')} ${counted(posts, 'post')} on ${url}`, { url, posts });
  await untilStopped();
  await gateway.close();
  log.close();
}

/** Says in the log what happens while serving. */
export function logReporter(log: Log): ServeReporter {
  const fault = faultsOf(log);
  let lastFault = '';
  return {
    failed(error, { method, target, log: request }) {
      fault(`failed ${method} ${loggedPath(target)}:`, error, { request: request?.id });
    },
    notCounted: (error) => fault('not counted, and so refused:', error),
    crowded: (connections) =>
      fault('turned away:', `There are ${connections} connections already. Let a proxy in front limit them.`),
    switched({ id, directory }) {
      lastFault = '';
      const text = `${colours.green('switched')} to snapshot ${id}, ${counted(directory.posts, 'post')}`;
      log.info(text, { snapshot: id, posts: directory.posts });
    },
    notSwitched(error) {
      const message = describeFailure(error);
      if (message !== lastFault) log.fault(`${colours.red('not switched')} to another snapshot: ${message}`);
      lastFault = message;
    },
  };
}
