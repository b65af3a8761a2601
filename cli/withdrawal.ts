import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuildOptions } from '../build/build.ts';
import { ExplainedError } from '../common/errors.ts';
import { exportTree, type ExportReport } from '../build/export/export.ts';
import { FolderStorage } from '../build/history/folder-storage.ts';
import { slugsIn } from '../build/history/reachable.ts';
import { publications, requirePointer } from '../build/output/pointer-file.ts';
import { withdrawFromBucket, type WithdrawnFrom } from '../build/withdraw/withdraw.ts';
import { PUBLISHES } from '../build/publish/last-publish.ts';
import { PER_PAGE_DEFAULT } from '../contract/api.ts';
import { isRecord } from '../contract/json.ts';
import { readingFrom } from '../data/database.ts';
import { Results } from '../data/results.ts';
import { listWithdrawals } from '../data/withdrawals.ts';
import { DiskSnapshotStore } from '../gateway/node/disk-snapshot-store.ts';
import { SILENT } from '../common/progress.ts';
import { shellQuoted } from '../common/shell.ts';
import { colours } from './colours.ts';
import { commandLine } from './command-line.ts';
import { type BucketFlags, WITHDRAWING, withBucket } from './bucket.ts';
import { EXPORTS, isKnownExport, recordingExport } from './exports.ts';

/** Withdrawals that began and have not reached every place, by slug. */
export const WITHDRAWALS = new Results('withdrawing', isRecord);

/** Waits until gateways, which read the pointer every `everyMs`, have read it, and a second for requests in progress. */
export async function waitForSwitch(who: string, everyMs: number, isSilent: boolean): Promise<void> {
  const ms = everyMs + 1000;
  if (!isSilent)
    console.log(colours.dim(`waiting ${ms / 1000} seconds for ${who} to switch to the new snapshot`));
  await delay(ms);
}

/** Whether a place was reached. */
export interface Reached {
  readonly failure: string | null;
  /** Command for a place that still has the article. */
  readonly command: string | null;
}

/** A bucket, and the result of the withdrawal there. */
export interface WithdrawnBucket extends Reached {
  readonly bucket: string;
  readonly endpoint: string;
  /** Null if it failed, or the bucket is empty. */
  readonly withdrawn: WithdrawnFrom | null;
}

/** The named bucket, and all buckets that this output was published to. */
export function knownBuckets(out: string, named: Partial<BucketFlags>): BucketFlags[] {
  const published = PUBLISHES.read(out).flatMap(({ subject: to, report }) =>
    report === null || to === named.to?.replace(/\/$/, '') ? [] : [{ to, endpoint: report.endpoint }],
  );
  return named.to === undefined ? published : [{ to: named.to, endpoint: named.endpoint }, ...published];
}

/** Withdraws from one bucket. Reports a failure without stopping the others. @param given the command's other options */
export async function fromBucket(
  { out, configured }: BuildOptions,
  { to, endpoint }: BucketFlags,
  slug: string,
  given: string,
  switched: () => Promise<void>,
): Promise<WithdrawnBucket> {
  const at = endpoint === undefined ? '' : ` --endpoint ${shellQuoted(endpoint)}`;
  const retry = `withdraw ${shellQuoted(slug)} --to ${shellQuoted(to)}${at}${given}`;
  const options = { configured, connections: 16, full: false, progress: SILENT };
  const { result, ...reached } = await attempt(retry, () =>
    withBucket(
      { to, endpoint },
      out,
      (storage) => withdrawFromBucket({ ...options, storage }, switched),
      WITHDRAWING,
    ),
  );
  return { bucket: to, endpoint: endpoint ?? '', withdrawn: result ?? null, ...reached };
}

/** @param retry the command for a place that cannot be reached */
async function attempt<T>(retry: string, work: () => Promise<T>): Promise<Reached & { result: T | null }> {
  try {
    return { result: await work(), failure: null, command: null };
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    return { result: null, failure: error.message, command: commandLine(retry) };
  }
}

/** An exported folder, and the result of the withdrawal there. */
export interface WithdrawnExport extends Reached {
  readonly folder: string;
  /** Null if it failed. */
  readonly written: ExportReport | null;
}

/** Exports again to each folder of earlier exports. Reports a failure without stopping the others. */
export async function fromExports(out: string): Promise<readonly WithdrawnExport[]> {
  const done: WithdrawnExport[] = [];
  for (const { subject: folder, report } of EXPORTS.read(out).filter(isKnownExport)) {
    const perPage = report?.per_page ?? PER_PAGE_DEFAULT;
    const retry = `export ${shellQuoted(folder)} --out ${shellQuoted(out)} --per-page ${perPage}`;
    const { result: written, ...reached } = await attempt(retry, async () => {
      const { blog } = requirePointer(out);
      return recordingExport(out, folder, perPage, () =>
        exportTree({ store: new DiskSnapshotStore(out), blog, folder, perPage, full: false }),
      );
    });
    done.push({ folder, written, ...reached });
  }
  return done;
}

/** Every known slug: of the database, its withdrawals and every kept snapshot. */
export async function knownSlugs({ db: path, out }: BuildOptions): Promise<ReadonlySet<string>> {
  const slugs = new Set<string>();
  if (existsSync(path))
    readingFrom(path, (db) => {
      for (const known of db.prepare<[], string>('SELECT slug FROM posts').pluck().all()) slugs.add(known);
      for (const known of listWithdrawals(db)) slugs.add(known.slug);
    });
  const storage = new FolderStorage(out);
  const pointer = await storage.readPointer();
  for (const { snapshot } of pointer ? publications(pointer) : [])
    for (const known of await slugsIn(storage, snapshot)) slugs.add(known);
  return slugs;
}
