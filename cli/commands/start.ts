/** `start`: brings a blog up to date, serves it, and keeps both going. Each step and job is a file in cli/start/. */
import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isCronExpression, type Schedule } from '../../build/schedule.ts';
import { shownAddress } from '../../common/shown-address.ts';
import { changingKeys } from '../../data/accounts/change-keys.ts';
import { openForWriting } from '../../data/database.ts';
import { colours } from '../colours.ts';
import { openLog } from '../log.ts';
import { mainCommand, type StartFlags } from '../options.ts';
import { noteOpenDatabase } from '../private-output.ts';
import { openService } from '../service.ts';
import { DEFAULT_CONFIG, readConfig } from '../settings.ts';
import { checkStart } from '../start/checks.ts';
import { firstBuild, rebuild } from '../start/builds.ts';
import { hasPublished, makeSample, moveSample, runFirstImport } from '../start/first-content.ts';
import { type JobContext, NO_JOB, scheduleJob } from '../start/jobs.ts';
import { uploads } from '../start/uploads.ts';
import { webhooks } from '../start/webhooks.ts';
import { firstKey, welcome } from '../start/welcome.ts';
import { stopSignal } from '../stop-signal.ts';

export function startCommand(): Command {
  return mainCommand(
    'start',
    ['db', 'out', 'host', 'port', 'config', 'log', 'endpoint', 'admin', 'counts', 'drain'],
    'start --port 8787 --cron "*/5 * * * *"',
  )
    .addOption(
      new Option(
        '--publish-to <address>',
        'the bucket to publish to after each build: s3://BUCKET or s3://BUCKET/PREFIX',
      ).env('OFFPRINT_PUBLISH_TO'),
    )
    .option(
      '--import <source...>',
      'import a blog (a path, or a format and a path) and follow it; saved in offprint.json',
    )
    .option('--cron <expression>', 'when to check for changes, in UTC; default: every minute', parseCron)
    .action(run);
}

/** The settings are read late, since `--import` may make their file. */
async function run(flags: Omit<StartFlags, 'settings'>, typed: Command): Promise<void> {
  // Loaded on demand: serving needs no importers.
  const added =
    flags.import === undefined
      ? null
      : await (await import('../recognise.ts')).addedImport(flags.config, flags.import, typed);
  const config = added?.config ?? readConfig(flags.config);
  const options = { ...flags, settings: config };
  const { cron, secret, admin, isFirst } = await checkStart(options, typed);
  const log = await openLog(options.log);
  if (added?.recognised !== undefined) log.info(added.recognised);
  const others = added === null ? [] : config.import.filter((one) => one !== added.setting);
  if (others.length > 0) {
    const paths = others.map(({ path }) => shownAddress(path)).join(', ');
    log.info(`also following, from "import" of ${options.config ?? DEFAULT_CONFIG}: ${paths}`);
  }
  const hasImports = config.import.length > 0;
  if (isFirst) await makeSample(options, log);
  const isSample = isFirst || (!hasImports && moveSample(options));
  const servesFirst = added === null && hasImports && hasPublished(options);
  const replacesSample = !servesFirst && hasImports && (await runFirstImport(options, log, added));
  added?.write();
  // Not earlier: if all imports failed, an empty database would be published as a blog.
  if (!existsSync(options.db)) openForWriting(options.db).close();
  await firstBuild(options, log, replacesSample);
  const key = changingKeys(options.db, options.out, (db) => firstKey(db, log, options));
  noteOpenDatabase(options.db, log.fault);

  const service = await openService(options, { log, admin });
  const stopped = stopSignal(); // Before the log says how to stop it.
  welcome(service, options, { key, cron, isSample, isFollowing: hasImports });
  const stopping = new AbortController();
  const context = { options, cron, service, stopping: stopping.signal };
  const jobs = await startJobs(context, secret, servesFirst);

  await stopped;
  stopping.abort();
  for (const job of jobs) await job.stop();
  await service.close();
  log.info(colours.dim('stopped'));
  log.close();
}

/**
 * Starts the jobs that follow changes: imports follow their sources, builds the database, uploads the output, and webhooks
 * the snapshot that all readers get.
 *
 * @param importNow whether to run the imports now
 * @returns the jobs in the order to stop them
 */
async function startJobs(
  context: JobContext,
  secret: Buffer | null,
  importNow: boolean,
): Promise<readonly Schedule[]> {
  const { options, service } = context;
  const { gateway, admin, faults, log, out } = service;
  const { publishTo, settings } = options;
  let uploaded: string | undefined;
  const available = () => (publishTo === undefined ? gateway.snapshot()?.id : uploaded);

  const notifying =
    secret === null ? NO_JOB : scheduleJob(context, webhooks(context, settings.webhooks, secret, available));
  const uploading =
    publishTo === undefined
      ? NO_JOB
      : scheduleJob(
          context,
          uploads(context, publishTo, (snapshot) => {
            uploaded = snapshot;
            void notifying.tick();
          }),
        );
  const publish = (): void => {
    void uploading.tick();
    void notifying.tick();
  };
  const building = scheduleJob(context, rebuild(context, publish));
  const importing =
    settings.import.length === 0
      ? NO_JOB
      : // Loaded on demand: most services follow no blog.
        (await import('../start/followed-imports.ts')).followImports(context, () => void building.tick());

  publish();
  const bucket = publishTo === undefined ? undefined : { to: publishTo, endpoint: options.endpoint };
  // Loaded on demand: most services have no admin address.
  const accounts =
    admin === null
      ? null
      : new (await import('../admin/accounts-pool.ts')).AccountsPool(
          { db: options.db, out, counts: options.counts, bucket, config: options.config },
          log.fault,
        );
  if (accounts)
    admin?.watch(gateway, out, faults, {
      rebuild() {
        void importing.tick();
        void building.tick();
      },
      db: options.db,
      accounts: (request) => accounts.answer(request),
    });
  if (importNow) {
    log.info(colours.dim('checking the blog for changes; the last published snapshot is served meanwhile'));
    void importing.tick();
  }
  return [importing, building, uploading, notifying];
}

function parseCron(text: string): string {
  if (!isCronExpression(text)) throw new InvalidArgumentError('It is not a valid cron expression.');
  return text;
}
