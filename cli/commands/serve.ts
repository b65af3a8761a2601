import type { Command } from 'commander';
import type { AdminAddress } from '../admin/address.ts';
import { openAdmin } from '../admin/admin.ts';
import { colours } from '../colours.ts';
import { COMMAND_LIST } from '../command-list.ts';
import { openLog } from '../log.ts';
import { command, type LogForm } from '../options.ts';
import { checkPublished } from '../place.ts';
import { openService } from '../service.ts';
import { readConfig } from '../settings.ts';
import { stopSignal } from '../stop-signal.ts';
import { counted } from '../terminal.ts';

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

async function run({ out, host, port, config, ...options }: Options): Promise<void> {
  const { trusted_proxies: trustedProxies } = readConfig(config);
  checkPublished(out); // Before any write to a mistyped folder.
  const admin = await openAdmin(options.admin);
  const log = await openLog(options.log);
  try {
    const service = await openService({ out, host, port, trustedProxies, log, admin });
    const { gateway, faults } = service;
    admin.watch(gateway, out, faults, null);
    const { url } = gateway;
    const { posts = 0 } = gateway.snapshot()?.directory ?? {};
    const measured = admin.url === null ? '' : `; metrics on ${admin.url}/metrics`;
    log.info(`${colours.green('serving')} ${counted(posts, 'post')} on ${url}${measured}`, { url, posts });
    await stopSignal();
    await service.close();
  } finally {
    log.close();
  }
}
