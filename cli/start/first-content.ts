/** What a start puts into the database before the first build: the sample blog, or the imports. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { readPointer } from '../../build/output/pointer-file.ts';
import { ExplainedError } from '../../common/errors.ts';
import { type Progress, SILENT } from '../../common/progress.ts';
import { writingTo } from '../../data/database.ts';
import { hasSample, placePictures } from '../../data/sample-origin.ts';
import { colours } from '../colours.ts';
import { describeImport, describeOutcome } from '../describe-import.ts';
import { importName, type ImportOutcome, IMPORTS } from '../import-record.ts';
import type { Log } from '../log.ts';
import { httpUrl } from '../place.ts';
import { type AddedImport, DEFAULT_CONFIG, DEFAULT_PORT } from '../settings.ts';
import { printable } from '../printable.ts';
import { terminalProgress } from '../terminal-progress.ts';
import type { StartFlags } from '../options.ts';

/** Creates the sample blog of a first start. */
export async function makeSample(options: StartFlags, log: Log): Promise<void> {
  const { db } = options;
  // Loaded on demand: serving needs no importers.
  const { createSampleBlog } = await import('../sample-blog.ts');
  await createSampleBlog(db, new Date(), ownAddress(options));
  log.info(`${colours.green('created')} a sample blog: ${printable(relative('', db))}`);
}

/**
 * The sample's pictures are at the service itself, which may have another address than at its last start.
 *
 * @returns whether the database has the sample
 */
export function moveSample(options: StartFlags): boolean {
  if (!existsSync(options.db)) return false;
  return writingTo(options.db, (db) => {
    const isSample = hasSample(db);
    if (isSample) placePictures(db, ownAddress(options));
    return isSample;
  });
}

function ownAddress({ host, port, settings }: StartFlags): string {
  return `${settings.api_url ?? httpUrl(host, port || DEFAULT_PORT)}/`;
}

/**
 * Whether the database's blog has a snapshot to serve while imports run. The sample does not count: the first import
 * replaces it.
 */
export function hasPublished({ db: path, out }: StartFlags): boolean {
  if (!existsSync(path) || !readPointer(out)) return false;
  return writingTo(path, (db) => !hasSample(db));
}

/**
 * Runs the configured imports, and reports the results. A failure is recorded as a fault. It ends the start if there is
 * no blog yet, or if the blog to add to the configuration failed.
 *
 * @returns whether the sample blog was removed
 * @throws ExplainedError
 */
export async function runFirstImport(
  { db, out, config: named, settings: config }: StartFlags,
  log: Log,
  added: AddedImport | null,
): Promise<boolean> {
  const { importConfigured } = await import('../imports.ts');
  const progress = startProgress(log);
  const outcomes = await importConfigured({ db, out, config, now: new Date(), progress });
  for (const outcome of outcomes) {
    const line = outcome.report
      ? describeImport(outcome.report, { site: config.site })
      : describeOutcome(outcome);
    if (outcome.failure !== undefined && line !== null) log.fault(line);
    else if (line !== null) log.info(line);
  }
  const failed = outcomes.filter(({ failure }) => failure !== undefined);
  const isAdded = ({ format, path }: ImportOutcome): boolean =>
    format === added?.setting.format && path === added.setting.path;
  if (failed.some(isAdded)) {
    IMPORTS.forget(out, ...failed.filter(isAdded).map(importName)); // It is not in the configuration.
    throw new ExplainedError(
      'The import given with --import failed, for the reason above. The configuration is unchanged.',
    );
  }
  if (!existsSync(db))
    throw new ExplainedError(
      'Nothing was imported, so there is nothing to serve. The reasons are above. ' +
        `If a path is wrong, correct "import" of ${named ?? DEFAULT_CONFIG}.`,
    );
  return outcomes.some(({ report }) => report?.replacedSample === true);
}

/** Progress of work before serving: none if the log is for programs. */
export function startProgress({ form }: Log): Progress {
  return form === 'json' ? SILENT : terminalProgress();
}
