import { type Command, Option } from 'commander';
import { openAdmin } from '../admin/admin.ts';
import { openServedBucket } from '../bucket.ts';
import { colours } from '../colours.ts';
import { openLog } from '../log.ts';
import { mainCommand, type ServiceFlags, unitParser } from '../options.ts';
import { checkPublished } from '../place.ts';
import { openService } from '../service.ts';
import { stopSignal } from '../stop-signal.ts';
import { counted } from '../terminal.ts';

interface Options extends ServiceFlags {
  readonly from?: string;
  readonly endpoint?: string;
  /** Bytes. */
  readonly cache: number;
}

export function serveCommand(): Command {
  return mainCommand(
    'serve',
    ['out', 'host', 'port', 'settings', 'log', 'endpoint', 'admin', 'counts', 'drain'],
    'serve --out out --port 8787',
    'serve --from s3://my-blog --endpoint https://ACCOUNT.r2.cloudflarestorage.com',
  )
    .addOption(
      new Option(
        '--from <address>',
        'the bucket to serve from: s3://BUCKET or s3://BUCKET/PREFIX; --out then stores counts and copies',
      ).env('OFFPRINT_FROM'),
    )
    .addOption(
      new Option('--cache <size>', 'disk space for copies of bucket files, such as 500MB')
        .default(2e9, '2GB')
        .env('OFFPRINT_CACHE')
        .argParser(unitParser({ MB: 1e6, GB: 1e9, TB: 1e12 }, 'a size, such as 500MB or 2GB')),
    )
    .action(run);
}

async function run({ from, endpoint, cache, ...options }: Options): Promise<void> {
  const { out } = options;
  // Before any write to a mistyped folder.
  if (from === undefined) checkPublished(out);
  const bucket = from === undefined ? undefined : await openServedBucket({ from, endpoint }, out, cache);
  const admin = await openAdmin(options.admin);
  const log = await openLog(options.log);
  const stopped = stopSignal(); // Before anyone can know that it serves.
  try {
    const service = await openService(options, { bucket, log, admin });
    const { gateway, faults } = service;
    admin?.watch(gateway, out, faults, null);
    const { url } = gateway;
    const { posts = 0 } = gateway.snapshot()?.directory ?? {};
    const measured = admin === null ? '' : `; metrics on ${admin.url}/metrics`;
    log.info(`${colours.green('serving')} ${counted(posts, 'post')} on ${url}${measured}`, { url, posts });
    await stopped;
    await service.close();
  } finally {
    log.close();
  }
}
