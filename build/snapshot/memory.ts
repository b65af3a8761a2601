import { accessSync, constants, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ArticleKey } from '../../contract/article-order.ts';
import { isSiteFile, type SiteFile } from '../../contract/directory.ts';
import type { FilterName } from '../../contract/filters.ts';
import { isNumber, isText, listOf, mapOf, parseJson } from '../../contract/json.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import type { SetPages } from '../../contract/sets.ts';
import { ensurePrivateFile } from '../../common/private-files.ts';
import type { Removals } from '../html/removals.ts';
import type { BuiltPost, Excerpts, RenderedPost } from './blog.ts';
import { OutputUnwritable } from '../../common/errors.ts';
import { BuildRunning } from '../errors.ts';
import { ensureStateFolder, guardingOutput } from '../../common/output-files.ts';
import type { PostsDigest } from './source.ts';

/** Enough for the whole database at 100,000 posts: a build reads it more than once. */
const CACHE_KIB = 32_768;

/** The set of a filter's value, such as the posts of one category, tag or author. */
export interface StoredSet extends SetPages {
  readonly hash: ObjectHash;
}

/** The last build: its snapshot, its program, and the state of the database that it read. */
export interface Remembered {
  readonly snapshot: ObjectHash;
  readonly engine: string;
  /** `revision` of the database. */
  readonly content: number;
  readonly views: number;
  /** Of the posts in the cache, including those that were left out. */
  readonly digest: PostsDigest;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * A cache of the last build's result for each post, in `out/state/build.db`. A build without it gives the same bytes,
 * so it is discarded whenever it might be out of date.
 *
 * It is also the build lock. The whole build is one write transaction on it, so a second build is refused. If the
 * process dies, the operating system ends the transaction.
 */
export class BuildMemory {
  readonly #db: Database.Database;
  readonly #getPost;
  readonly #putPost;
  readonly #deletePost;
  readonly #getExcerpt;
  readonly #putExcerpt;
  readonly #deleteExcerpt;
  readonly #getSet;
  readonly #putSet;

  /**
   * Takes the lock.
   *
   * @throws BuildRunning, OutputUnwritable
   */
  static open(out: string): BuildMemory {
    const folder = join(out, 'state');
    const path = join(folder, 'build.db');
    guardingOutput(folder, () => {
      ensureStateFolder(out);
      accessSync(folder, constants.W_OK); // SQLite does not report why it cannot write.
    });
    try {
      return new BuildMemory(path);
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
      if (error.code.startsWith('SQLITE_BUSY')) throw new BuildRunning(out);
      if (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB') {
        for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
        return new BuildMemory(path);
      }
      throw asMemoryError(out, error);
    }
  }

  private constructor(path: string) {
    guardingOutput(path, () => ensurePrivateFile(path));
    this.#db = guardingOutput(path, () => new Database(path, { timeout: 0 }));
    try {
      guardingOutput(path, () => {
        this.#db.pragma('journal_mode = WAL');
        this.#db.pragma('secure_delete = ON'); // No text of a withdrawn article stays in the file.
        this.#db.pragma(`cache_size = -${CACHE_KIB}`);
        this.#db.exec('BEGIN IMMEDIATE');
        if (this.#db.pragma('user_version', { simple: true }) !== VERSION) this.#db.exec(SCHEMA);
      });
    } catch (error) {
      this.#db.close();
      throw error;
    }
    this.#getPost = this.#db.prepare<[number], BuiltPost>(`SELECT ${POST} FROM post WHERE id = ?`);
    this.#putPost = this.#db.prepare<[BuiltPost]>(
      `INSERT OR REPLACE INTO post VALUES
         (:id, :slug, :unix, :categoryId, :authorId, :revision, :hash, :tagIds, :former, :fault, :cut, :removals, :dangling)`,
    );
    this.#deletePost = this.#db.prepare<[number]>('DELETE FROM post WHERE id = ?');
    this.#getExcerpt = this.#db.prepare<[number], string>('SELECT text FROM excerpt WHERE post = ?').pluck();
    this.#putExcerpt = this.#db.prepare<[number, string]>('INSERT OR REPLACE INTO excerpt VALUES (?, ?)');
    this.#deleteExcerpt = this.#db.prepare<[number]>('DELETE FROM excerpt WHERE post = ?');
    this.#getSet = this.#db.prepare<[FilterName, number], SetRow>(
      'SELECT id, hash, size, pages FROM stored_set WHERE kind = ? AND id = ?',
    );
    this.#putSet = this.#db.prepare<[FilterName, number, string, number, string]>(
      'INSERT OR REPLACE INTO stored_set VALUES (?, ?, ?, ?, ?)',
    );
  }

  /** Starts an attempt that `undo` can roll back. */
  attempt(): void {
    this.#db.exec('SAVEPOINT attempt');
  }

  /** Rolls back the attempt, and starts another one. */
  undo(): void {
    this.#db.exec('ROLLBACK TO attempt');
  }

  /** Undefined: nothing is remembered. */
  remembered(): Remembered | undefined {
    const row = this.#db
      .prepare<[], Omit<Remembered, 'digest'> & PostsDigest>(
        'SELECT snapshot, engine, content, views, posts, revisions, now FROM build',
      )
      .get();
    if (!row) return undefined;
    const { posts, revisions, ...others } = row;
    return { ...others, digest: { posts, revisions } };
  }

  forgetAll(): void {
    this.#db.exec(
      'DELETE FROM build; DELETE FROM post; DELETE FROM excerpt; DELETE FROM stored_set; DELETE FROM documentation;',
    );
  }

  /** Forgets everything if there is anything of a post with this slug, and ends: no build will delete it soon. */
  forgetIfKnown(slug: string): void {
    if (this.#db.prepare('SELECT 1 FROM post WHERE slug = ?').get(slug) === undefined) return;
    this.forgetAll();
    this.#db.exec('COMMIT');
  }

  post(id: number): BuiltPost | undefined {
    return this.#getPost.get(id);
  }

  putPost({ excerpt, ...post }: BuiltPost & RenderedPost): void {
    this.#putPost.run(post);
    if (excerpt === null) this.#deleteExcerpt.run(post.id);
    else this.#putExcerpt.run(post.id, excerpt);
  }

  deletePost(id: number): void {
    this.#deletePost.run(id);
    this.#deleteExcerpt.run(id);
  }

  /** Descriptions from the texts of these posts, for those without their own. */
  excerpts(ids: readonly number[]): Excerpts {
    const excerpts = new Map<number, string>();
    for (const id of ids) {
      const excerpt = this.#getExcerpt.get(id);
      if (excerpt !== undefined) excerpts.set(id, excerpt);
    }
    return excerpts;
  }

  /** Ids and revisions of all posts in the cache. */
  revisions(): Map<number, number> {
    return new Map(this.#db.prepare<[], [number, number]>('SELECT id, revision FROM post').raw().all());
  }

  /** The posts of the snapshot, by position. */
  idsInOrder(): number[] {
    return this.#db
      .prepare<[], number>('SELECT id FROM post INDEXED BY in_order WHERE fault IS NULL ORDER BY unix, slug')
      .pluck()
      .all();
  }

  /** The posts of the snapshot, from a sort key on. Nothing may be written while they are read. */
  postsFrom({ time, slug }: ArticleKey): IterableIterator<BuiltPost> {
    return this.#db
      .prepare<[number, string], BuiltPost>(
        `SELECT ${POST} FROM post WHERE fault IS NULL AND (unix, slug) >= (?, ?) ORDER BY unix, slug`,
      )
      .iterate(time, slug);
  }

  /** How many these are. */
  countFrom({ time, slug }: ArticleKey): number {
    return (
      this.#db
        .prepare<[number, string], number>(
          'SELECT count(*) FROM post WHERE fault IS NULL AND (unix, slug) >= (?, ?)',
        )
        .pluck()
        .get(time, slug) ?? 0
    );
  }

  /** The first posts of the snapshot, by position. */
  oldestPosts(count: number): BuiltPost[] {
    return this.#db
      .prepare<[number], BuiltPost>(
        `SELECT ${POST} FROM post INDEXED BY in_order WHERE fault IS NULL ORDER BY unix, slug LIMIT ?`,
      )
      .all(count);
  }

  /** Slug and object of every post of the snapshot. */
  names(): [name: string, hash: ObjectHash][] {
    return this.#db
      .prepare<[], [string, ObjectHash]>('SELECT slug, hash FROM post WHERE fault IS NULL')
      .raw()
      .all();
  }

  /** Former slugs of the posts of the snapshot, each with the post's slug. */
  formerNames(): [former: string, slug: string][] {
    return this.#db
      .prepare<[], [string, string]>(`SELECT json_each.value, slug ${WITH_FORMER_SLUGS}`)
      .raw()
      .all();
  }

  /** How many these are. */
  countFormerNames(): number {
    return this.#db.prepare<[], number>(`SELECT count(*) ${WITH_FORMER_SLUGS}`).pluck().get() ?? 0;
  }

  /** Posts that were left out, and why. */
  faults(): { readonly id: number; readonly slug: string; readonly fault: string }[] {
    return this.#db
      .prepare<[], { id: number; slug: string; fault: string }>(
        'SELECT id, slug, fault FROM post INDEXED BY with_fault WHERE fault IS NOT NULL ORDER BY id',
      )
      .all();
  }

  /** Posts with cut texts, and which texts were cut. */
  cuts(): { readonly slug: string; readonly cut: string }[] {
    return this.#db
      .prepare<[], { slug: string; cut: string }>(
        'SELECT slug, cut FROM post INDEXED BY with_cut WHERE cut IS NOT NULL ORDER BY id',
      )
      .all();
  }

  /** What the sanitiser removed, by post. */
  removals(): Removals[] {
    return this.#db
      .prepare<[], string>('SELECT removals FROM post INDEXED BY with_removals WHERE removals IS NOT NULL')
      .pluck()
      .all()
      .map((removals) => parseJson(removals, mapOf(isNumber), 'a count of removals'));
  }

  danglingPosts(): BuiltPost[] {
    return this.#db.prepare<[], BuiltPost>(`SELECT ${POST} FROM post WHERE dangling = 1`).all();
  }

  set(kind: FilterName, id: number): StoredSet | undefined {
    const row = this.#getSet.get(kind, id);
    return row && storedSet(row);
  }

  sets(kind: FilterName): Map<number, StoredSet> {
    const rows = this.#db
      .prepare<[FilterName], SetRow>('SELECT id, hash, size, pages FROM stored_set WHERE kind = ?')
      .all(kind);
    return new Map(rows.map((row) => [row.id, storedSet(row)]));
  }

  putSet(kind: FilterName, id: number, { hash, size, pages }: StoredSet): void {
    this.#putSet.run(kind, id, hash, size, JSON.stringify(pages));
  }

  deleteSet(kind: FilterName, id: number): void {
    this.#db.prepare('DELETE FROM stored_set WHERE kind = ? AND id = ?').run(kind, id);
  }

  /** The files that the last build made from these inputs; undefined: its inputs were different. */
  files(inputs: string): readonly SiteFile[] | undefined {
    const files = this.#db
      .prepare<[string], string>('SELECT files FROM documentation WHERE inputs = ?')
      .pluck()
      .get(inputs);
    return files === undefined ? undefined : parseJson(files, listOf(isSiteFile), 'a list of files');
  }

  putFiles(inputs: string, files: readonly SiteFile[]): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO documentation VALUES (1, ?, ?)')
      .run(inputs, JSON.stringify(files));
  }

  /**
   * Commits the changes, once the snapshot is published. If the disk is full, they are lost: the next build has more
   * work, but this one succeeds.
   */
  commit({ snapshot, engine, content, views, digest, now }: Remembered): void {
    try {
      this.#db
        .prepare('INSERT OR REPLACE INTO build VALUES (1, ?, ?, ?, ?, ?, ?, ?)')
        .run(snapshot, engine, content, views, digest.posts, digest.revisions, now);
      this.#db.exec('COMMIT');
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
    }
  }

  /** Releases the lock; uncommitted changes are lost. */
  close(): void {
    this.#db.close();
  }
}

const POST = `id, slug, unix, category_id AS categoryId, author_id AS authorId, revision, hash, tags AS tagIds,
  former, fault, cut, removals, dangling`;

const WITH_FORMER_SLUGS = `FROM post INDEXED BY with_former, json_each(former)
  WHERE former IS NOT NULL AND fault IS NULL`;

/** Incremented when the schema changes: a cache of another version is discarded. */
const VERSION = 9;

const SCHEMA = `
  DROP TABLE IF EXISTS build;
  DROP TABLE IF EXISTS post;
  DROP TABLE IF EXISTS excerpt;
  DROP TABLE IF EXISTS stored_set;
  DROP TABLE IF EXISTS documentation;
  CREATE TABLE build (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    snapshot TEXT NOT NULL, engine TEXT NOT NULL, content INTEGER NOT NULL, views INTEGER NOT NULL,
    posts INTEGER NOT NULL, revisions INTEGER NOT NULL, now INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE post (
    id INTEGER PRIMARY KEY, slug TEXT NOT NULL, unix INTEGER, category_id INTEGER, author_id INTEGER,
    revision INTEGER NOT NULL, hash TEXT, tags TEXT NOT NULL, former TEXT, fault TEXT, cut TEXT, removals TEXT,
    dangling INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX in_order ON post (unix, slug) WHERE fault IS NULL;
  CREATE INDEX with_former ON post (id) WHERE former IS NOT NULL;
  CREATE INDEX dangling ON post (id) WHERE dangling = 1;
  CREATE INDEX with_fault ON post (id) WHERE fault IS NOT NULL;
  CREATE INDEX with_cut ON post (id) WHERE cut IS NOT NULL;
  CREATE INDEX with_removals ON post (id) WHERE removals IS NOT NULL;
  CREATE TABLE excerpt (post INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE TABLE stored_set (
    kind TEXT NOT NULL, id INTEGER NOT NULL, hash TEXT NOT NULL, size INTEGER NOT NULL, pages TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE documentation (
    id INTEGER PRIMARY KEY CHECK (id = 1), inputs TEXT NOT NULL, files TEXT NOT NULL
  ) STRICT;
  PRAGMA user_version = ${VERSION};
`;

interface SetRow {
  readonly id: number;
  readonly hash: ObjectHash;
  readonly size: number;
  /** A JSON list. */
  readonly pages: string;
}

function storedSet({ hash, size, pages }: SetRow): StoredSet {
  return { hash, size, pages: parseJson(pages, listOf(isText), 'a list of pages') };
}

/** Converts SQLite's errors on this database to errors of the output; returns other errors unchanged. */
export function asMemoryError(out: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const path = join(out, 'state', 'build.db');
  // SHMSIZE: the shared-memory file of the write-ahead log could not grow (sqlite.org/rescode.html#ioerr_shmsize).
  if (/^SQLITE_(FULL|IOERR_SHMSIZE)/.test(error.code)) return new OutputUnwritable(path, 'ENOSPC');
  if (/^SQLITE_(READONLY|CANTOPEN|PERM)/.test(error.code)) return new OutputUnwritable(path, 'EACCES');
  if (error.code.startsWith('SQLITE_IOERR')) return new OutputUnwritable(path, 'EIO');
  return error;
}
