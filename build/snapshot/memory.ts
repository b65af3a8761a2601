import { accessSync, constants, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isNumber, listOf, mapOf, parseJson } from '../../contract/json.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { ensurePrivateFile } from '../../common/private-files.ts';
import type { Removals } from '../html/removals.ts';
import type { Outcome, PagePost, Post } from './blog.ts';
import { OutputUnwritable } from '../../common/errors.ts';
import { BuildRunning } from '../errors.ts';
import { ensureStateFolder, guardingOutput } from '../../common/output-files.ts';

/** Enough for the whole database at 100,000 posts. */
const CACHE_KIB = 32_768;

/** The last build: its snapshot, its program, and the state of the database that it read. */
export interface Remembered {
  readonly snapshot: ObjectHash;
  readonly engine: string;
  /** `revision` of the database. */
  readonly content: number;
  readonly views: number;
  /** Unix seconds. */
  readonly now: number;
}

/** A post as the last build saw it. */
export type CachedPost = Pick<Post, 'id' | 'slug' | 'time' | 'revision'> &
  Outcome & {
    /** The ids of missing tags that it was linked to. */
    readonly missing: string;
  };

/** What a build made before from the same inputs, besides posts. */
export type Making = Pick<BuildMemory, 'made' | 'keep' | 'make'>;

/** Nothing is known. */
export const NOTHING_MADE: Making = {
  made: () => undefined,
  keep: () => undefined,
  make: (_, work) => work(),
};

/**
 * What the last build made, in `out/state/build.db`: of each post, and of everything else by a hash of what its bytes depend on.
 * A build without it gives the same bytes, so it is discarded whenever it might be out of date.
 *
 * It is also the build lock. The whole build is one write transaction on it, so a second build is refused. If the
 * process dies, the operating system ends the transaction.
 */
export class BuildMemory {
  readonly #db: Database.Database;
  readonly #getPost;
  readonly #putPost;
  readonly #deletePost;
  /** Hash of inputs → what was made from them: those of the last build, and of this one. */
  #known = new Map<string, string>();
  #made = new Map<string, string>();

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
    this.#getPost = this.#db.prepare<[number], CachedPost>('SELECT * FROM post WHERE id = ?');
    this.#putPost = this.#db.prepare<[CachedPost]>(
      `INSERT OR REPLACE INTO post VALUES
         (:id, :slug, :time, :revision, :missing, :body, :fault, :cut, :removals, :excerpt)`,
    );
    this.#deletePost = this.#db.prepare<[number]>('DELETE FROM post WHERE id = ?');
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
    return this.#db.prepare<[], Remembered>('SELECT snapshot, engine, content, views, now FROM build').get();
  }

  forgetAll(): void {
    this.#db.exec('DELETE FROM build; DELETE FROM post; DELETE FROM made;');
  }

  /** Forgets everything if there is anything of a post with this slug, and ends: no build will delete it soon. */
  forgetIfKnown(slug: string): void {
    if (this.#db.prepare('SELECT 1 FROM post WHERE slug = ?').get(slug) === undefined) return;
    this.forgetAll();
    this.#db.exec('COMMIT');
  }

  /** The ids of the posts that it knows, ascending, and their revisions. */
  revisions(): { readonly ids: Float64Array; readonly revisions: Float64Array } {
    // Two JSON texts take a fifth of the time of a row for each post.
    const [ids = '[]', revisions = '[]'] =
      this.#db
        .prepare<[], string[]>(
          'SELECT json_group_array(id), json_group_array(revision) FROM (SELECT id, revision FROM post ORDER BY id)',
        )
        .raw()
        .get() ?? [];
    const numbersIn = (text: string) =>
      new Float64Array(parseJson(text, listOf(isNumber), 'a list of numbers'));
    return { ids: numbersIn(ids), revisions: numbersIn(revisions) };
  }

  /** Posts that were linked to missing tags, with the ids of these. */
  missingTags(): Map<number, string> {
    const rows = this.#db.prepare<[], [number, string]>(
      "SELECT id, missing FROM post INDEXED BY with_missing WHERE missing <> ''",
    );
    return new Map(rows.raw().all());
  }

  post(id: number): CachedPost | undefined {
    return this.#getPost.get(id);
  }

  /** Posts of the snapshot, as their pages need them. */
  pagePosts(ids: readonly number[]): PagePost[] {
    return ids.map((id) => {
      const { body = null, excerpt = null } = this.post(id) ?? {};
      if (body === null) throw new Error(`The memory has no body of post ${id}.`);
      return { id, body, excerpt };
    });
  }

  putPost(post: CachedPost): void {
    this.#putPost.run(post);
  }

  deletePost(id: number): void {
    this.#deletePost.run(id);
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

  /** Starts to make what is not of a single post. */
  beginMaking(): void {
    this.#known = new Map(
      this.#db.prepare<[], [string, string]>('SELECT inputs, result FROM made').raw().all(),
    );
    this.#made = new Map();
  }

  /** What was made from these inputs; undefined: it must be made. */
  made(inputs: string): string | undefined {
    const result = this.#made.get(inputs) ?? this.#known.get(inputs);
    if (result !== undefined) this.#made.set(inputs, result);
    return result;
  }

  /** Keeps what was made from these inputs. */
  keep(inputs: string, result: string): void {
    this.#made.set(inputs, result);
  }

  /** The result for these inputs: a known one, or that of `work`. */
  make(inputs: string, work: () => string): string {
    const known = this.made(inputs);
    if (known !== undefined) return known;
    const result = work();
    this.keep(inputs, result);
    return result;
  }

  /**
   * Commits the changes, once the snapshot is published. If the disk is full, they are lost: the next build has more
   * work, but this one succeeds.
   */
  commit({ snapshot, engine, content, views, now }: Remembered): void {
    try {
      const remove = this.#db.prepare('DELETE FROM made WHERE inputs = ?');
      for (const inputs of this.#known.keys()) if (!this.#made.has(inputs)) remove.run(inputs);
      const add = this.#db.prepare('INSERT INTO made VALUES (?, ?)');
      for (const [inputs, result] of this.#made) if (!this.#known.has(inputs)) add.run(inputs, result);
      this.#db
        .prepare('INSERT OR REPLACE INTO build VALUES (1, ?, ?, ?, ?, ?)')
        .run(snapshot, engine, content, views, now);
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

/** A hash of everything that a result depends on, besides the engine. @param kind of result */
export function hashInputs(kind: string, ...parts: readonly (string | Uint8Array)[]): string {
  const all = createHash('sha256').update(kind);
  for (const part of parts) all.update(`\n${part.length}\n`).update(part);
  return all.digest('base64url');
}

/** Incremented when the schema changes: a cache of another version is discarded. */
const VERSION = 11;

const SCHEMA = `
  DROP TABLE IF EXISTS build;
  DROP TABLE IF EXISTS post;
  DROP TABLE IF EXISTS excerpt;
  DROP TABLE IF EXISTS stored_set;
  DROP TABLE IF EXISTS documentation;
  DROP TABLE IF EXISTS made;
  CREATE TABLE build (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    snapshot TEXT NOT NULL, engine TEXT NOT NULL, content INTEGER NOT NULL, views INTEGER NOT NULL, now INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE post (
    id INTEGER PRIMARY KEY, slug TEXT NOT NULL, time INTEGER NOT NULL, revision INTEGER NOT NULL, missing TEXT NOT NULL,
    body TEXT, fault TEXT, cut TEXT, removals TEXT, excerpt TEXT
  ) STRICT;
  CREATE INDEX with_missing ON post (id) WHERE missing <> '';
  CREATE INDEX with_fault ON post (id) WHERE fault IS NOT NULL;
  CREATE INDEX with_cut ON post (id) WHERE cut IS NOT NULL;
  CREATE INDEX with_removals ON post (id) WHERE removals IS NOT NULL;
  CREATE TABLE made (inputs TEXT PRIMARY KEY, result TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};
`;

/** Converts SQLite's errors on this database to errors of the output; returns other errors unchanged. */
export function asMemoryError(out: string, error: unknown): unknown {
  const code = error instanceof Database.SqliteError ? OutputUnwritable.codeOf(error) : undefined;
  return code === undefined ? error : new OutputUnwritable(join(out, 'state', 'build.db'), code);
}
