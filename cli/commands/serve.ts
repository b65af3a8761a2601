import type { Command } from 'commander';
import { openAdmin } from '../admin/admin.ts';
import { colours } from '../colours.ts';
import { openLog } from '../log.ts';
import { mainCommand, type ServiceFlags } from '../options.ts';
import { checkPublished } from '../place.ts';
import { openService } from '../service.ts';
import { readConfig } from '../settings.ts';
import { stopSignal } from '../stop-signal.ts';
import { counted } from '../terminal.ts';

export function serveCommand(): Command {
  return mainCommand(
    'serve',
    ['out', 'counts', 'host', 'port', 'config', 'log', 'admin'],
    'serve --out out --port 8787',
  ).action(run);
}

async function run({ out, counts, host, port, config, ...options }: ServiceFlags): Promise<void> {
  const { trusted_proxies: trustedProxies } = readConfig(config);
  checkPublished(out); // Before any write to a mistyped folder.
  const admin = await openAdmin(options.admin);
  const log = await openLog(options.log);
  try {
    const service = await openService({ out, counts, host, port, trustedProxies, log, admin });
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
