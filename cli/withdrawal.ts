import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuildOptions } from '../build/build.ts';
import { ExplainedError } from '../common/errors.ts';
import { exportTree, type ExportReport } from '../build/export/export.ts';
import { readExports } from '../build/export/known-exports.ts';
import { publications, readablePointer, requirePointer } from '../build/output/pointer-file.ts';
import { readLastPublishes } from '../build/publish/last-publish.ts';
import type { ArticleTraits } from '../build/withdraw/article.ts';
import { slugsIn } from '../build/withdraw/article.ts';
import { withdrawFromBucket } from '../build/withdraw/bucket.ts';
import { findIn, type WithdrawnFrom } from '../build/withdraw/output.ts';
import { readingFrom } from '../data/database.ts';
import { listWithdrawals } from '../data/withdrawals.ts';
import { DiskSnapshotStore } from '../gateway/node/disk-snapshot-store.ts';
import { SILENT } from '../common/progress.ts';
import { shellQuoted } from '../common/shell.ts';
import { colours } from './colours.ts';
import { commandLine } from './command-line.ts';
import { type BucketFlags, withBucket } from './bucket.ts';

/** Waits until gateways, which read the pointer every `everyMs`, have read it, and a second for requests in progress. */
export async function waitForSwitch(who: string, everyMs: number, isSilent: boolean): Promise<void> {
  const ms = everyMs + 1000;
  if (!isSilent) console.log(colours.dim(`waiting ${ms / 1000} seconds until ${who} use the new snapshot`));
  await delay(ms);
}

/** Whether a place was reached. */
interface Reached {
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
  const published = Object.entries(readLastPublishes(out))
    .filter(([to, { success }]) => success !== null && to !== named.to?.replace(/\/$/, ''))
    .map(([to, { endpoint }]) => ({ to, endpoint }));
  return named.to === undefined ? published : [{ to: named.to, endpoint: named.endpoint }, ...published];
}

/** Withdraws from one bucket. Reports a failure without stopping the others. @param given the command's other options */
export async function fromBucket(
  { out, configured = false }: BuildOptions,
  { to, endpoint }: BucketFlags,
  slug: string,
  traits: readonly ArticleTraits[],
  given: string,
  switched: () => Promise<void>,
): Promise<WithdrawnBucket> {
  const at = endpoint === undefined ? '' : ` --endpoint ${shellQuoted(endpoint)}`;
  const retry = `withdraw ${shellQuoted(slug)} --to ${shellQuoted(to)}${at}${given}`;
  const options = { out, configured, connections: 16, full: false, progress: SILENT };
  const { result, ...reached } = await reach(retry, () =>
    withBucket({ to, endpoint }, (bucket) =>
      withdrawFromBucket({ ...options, bucket }, slug, traits, switched),
    ),
  );
  return { bucket: to, endpoint: endpoint ?? '', withdrawn: result ?? null, ...reached };
}

/** @param retry the command for a place that cannot be reached */
async function reach<T>(retry: string, work: () => Promise<T>): Promise<Reached & { result: T | null }> {
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
  for (const { folder, per_page: perPage } of readExports(out)) {
    const retry = `export ${shellQuoted(folder)} --out ${shellQuoted(out)} --per-page ${perPage}`;
    const { result: written, ...reached } = await reach(retry, async () => {
      const { blog } = requirePointer(out);
      return exportTree({ store: new DiskSnapshotStore(out), blog, folder, perPage, full: false });
    });
    done.push({ folder, written, ...reached });
  }
  return done;
}

/** Whether an article exists, and how to identify it. */
export interface KnownArticle {
  readonly isKnown: boolean;
  readonly traits: readonly ArticleTraits[];
  /** Every known slug. */
  readonly slugs: ReadonlySet<string>;
}

/** Looks up an article in the database, with its withdrawals, and in every kept snapshot. */
export async function lookUp({ db: path, out }: BuildOptions, slug: string): Promise<KnownArticle> {
  const slugs = new Set<string>();
  let traits: ArticleTraits[] = [];
  if (existsSync(path)) {
    traits = readingFrom(path, (db) => {
      for (const known of db.prepare<[], string>('SELECT slug FROM posts').pluck().all()) slugs.add(known);
      for (const known of listWithdrawals(db)) slugs.add(known.slug);
      return db
        .prepare<[string], ArticleTraits>(
          'SELECT title, published_at FROM posts WHERE slug = ? AND published_at IS NOT NULL',
        )
        .all(slug);
    });
  }
  const pointer = readablePointer(out);
  for (const { snapshot } of pointer ? publications(pointer) : []) {
    for (const known of await slugsIn(snapshot, findIn(out))) slugs.add(known);
  }
  return { isKnown: slugs.has(slug), traits, slugs };
}
