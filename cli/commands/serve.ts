import type { Command } from 'commander';
import { colours } from '../colours.ts';
import { withoutSecrets } from '../../contract/api-key.ts';
import { serve, type ServeReporter } from '../../gateway/node/serve.ts';
import { untilStopped } from '../stopping.ts';
import { command } from '../options.ts';
import { readConfig } from '../settings.ts';
import { counted } from '../terminal.ts';

interface Options {
  readonly out: string;
  readonly host: string;
  readonly port: number;
  readonly config?: string;
}

export function serveCommand(): Command {
  return command(
    'serve',
    'the gateway alone, from what is published',
    ['out', 'host', 'port', 'config'],
    'serve --out out --port 8787',
  ).action(run);
}

async function run({ out, host, port, config }: Options): Promise<void> {
  const { trusted_proxies: trustedProxies } = readConfig(config);
  const gateway = await serve({ out, host, port, trustedProxies, reporter: terminalReporter() });
  const posts = gateway.snapshot()?.directory.posts ?? 0;
  console.log(`${colours.green('serving')} ${counted(posts, 'post')} on ${gateway.url}`);
  await untilStopped();
  await gateway.close();
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
      console.log(`${colours.green('switched')} to snapshot ${id}, ${counted(directory.posts, 'post')}`);
    },
    notSwitched(error) {
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== lastFault) console.error(`${colours.red('not switched')} to another snapshot: ${fault}`);
      lastFault = fault;
    },
  };
}
