import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { COMMAND_LIST } from '../command-list.ts';
import { colours } from '../colours.ts';
import { buildOutput } from '../../build/output/build-output.ts';
import { isBuildDue } from '../../build/build.ts';
import { guardOutput } from '../../build/output/output-guard.ts';
import { OtherBlog, SnapshotHeld } from '../../build/errors.ts';
import { readPath } from '../../build/output/live-source.ts';
import { readablePointer } from '../../build/output/pointer-file.ts';
import { placeReadySample } from '../../build/output/ready-sample.ts';
import { refuseUnreadable } from '../../common/errors.ts';
import { SILENT } from '../../common/progress.ts';
import { isCronExpression, schedule } from '../../build/schedule.ts';
import { Source } from '../../build/snapshot/source.ts';
import { PREFIX, SCOPES } from '../../contract/api.ts';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { readAccounts } from '../../data/accounts/accounts.ts';
import { changingKeys } from '../../data/accounts/change-keys.ts';
import { createKey } from '../../data/accounts/keys.ts';
import { type BlogDatabase, openForWriting, refuseServer } from '../../data/database.ts';
import { DatabaseMissing, KeysMissing } from '../../data/errors.ts';
import { hasSample } from '../../import/sample-origin.ts';
import { ViewsMissing } from '../../data/live/errors.ts';
import type { AdminAddress } from '../admin/address.ts';
import { openAdmin } from '../admin/admin.ts';
import { handleUncaughtErrors } from '../uncaught-errors.ts';
import { buildInChild } from '../child-command.ts';
import { commandLine } from '../command-line.ts';
import { checkBucket } from '../bucket.ts';
import { describeImport, describeOutcome } from '../describe-import.ts';
import { describeFailure, ImportNotAdded, NothingImported, reportOnce } from '../failure.ts';
import { FaultRecord } from '../faults.ts';
import { type ImportOutcome, readImports, writeImports } from '../import-record.ts';
import { startBackgroundImports } from '../background-imports.ts';
import { reportMerge } from '../keys.ts';
import { type Log, openLog } from '../log.ts';
import {
  buildOptions,
  command,
  type DatabaseFlags,
  keysDatabase,
  type LogForm,
  sourceOf,
} from '../options.ts';
import { checkPlace } from '../place.ts';
import { printable } from '../printable.ts';
import { noteOpenDatabase } from '../private-output.ts';
import { serveNoted } from '../serving.ts';
import {
  type AddedImport,
  addImport,
  type Config,
  ConfigError,
  type ReadConfig,
  readConfig,
} from '../settings.ts';
import { stopSignal } from '../stop-signal.ts';
import { terminalProgress } from '../terminal-progress.ts';
import { counted, isOnTerminal } from '../terminal.ts';
import { uploadsTo } from '../uploads.ts';
import { webhooksFor, webhookSecret } from '../webhooks.ts';
import { describeBuild } from './build.ts';
import { logReporter, openUsage, recordingReporter, watchCounts } from './serve.ts';

interface Options extends DatabaseFlags {
  readonly out: string;
  readonly host: string;
  readonly port: number;
  readonly cron?: string;
  readonly config?: string;
  readonly publishTo?: string;
  readonly endpoint?: string;
  readonly log: LogForm;
  readonly admin?: AdminAddress;
  /** A format and a path. */
  readonly import?: readonly string[];
}

export function startCommand(): Command {
  return command(
    'start',
    COMMAND_LIST.start.does,
    ['db', 'source', 'keys', 'out', 'host', 'port', 'config', 'log', 'endpoint', 'admin'],
    'start --port 8787 --cron "*/5 * * * *"',
  )
    .addOption(
      new Option(
        '--publish-to <address>',
        'a bucket, s3://BUCKET or s3://BUCKET/PREFIX, to publish to after each build',
      ).env('OFFPRINT_PUBLISH_TO'),
    )
    .option('--import <format path...>', 'import a blog, and follow it from now on: set in offprint.json')
    .option('--cron <expression>', 'when to check for changes (default: every minute)', parseCron)
    .action(run);
}

async function run(options: Options, typed: Command): Promise<void> {
  const added = options.import === undefined ? null : addImport(options.config, options.import);
  const config = added?.config ?? readConfig(options.config);
  const cron = options.cron ?? config.cron;
  if (!isCronExpression(cron))
    throw new ConfigError(`The setting cron is not a valid cron expression: "${cron}".`);

  checkBucket({ to: options.publishTo, endpoint: options.endpoint });
  const secret = config.webhooks.length === 0 ? null : webhookSecret();
  const { out, host, port } = options;
  await checkPlace(out, host, port);
  const admin = await openAdmin(options.admin);
  const building = buildOptions(options, config, SILENT);
  const keys = keysDatabase(options, config);
  if (options.keys !== undefined && !existsSync(keys)) throw new KeysMissing(keys);
  const source = sourceOf(options, config);
  if (source !== undefined && !existsSync(source)) throw new ViewsMissing(source);
  refuseServer(options.db);
  const isNew = source === undefined && !existsSync(options.db);
  const isSample = isNew && config.import.length === 0;
  if (isNew) refuseUnreadable(options.db);
  if (isSample && !isFresh(options, typed)) throw new DatabaseMissing(options.db);
  await guardOutput(building, config.import.length > 0);
  if (isSample) {
    await makeSample(options.db);
    // Without a configuration: it was built with the defaults.
    if (!config.found) await placeReadySample(options.out, new Date());
  }
  const log = await openLog(options.log);
  const servesFirst = added === null && config.import.length > 0 && hasPublished(options);
  const { mark, replacedSample } = servesFirst
    ? { mark: '', replacedSample: false }
    : await firstImport(options, config, log, added);
  added?.write();
  // Not earlier: if all imports failed, an empty database would be published as a blog.
  if (!existsSync(keys)) openForWriting(keys).close();
  await firstBuild(options, config, log, replacedSample);
  const onMerge = reportMerge(log.fault);
  const key = changingKeys(keys, options.out, (db) => firstKey(db, log), { onMerge });
  noteOpenDatabase(keys, log.fault);

  const faults = new FaultRecord(out);
  const reporter = recordingReporter(logReporter(log), faults);
  const usage = openUsage(out, log);
  const gateway = await serveNoted(
    admin.measured({
      ...{ out, host, port, trustedProxies: config.trusted_proxies },
      ...{ reporter, usage, accessLog: log.requests },
    }),
  );
  handleUncaughtErrors(reporter.unexpected);
  const watching = watchCounts(gateway, faults);
  const { posts = 0, authors = 0 } = gateway.snapshot()?.directory ?? {};
  const site = siteName(options, config);
  const served = `${printable(site)}: ${counted(posts, 'post')}, ${counted(authors, 'author')}`;
  const { url } = gateway;
  const stopped = stopSignal(); // Before the log says how to stop it.
  if (log.form === 'json') log.info(`serving ${served}`, { url, admin: admin.url, posts, authors });
  else welcome(url, admin.url, served, isSample, key, cron);

  const stopping = new AbortController();
  const { publishTo, endpoint } = options;
  let uploaded: string | undefined;
  const available = () => (publishTo === undefined ? gateway.snapshot()?.id : uploaded);
  const webhooks =
    secret === null
      ? null
      : schedule(
          cron,
          admin.job(
            'webhook',
            webhooksFor({ out, urls: config.webhooks, secret, available }, log, faults, stopping.signal),
          ),
        );
  const uploads =
    publishTo === undefined
      ? null
      : schedule(
          cron,
          admin.job(
            'publish',
            uploadsTo({ out, to: publishTo, endpoint }, log, faults, stopping.signal, (snapshot) => {
              uploaded = snapshot;
              void webhooks?.tick();
            }),
          ),
        );
  void uploads?.tick();
  void webhooks?.tick();
  const notPublished = reportOnce((message) => log.fault(`${colours.red('not published:')} ${message}`));
  let isLooking = false;
  const builds = schedule(
    cron,
    admin.job('build', {
      // Read the configuration again, as the build does: its changes must be published.
      async isDue() {
        isLooking = true;
        const isDue = await isBuildDue(buildOptions(options, readConfig(options.config), SILENT));
        isLooking = false;
        return isDue;
      },
      async run() {
        const report = await buildInChild(options, stopping.signal);
        log.info(describeBuild(report));
        await gateway.refresh();
        void uploads?.tick();
        void webhooks?.tick();
      },
      succeeded: () => faults.clear('checking for changes', 'the build'),
      failed(error) {
        if (stopping.signal.aborted) return;
        notPublished(error);
        faults.report(isLooking ? 'checking for changes' : 'the build', describeFailure(error));
      },
    }),
  );

  const imports =
    config.import.length === 0
      ? null
      : startBackgroundImports(
          options,
          cron,
          log,
          stopping.signal,
          mark,
          () => void builds.tick(),
          (job) =>
            admin.job('import', {
              ...job,
              succeeded() {
                faults.clear('importing');
                job.succeeded?.();
              },
              failed(error) {
                if (!stopping.signal.aborted) faults.report('importing', describeFailure(error));
                job.failed(error);
              },
            }),
        );
  admin.watch(gateway, out, faults, () => {
    void imports?.tick();
    void builds.tick();
  });
  if (servesFirst) {
    log.info(colours.dim('importing; until that is done, the last published snapshot is served'));
    void imports?.tick();
  }

  await stopped;
  stopping.abort();
  await imports?.stop();
  await builds.stop();
  await uploads?.stop();
  await webhooks?.stop();
  clearInterval(watching);
  await gateway.close();
  admin.close();
  usage.close();
  faults.close();
  log.info(colours.dim('stopped'));
  log.close();
}

/** The key of a first start, or how to create one if keys exist or others can read this log. */
function firstKey(
  db: BlogDatabase,
  log: Log,
): { readonly key: string } | { readonly hint: string; readonly command: string } {
  const command = commandLine('keys create --account NAME --name TEXT');
  if (readAccounts(db).length > 0) return { hint: 'use one you created earlier, or', command };
  if (log.form === 'json' || !isOnTerminal()) return { hint: 'none yet; create one', command };
  return createKey(db, { account: 'demo', name: 'created by the first start', scopes: SCOPES, admin: false });
}

/**
 * Whether this is the first `npm start` of a fresh checkout, which gets a sample blog: no database is named, and the
 * sample would replace nothing.
 */
function isFresh({ out, keys, publishTo }: Options, typed: Command): boolean {
  return (
    typed.getOptionValueSource('db') === 'default' &&
    keys === undefined &&
    publishTo === undefined &&
    !existsSync(join(out, POINTER_PATH))
  );
}

/**
 * Whether the database's blog has a snapshot to serve while imports run. The sample does not count: the first import
 * replaces it.
 */
function hasPublished({ db: path, out }: Options): boolean {
  if (!existsSync(path) || !readablePointer(out)) return false;
  const db = openForWriting(path);
  try {
    return !hasSample(db);
  } finally {
    db.close();
  }
}

/** Loaded on demand: serving needs no importers. */
async function makeSample(db: string): Promise<void> {
  const { createSampleBlog } = await import('../../data/sample.ts');
  await createSampleBlog(db, new Date());
}

/**
 * Runs the configured imports, and reports the results. A failure is recorded as a fault. It ends the start if there is
 * no blog yet, or if the blog to add to the configuration failed.
 *
 * @returns whether the sample blog was removed, and the importsMark; empty if an import failed
 */
async function firstImport(
  { db, out }: Options,
  config: ReadConfig,
  log: Log,
  added: AddedImport | null,
): Promise<{ readonly mark: string; readonly replacedSample: boolean }> {
  if (config.import.length === 0) return { mark: '', replacedSample: false };
  const { importConfigured, importsMark } = await import('../imports.ts');
  const mark = await importsMark(config, new Date());
  const before = readImports(out);
  const progress = log.form === 'json' ? SILENT : terminalProgress();
  const outcomes = await importConfigured({ db, out, config, now: new Date(), progress });
  for (const outcome of outcomes) {
    const line = outcome.report
      ? describeImport(outcome.report, { site: config.site })
      : describeOutcome(outcome);
    if (outcome.failure !== undefined && line !== null) log.fault(line);
    else if (line !== null) log.info(line);
  }
  const isAdded = ({ format, path }: ImportOutcome): boolean =>
    format === added?.setting.format && path === added.setting.path;
  if (outcomes.some((outcome) => outcome.failure !== undefined && isAdded(outcome))) {
    writeImports(out, before); // A blog outside the configuration is no fault of the service.
    throw new ImportNotAdded();
  }
  if (!existsSync(db)) throw new NothingImported();
  const hasFailed = outcomes.some(({ failure }) => failure !== undefined);
  return {
    mark: hasFailed ? '' : mark,
    replacedSample: outcomes.some(({ report }) => report?.replacedSample),
  };
}

/** The first build runs in this process, since nothing is served yet. */
async function firstBuild(options: Options, config: ReadConfig, log: Log, force: boolean): Promise<void> {
  try {
    const progress = log.form === 'json' ? SILENT : terminalProgress();
    const report = await buildOutput(
      { ...buildOptions(options, config, progress), force },
      reportMerge(log.fault),
    );
    log.info(describeBuild(report));
    for (const note of report.notes ?? []) log.fault(`${colours.yellow('note:')} ${printable(note)}`);
  } catch (error) {
    if (!readablePointer(options.out) || error instanceof OtherBlog) throw error;
    const kind = error instanceof SnapshotHeld ? colours.yellow('held:') : colours.red('not published:');
    log.fault(`${kind} ${describeFailure(error)} Still serving the last published snapshot.`);
  }
}

function welcome(
  url: string,
  admin: string | null,
  served: string,
  isNew: boolean,
  key: ReturnType<typeof firstKey>,
  cron: string,
): void {
  const lines = [
    '',
    `  ${colours.bold('Offprint')} is serving ${served}`,
    '',
    `  ${colours.dim('address')}   ${colours.cyan(url + PREFIX)}`,
    `  ${colours.dim('page')}      ${colours.cyan(`${url}/`)}`,
    ...(admin === null ? [] : [`  ${colours.dim('metrics')}   ${colours.cyan(`${admin}/metrics`)}`]),
    `  ${colours.dim('rebuild')}   on change (checked ${cron === '* * * * *' ? 'every minute' : `by "${cron}"`})`,
    ...('hint' in key
      ? [`  ${colours.dim('key')}       ${key.hint}:`, `  ${' '.repeat(10)}${key.command}`]
      : [
          `  ${colours.dim('key')}       ${colours.bold(key.key)}  ${colours.dim('shown only once')}`,
          '',
          `  curl "${url}${PREFIX}/posts?per_page=3" \\`,
          `    -H "Authorization: Bearer ${key.key}"`,
        ]),
    ...(isNew
      ? [
          '',
          `  ${colours.dim('This is a sample. Your own blog:')}`,
          `  ${commandLine('import markdown FOLDER --db my.db --site URL')}`,
          `  ${commandLine('start --db my.db --out my-out')}`,
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
  // If a live database could not be read yet, the last snapshot is still served.
  if (!existsSync(path)) return config.site.name ?? 'the blog';
  const source = new Source(path);
  try {
    return source.readSite(config.site).name;
  } finally {
    source.close();
  }
}

function parseCron(text: string): string {
  if (!isCronExpression(text)) throw new InvalidArgumentError('It is not a valid cron expression.');
  return text;
}
