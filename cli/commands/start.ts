import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { colours } from '../colours.ts';
import { build, isBuildDue } from '../../build/build.ts';
import { SnapshotHeld } from '../../build/errors.ts';
import { readPath } from '../../build/live-source.ts';
import { readPointer } from '../../build/pointer-file.ts';
import { SILENT } from '../../build/progress.ts';
import { isCronExpression, schedule } from '../../build/schedule.ts';
import { Source } from '../../build/source.ts';
import { PREFIX, SCOPES } from '../../contract/api.ts';
import { createKey, listKeys } from '../../data/accounts/keys.ts';
import { openForWriting } from '../../data/database.ts';
import { createSampleBlog } from '../../data/sample.ts';
import { goOnServing } from '../../gateway/node/last-resort.ts';
import { checkPlace } from '../../gateway/node/place.ts';
import { serve } from '../../gateway/node/serve.ts';
import { buildInChild } from '../child-command.ts';
import { checkBucket } from '../bucket.ts';
import { describeFailure, reportOnce } from '../failure.ts';
import { changingKeys } from '../keys.ts';
import { type Log, openLog } from '../log.ts';
import {
  buildOptions,
  command,
  type DatabaseFlags,
  keysDatabase,
  type LogForm,
  sourceOf,
} from '../options.ts';
import { type Config, ConfigError, readConfig } from '../settings.ts';
import { untilStopped } from '../stopping.ts';
import { counted, terminalProgress } from '../terminal.ts';
import { uploadsTo } from '../uploads.ts';
import { describeBuild } from './build.ts';
import { logReporter } from './serve.ts';

interface Options extends DatabaseFlags {
  readonly out: string;
  readonly host: string;
  readonly port: number;
  readonly cron?: string;
  readonly config?: string;
  readonly publishTo?: string;
  readonly endpoint?: string;
  readonly log: LogForm;
}

export function startCommand(): Command {
  return command(
    'start',
    'make the sample blog if there is no database, export, serve, and export again on a schedule',
    ['db', 'source', 'keys', 'out', 'host', 'port', 'config', 'log', 'endpoint'],
    'start --port 8787 --cron "*/5 * * * *"',
  )
    .addOption(
      new Option(
        '--publish-to <address>',
        'a bucket, s3://BUCKET or s3://BUCKET/PREFIX, to publish to after each export',
      ).env('OFFPRINT_PUBLISH_TO'),
    )
    .option('--cron <expression>', 'when to look for changes (default: every minute)', parseCron)
    .action(run);
}

async function run(options: Options): Promise<void> {
  const config = readConfig(options.config);
  const cron = options.cron ?? config.cron;
  if (!isCronExpression(cron)) throw new ConfigError(`The setting cron, "${cron}", is no cron expression.`);

  checkBucket({ to: options.publishTo, endpoint: options.endpoint });
  const { out, host, port } = options;
  await checkPlace(out, host, port);
  const isNew = sourceOf(options, config) === undefined && !existsSync(options.db);
  if (isNew) await createSampleBlog(options.db, new Date());
  const keys = keysDatabase(options, config);
  if (!existsSync(keys)) openForWriting(keys).close();
  const log = await openLog(options.log);
  const firstKey = changingKeys(keys, options.out, (db) =>
    // A log in JSON is kept, and read by others: no key may stand in it.
    listKeys(db).length > 0 || log.form === 'json'
      ? null
      : createKey(db, { account: 'demo', name: 'made by the first start', scopes: SCOPES, admin: false }),
  );
  await firstBuild(options, config, log);

  const reporter = logReporter(log);
  const gateway = await serve({
    ...{ out, host, port, trustedProxies: config.trusted_proxies },
    ...{ reporter, accessLog: log.requests },
  });
  goOnServing(reporter.unexpected);
  const { posts = 0, authors = 0 } = gateway.snapshot()?.directory ?? {};
  const site = siteName(options, config);
  const served = `${site}: ${counted(posts, 'post')}, ${counted(authors, 'author')}`;
  const { url } = gateway;
  if (log.form === 'json') log.info(`serving ${served}`, { url, posts, authors });
  else welcome(url, served, isNew, firstKey?.key ?? null, cron);

  const stopping = new AbortController();
  const { publishTo, endpoint } = options;
  const uploads =
    publishTo === undefined
      ? null
      : schedule(cron, uploadsTo({ out, to: publishTo, endpoint }, log, stopping.signal));
  void uploads?.tick();
  const builds = schedule(cron, {
    // The configuration is read anew, as the build itself will: a change of it is a change to publish.
    isDue: () => isBuildDue(buildOptions(options, readConfig(options.config), SILENT)),
    async run() {
      const report = await buildInChild(options, stopping.signal);
      log.info(describeBuild(report));
      await gateway.refresh();
      void uploads?.tick();
    },
    failed: reportOnce((message) => {
      if (!stopping.signal.aborted) log.fault(`${colours.red('not published:')} ${message}`);
    }),
  });

  await untilStopped();
  stopping.abort();
  await builds.stop();
  await uploads?.stop();
  await gateway.close();
  log.info(colours.dim('stopped'));
  log.close();
}

/** Nothing is served yet that could be held up, so the first build runs here. */
async function firstBuild(options: Options, config: Config, log: Log): Promise<void> {
  try {
    const progress = log.form === 'json' ? SILENT : terminalProgress();
    log.info(describeBuild(await build(buildOptions(options, config, progress))));
  } catch (error) {
    if (!readPointer(options.out)) throw error;
    const kind = error instanceof SnapshotHeld ? colours.yellow('held:') : colours.red('not published:');
    log.fault(`${kind} ${describeFailure(error)} Serving what was published before.`);
  }
}

function welcome(url: string, served: string, isNew: boolean, key: string | null, cron: string): void {
  const lines = [
    '',
    `  ${colours.bold('Offprint')} is serving ${served}`,
    '',
    `  ${colours.dim('address')}   ${colours.cyan(url + PREFIX)}`,
    `  ${colours.dim('rebuild')}   when something changed, looked at by ${cron === '* * * * *' ? 'the minute' : `"${cron}"`}`,
    ...(key === null
      ? [
          `  ${colours.dim('key')}       those made before; npm run -s offprint -- keys create --account NAME --name TEXT`,
        ]
      : [
          `  ${colours.dim('key')}       ${colours.bold(key)}  ${colours.dim('shown this once')}`,
          '',
          `  curl -H "Authorization: Bearer ${key}" "${url}${PREFIX}/posts?per_page=3"`,
        ]),
    ...(isNew
      ? [
          '',
          `  ${colours.dim('This is a sample. Your own blog:')}`,
          '  npm run -s offprint -- import markdown FOLDER --db my.db --site https://blog.example',
          '  npm run -s offprint -- start --db my.db --out my-out',
        ]
      : []),
    '',
    `  ${colours.dim('Ctrl-C stops.')}`,
    '',
  ];
  console.log(lines.join('\n'));
}

function siteName(options: Options, config: Config): string {
  const path = readPath({ ...options, source: sourceOf(options, config) });
  // Where a live database could not be read so far, what was published before is served all the same.
  if (!existsSync(path)) return config.site.name ?? 'the blog';
  const source = new Source(path);
  try {
    return source.readSite(config.site).name;
  } finally {
    source.close();
  }
}

function parseCron(text: string): string {
  if (!isCronExpression(text)) throw new InvalidArgumentError('This is no cron expression.');
  return text;
}
