/**
 * Makes all objects of a snapshot, and reuses unchanged ones of the last build. The steps, from top to bottom:
 *
 *   terms       source.ts          categories, tags and authors, in the build's transaction
 *   difference  difference.ts      what changed since the last build; each changed article is rendered (renderer.ts)
 *   guard                          the caller may refuse what would be published
 *   pages       summary-pages.ts   pages of summaries; meanwhile views (listings.ts) and the names of posts (names.ts)
 *   index       ../search/         the search index
 *   sets        sets.ts            the posts of each category, tag and author, and their pages (set-pages.ts)
 *   listings    listings.ts        categories, tags and authors with their counts
 *   positions   positions.ts       articles by position, and the name tables of filters (sets.ts)
 *   page        documentation.ts   the documentation page and the description
 *   record      change-log.ts      which articles this publish changed
 *   place       staging.ts         new objects, made durable before anything names them
 */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Directory, parseDirectory } from '../../contract/directory.ts';
import { FILTER_NAMES } from '../../contract/filters.ts';
import { namedByEntry, type NamedObject, nameTables, type ObjectKind } from '../../contract/object-kinds.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { type Limits, policyFor } from '../../contract/policy.ts';
import { haveSummaries } from '../../contract/sets.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import type { ChangeLog } from '../../contract/change-log.ts';
import type { SkippedRow } from '../../data/skipped-row.ts';
import { updateChangeLog } from './change-log.ts';
import { renderChanges, findChanges } from './difference.ts';
import { buildDocumentation } from './documentation.ts';
import { appendToColumns, buildColumns, buildTerms } from './listings.ts';
import type { HtmlAdditions } from '../html/policy.ts';
import { type Removed, sumOf } from '../html/removals.ts';
import type { BuildMemory, Remembered } from './memory.ts';
import { buildFormerNames, buildPostNames } from './names.ts';
import { buildPositions } from './positions.ts';
import { type Existing, ObjectWriter, type Written } from './object-writer.ts';
import { makePopularPages } from './popular-pages.ts';
import type { Progress } from '../../common/progress.ts';
import { renderOverview } from './render.ts';
import { PlainRenderer, type Renderer } from './renderer.ts';
import { buildPages } from './summary-pages.ts';
import { buildIndex } from '../search/index.ts';
import { buildFilterTables, buildSets, type Sets, unlistable } from './sets.ts';
import type { Site } from './site.ts';
import { objectsNamedBy } from '../history/reachable.ts';
import { isChangeLogIntact } from '../history/change-record.ts';
import { FolderStorage } from '../history/folder-storage.ts';
import type { Source, SourceRevision } from './source.ts';
import { flushAhead, placeStaged } from './staging.ts';

/** The fewest posts to render for which to start threads, and to flush early. */
const MIN_POSTS_FOR_THREADS = 128;
const MIN_POSTS_FOR_FLUSH = 10_000;

export interface SnapshotSetting {
  readonly db: string;
  readonly out: string;
  readonly now: Date;
  readonly limits: Limits;
  /** Trust nothing: render everything, and read and repair existing objects. */
  readonly full: boolean;
  readonly progress: Progress;
  readonly site: Site;
  readonly html: HtmlAdditions;
  /** The public address of the service; null: unknown. */
  readonly apiUrl: string | null;
  readonly engine: string;
  /** The documentation's fingerprint (engine.ts). */
  readonly documentation: string;
  /** Its transaction has started, at `revision`. */
  readonly source: Source;
  readonly revision: SourceRevision;
  readonly memory: BuildMemory;
  readonly current: Pointer | undefined;
  readonly mayUseThreads: boolean;
}

export interface MadeSnapshot {
  readonly snapshot: ObjectHash;
  readonly posts: number;
  /** The record of changes, up to this snapshot. */
  readonly changes: ChangeLog;
  readonly skipped: readonly SkippedRow[];
  /** Rows with a cut text. */
  readonly cut: readonly SkippedRow[];
  /** Values with a comma, which lists of values cannot name (sets.ts). */
  readonly unlistable: readonly string[];
  /** What the sanitiser removed from articles. */
  readonly removed: readonly Removed[];
  /** All objects, and the new ones. */
  readonly total: number;
  readonly written: Written;
  /** Unix seconds at which the next post becomes due or expires; null: none. */
  readonly nextDue: number | null;
  /** For the next build. */
  readonly remembered: Remembered;
}

/**
 * Makes a snapshot, and puts its objects in place. It does not change the pointer.
 *
 * @param guard throws to refuse the snapshot, before most of the work
 * @throws SourceMoved, ThreadTooSmall, DatabaseError, OutputUnwritable, and the errors of `guard`
 */
export async function makeSnapshot(
  setting: SnapshotSetting,
  guard: (draft: Pick<MadeSnapshot, 'posts' | 'skipped'>) => void,
): Promise<MadeSnapshot> {
  const { out, site, html, engine, source, revision, memory, progress } = setting;
  const now = Math.floor(setting.now.getTime() / 1000);
  const last = usableMemory(setting, now);
  const before = last && readDirectory(out, last.snapshot);
  const existing: Existing = !existsSync(join(out, 'objects'))
    ? 'absent'
    : setting.full
      ? 'checked'
      : 'trusted';
  const writer = new ObjectWriter(out, existing);

  const skipped: SkippedRow[] = [];
  const cut: SkippedRow[] = [];
  const taxonomy = source.readTaxonomy(skipped, cut);
  const plain = new PlainRenderer(source, taxonomy, site, html, writer);
  let threaded: Renderer | undefined;
  const rendererFor = async (posts: number): Promise<Renderer> => {
    if (threaded) return threaded;
    if (posts < MIN_POSTS_FOR_THREADS || !setting.mayUseThreads) return plain;
    const { content } = revision;
    const { ThreadedRenderer } = await import('./render-threads.ts');
    threaded = new ThreadedRenderer(
      { db: setting.db, out, site, html, content, existing },
      availableParallelism(),
    );
    return threaded;
  };

  try {
    const found = findChanges(source, memory, taxonomy, last, now);
    const toRender = found.changed.length;
    const difference = await renderChanges(
      found,
      memory,
      taxonomy,
      await rendererFor(toRender),
      last,
      progress,
    );
    const { ids, from, edited } = difference;
    if (toRender >= MIN_POSTS_FOR_FLUSH) flushAhead(out);
    const faults = memory.faults();
    for (const { id, slug, fault } of faults) {
      skipped.push({ table: 'posts', row: slug.trim() || String(id), reason: fault });
    }
    guard({ posts: ids.length, skipped });

    // Threads render pages, while this thread makes the rest.
    const excerptsOf = (posts: readonly number[]) => memory.excerpts(posts);
    const pageRenderer = await rendererFor(ids.length - from);
    const pagesMade = buildPages(difference, excerptsOf, before, pageRenderer, progress);
    const isOnlyAppended = from === before?.posts && edited.length === 0;
    const areViewsKept = isOnlyAppended && last?.views === revision.views;
    const columns =
      (areViewsKept && appendToColumns(before, source.readViewsOf(ids.slice(from)), writer)) ||
      buildColumns(source.readViews(now, new Set(faults.map(({ id }) => id))), writer);
    const posts = buildPostNames(difference, before?.names.post, memory, writer);
    const pages = await pagesMade;
    const index = buildIndex({ difference, pages, excerptsOf, before, store: writer, rendererFor, progress });
    const sets = buildSets(difference, pages, before?.posts ?? 0, memory, writer);
    const { author, ...terms } = buildTerms(site, taxonomy, sets, writer);
    const policy = policyFor(setting.limits);
    const withoutFiles: Omit<Directory, 'files'> = {
      format: FORMAT,
      posts: ids.length,
      policy,
      site: { name: site.name, ...(setting.apiUrl === null ? {} : { api_url: setting.apiUrl }) },
      overview: writer.put('overview', renderOverview(policy, site)),
      ...terms,
      ...columns,
      popular_pages:
        columns.popular === before?.popular && haveSummaries(before.posts)
          ? before.popular_pages
          : makePopularPages({ posts: ids.length, pages, ...columns }, writer),
      pages,
      ...buildPositions(difference, before, memory, writer),
      suffixes: await index,
      names: {
        post: posts,
        author,
        ...buildFormerNames(difference, before?.names.moved, memory, writer),
        ...buildFilterTables(ids.length, taxonomy, sets, writer),
      },
    };
    const fingerprint = setting.documentation;
    const parts = { site, taxonomy, source, memory, writer, fingerprint };
    const directory: Directory = { ...withoutFiles, files: await buildDocumentation(parts, withoutFiles) };
    progress.begin('publish', 1);
    const snapshot = writer.put('directory', JSON.stringify(directory));
    const log = await changeLogAfter(setting, snapshot, now, writer);
    const written = sum(writer.written(), await threaded?.close());
    await placeStaged(out);
    progress.end();

    return {
      snapshot,
      posts: ids.length,
      changes: log,
      skipped,
      cut: [...cut, ...memory.cuts().map(({ slug, cut: reason }) => ({ table: 'posts', row: slug, reason }))],
      unlistable: unlistable(sets, taxonomy),
      removed: sumOf(memory.removals()),
      total: countObjects(directory, sets),
      written,
      nextDue: source.nextDue(now),
      remembered: { snapshot, engine, ...revision, digest: found.digest, now },
    };
  } finally {
    await threaded?.close();
  }
}

/**
 * The last build, if the memory is usable: its snapshot is still kept, the same program made it for the same site, and
 * neither the clock nor the database went back since.
 */
function usableMemory(
  { memory, current, engine, revision, out, full }: SnapshotSetting,
  now: number,
): Remembered | undefined {
  const last = memory.remembered();
  const isUsable =
    !full &&
    last &&
    current &&
    [current, ...current.previous].some(({ snapshot }) => snapshot === last.snapshot) &&
    existsSync(join(out, objectPath('directory', last.snapshot))) &&
    last.engine === engine &&
    last.content <= revision.content &&
    last.now <= now;
  if (isUsable) return last;
  memory.forgetAll();
  return undefined;
}

/**
 * The record of changes after a new snapshot. A full build trusts nothing, so it starts a new record if the last one is
 * damaged.
 */
async function changeLogAfter(
  { current, out, full }: SnapshotSetting,
  snapshot: ObjectHash,
  now: number,
  store: ObjectWriter,
): Promise<ChangeLog> {
  const isTrusted = !full || !current || (await isChangeLogIntact(new FolderStorage(out), current));
  const known = isTrusted ? current : undefined;
  return updateChangeLog(known, snapshot, { now, store });
}

function readDirectory(out: string, hash: ObjectHash): Directory {
  return parseDirectory(readFileSync(join(out, objectPath('directory', hash)), 'utf8'));
}

function sum(a: Written, b: Written | undefined): Written {
  return { objects: a.objects + (b?.objects ?? 0), bytes: a.bytes + (b?.bytes ?? 0) };
}

/** The number of distinct objects in a snapshot, including the directory. Each article has its own. */
function countObjects(directory: Directory, sets: Sets): number {
  const named = new Map<ObjectKind, Set<ObjectHash>>();
  const add = ({ kind, hash }: NamedObject) =>
    void (named.get(kind)?.add(hash) ?? named.set(kind, new Set([hash])));
  for (const object of objectsNamedBy(directory)) add(object);
  for (const [name, table] of nameTables(directory)) {
    if (name === 'post' || !('inline' in table)) continue;
    for (const entry of table.inline) for (const object of namedByEntry(name, entry)) add(object);
  }
  for (const name of FILTER_NAMES) {
    for (const { hash, pages } of sets[name].values()) {
      add({ kind: 'set', hash });
      for (const page of pages) add({ kind: 'set_page', hash: page });
    }
  }
  return directory.posts + 1 + [...named.values()].reduce((sum, { size }) => sum + size, 0);
}
