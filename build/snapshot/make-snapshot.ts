/**
 * Makes all objects of a snapshot. The steps, from top to bottom:
 *
 *   scan     source.ts, posts.ts   all posts in order, in the build's transaction
 *   render   posts.ts              each post that the memory does not know as it is (renderer.ts): its body
 *   guard                          the caller may refuse what would be published
 *   cut      pages.ts              pages of summaries
 *            ../search/            the search index
 *            sets.ts               the posts of each category, tag and author
 *            listings.ts           categories, tags, authors; view counts, the order by views, the most viewed posts
 *            names.ts              the name tables
 *            documentation.ts      the documentation page and the description
 *            change-log.ts         which articles this publish changed
 *   put      memory.ts             what was made from the same inputs is known; anything else is made, and staged
 *   place    staging.ts            new objects, made durable before anything names them
 */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Directory, parseDirectory } from '../../contract/directory.ts';
import { namedByDirectory } from '../../contract/object-kinds.ts';
import { type ObjectHash, objectPath } from '../../contract/object-name.ts';
import type { Pointer } from '../../contract/pointer.ts';
import { type Limits, policyFor } from '../../contract/policy.ts';
import { FORMAT } from '../../contract/snapshot.ts';
import type { ChangeLog } from '../../contract/change-log.ts';
import type { SkippedRow } from '../../data/skipped-row.ts';
import { updateChangeLog } from './change-log.ts';
import { buildDocumentation } from './documentation.ts';
import { makeColumns, makeMostViewed, makeTerms } from './listings.ts';
import type { HtmlAdditions } from '../html/policy.ts';
import { type Removed, sumRemovals } from '../html/removals.ts';
import type { BuildMemory, Remembered } from './memory.ts';
import { writeFormerNames, writePostNames } from './names.ts';
import { type Existing, ObjectWriter, type WrittenObjects } from './object-writer.ts';
import { makePages, pageStarts } from './pages.ts';
import { renderPosts, scanPosts } from './posts.ts';
import type { Progress } from '../../common/progress.ts';
import { renderOverview } from './render.ts';
import type { ThreadedRenderer } from './render-threads.ts';
import { PlainRenderer, type Renderer } from './renderer.ts';
import { buildIndex } from '../search/index.ts';
import { makeSets, writeFilterTables } from './sets.ts';
import type { Site } from './site.ts';
import { isChangeLogIntact } from '../history/change-record.ts';
import { FolderStorage } from '../history/folder-storage.ts';
import type { Source, SourceRevision } from './source.ts';
import { flushAhead, placeStaged } from './staging.ts';

/** The fewest posts to render for which to start threads, and to flush early. */
const MIN_POSTS_FOR_THREADS = 128;
const MIN_POSTS_FOR_FLUSH = 10_000;

interface SnapshotSetting {
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
  /** What the sanitiser removed from articles. */
  readonly removed: readonly Removed[];
  /** All objects, and the new ones. */
  readonly total: number;
  readonly written: WrittenObjects;
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
  const store = new ObjectWriter(out, existing);

  const skipped: SkippedRow[] = [];
  const cut: SkippedRow[] = [];
  const taxonomy = source.readTaxonomy(skipped, cut);
  const plain = new PlainRenderer(source, taxonomy, site, html, store);
  let threaded: ThreadedRenderer | undefined;
  const rendererFor = async (posts: number): Promise<Renderer> => {
    if (threaded) return threaded;
    if (posts < MIN_POSTS_FOR_THREADS || !setting.mayUseThreads) return plain;
    const { content } = revision;
    const { ThreadedRenderer } = await import('./render-threads.ts');
    threaded = new ThreadedRenderer(
      { db: setting.db, out, site, html, content, existing },
      store,
      availableParallelism(),
    );
    return threaded;
  };

  try {
    const scan = scanPosts(source.readPosts(now), memory, taxonomy);
    skipped.push(...scan.skipped);
    cut.push(...scan.cut);
    const renderer = await rendererFor(scan.changed.length);
    const changes = await renderPosts(scan, memory, taxonomy, renderer, progress);
    if (scan.changed.length >= MIN_POSTS_FOR_FLUSH) flushAhead(out);
    const faults = memory.faults();
    for (const { id, slug, fault } of faults) {
      skipped.push({ table: 'posts', row: slug.trim() || String(id), reason: fault });
    }
    const unfit = new Set(faults.map(({ id }) => id));
    const posts = unfit.size === 0 ? scan.posts : scan.posts.filter(({ id }) => !unfit.has(id));
    guard({ posts: posts.length, skipped });

    memory.beginMaking();
    const pages = await makePages(posts, taxonomy, memory, rendererFor, progress);
    const suffixes = buildIndex({ posts, changes, pages, before, memory, store, rendererFor, progress });
    const sets = makeSets({ posts, tagged: source.readTagged(), taxonomy }, pages, memory, store);
    const { author, ...terms } = makeTerms(site, taxonomy, sets, store);
    const { byViews, ...columns } = makeColumns(
      posts.map(({ views }) => views),
      store,
    );
    const policy = policyFor(setting.limits);
    const named = new Set<ObjectHash>();
    const withoutFiles: Omit<Directory, 'files'> = {
      format: FORMAT,
      posts: posts.length,
      policy,
      site: { name: site.name, ...(setting.apiUrl === null ? {} : { api_url: setting.apiUrl }) },
      overview: store.put('body', renderOverview(policy, site)),
      ...terms,
      ...columns,
      most_viewed: makeMostViewed(byViews, { posts, taxonomy }, pages, memory, store),
      pages,
      page_times: pageStarts(posts),
      suffixes: await suffixes,
      names: {
        post: writePostNames(posts, taxonomy, memory, store),
        author,
        ...writeFormerNames(source.readFormerSlugs(), posts, store),
        ...writeFilterTables(taxonomy, sets, store, named),
      },
    };
    const fingerprint = setting.documentation;
    const parts = { site, taxonomy, source, posts, sets, memory, store, fingerprint };
    const directory: Directory = { ...withoutFiles, files: await buildDocumentation(parts, withoutFiles) };
    progress.begin('publish', 1);
    for (const { hash } of namedByDirectory(directory)) named.add(hash);
    const snapshot = store.put('directory', JSON.stringify(directory));
    const log = await changeLogAfter(setting, snapshot, now, store);
    await threaded?.close();
    await placeStaged(out);
    progress.end();

    return {
      snapshot,
      posts: posts.length,
      changes: log,
      skipped,
      cut: [...cut, ...memory.cuts().map(({ slug, cut: reason }) => ({ table: 'posts', row: slug, reason }))],
      removed: sumRemovals(memory.removals()),
      // Each article and author has its own body.
      total: posts.length + directory.authors + 1 + named.size,
      written: store.written(),
      nextDue: source.nextDue(now),
      remembered: { snapshot, engine, ...revision, now },
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
