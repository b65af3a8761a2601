import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ObjectHash } from '../contract/object-name.ts';
import { BuildRunning } from './errors.ts';
import { guardingOutput } from './object-writer.ts';

/** What became of a post: its object and its tags, or the reason why it cannot be exported. */
export type PostOutcome =
  | { readonly hash: ObjectHash; readonly tagIds: string; readonly fault: null }
  | { readonly hash: null; readonly fault: string };

/** The outcome, and the revision it is of. */
export type RememberedPost = { readonly id: number; readonly revision: number } & PostOutcome;

/**
 * What the last build knew, in `out/state/build.db`: which object each post and each run of posts became.
 * It only saves work. A build without it gives the same bytes, so it is thrown away whenever it might
 * not fit: another program version, another site, another history.
 *
 * It is also the build's lock. The whole build is one write transaction on it, so a second build is
 * turned away, and the operating system ends the transaction of a process that dies, however it dies.
 */
export class BuildMemory {
  readonly #db: Database.Database;
  readonly #putPost;
  readonly #getRun;
  readonly #putRun;
  readonly #usedRuns = new Set<string>();

  /**
   * Takes the lock.
   *
   * @throws BuildRunning, OutputUnwritable
   */
  static open(out: string): BuildMemory {
    const folder = join(out, 'state');
    const path = join(folder, 'build.db');
    guardingOutput(folder, () => mkdirSync(folder, { recursive: true }));
    try {
      return new BuildMemory(path);
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
      if (error.code.startsWith('SQLITE_BUSY')) throw new BuildRunning(out);
      if (error.code === 'SQLITE_CORRUPT' || error.code === 'SQLITE_NOTADB') {
        for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
        return new BuildMemory(path);
      }
      throw error;
    }
  }

  private constructor(path: string) {
    this.#db = guardingOutput(path, () => new Database(path, { timeout: 0 }));
    this.#db.pragma('journal_mode = WAL');
    this.#db.exec(`
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS post
        (id INTEGER PRIMARY KEY, revision INTEGER NOT NULL, hash TEXT, tags TEXT NOT NULL, fault TEXT) STRICT;
      CREATE TABLE IF NOT EXISTS run (fingerprint TEXT PRIMARY KEY, hashes TEXT NOT NULL) STRICT, WITHOUT ROWID;
    `);
    this.#putPost = this.#db.prepare<[number, number, string | null, string, string | null]>(
      'INSERT OR REPLACE INTO post (id, revision, hash, tags, fault) VALUES (?, ?, ?, ?, ?)',
    );
    this.#getRun = this.#db.prepare<[string], string>('SELECT hashes FROM run WHERE fingerprint = ?').pluck();
    this.#putRun = this.#db.prepare<[string, string]>('INSERT OR REPLACE INTO run VALUES (?, ?)');
  }

  get(name: MetaName): string | undefined {
    return this.#db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck().get(name);
  }

  set(name: MetaName, value: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value);
  }

  forgetAll(): void {
    this.#db.exec('DELETE FROM meta; DELETE FROM post; DELETE FROM run;');
  }

  /** All posts that are remembered, by their id in the database. */
  posts(): Map<number, RememberedPost> {
    const rows = this.#db
      .prepare<[], RememberedPost>('SELECT id, revision, hash, tags AS tagIds, fault FROM post')
      .all();
    const posts = new Map<number, RememberedPost>();
    for (const row of rows) posts.set(row.id, row);
    return posts;
  }

  rememberPost(id: number, revision: number, outcome: PostOutcome): void {
    const tagIds = outcome.hash === null ? '' : outcome.tagIds;
    this.#putPost.run(id, revision, outcome.hash, tagIds, outcome.fault);
  }

  forgetPost(id: number): void {
    this.#db.prepare('DELETE FROM post WHERE id = ?').run(id);
  }

  /** @param fingerprint says all that the run's objects depend on */
  run(fingerprint: string): readonly ObjectHash[] | undefined {
    const hashes = this.#getRun.get(fingerprint);
    if (hashes === undefined) return undefined;
    this.#usedRuns.add(fingerprint);
    return hashes.split(' ');
  }

  rememberRun(fingerprint: string, hashes: readonly ObjectHash[]): void {
    this.#usedRuns.add(fingerprint);
    this.#putRun.run(fingerprint, hashes.join(' '));
  }

  /** Keeps what was learnt, forgets runs that this build had no use for, and gives the lock back. */
  commit(): void {
    const runs = this.#db.prepare<[], string>('SELECT fingerprint FROM run').pluck().all();
    const forget = this.#db.prepare<[string]>('DELETE FROM run WHERE fingerprint = ?');
    for (const fingerprint of runs) if (!this.#usedRuns.has(fingerprint)) forget.run(fingerprint);
    this.#db.exec('COMMIT');
  }

  /** Gives the lock back; what was not committed is forgotten. */
  close(): void {
    this.#db.close();
  }
}

/** `engine`: the program and settings that made the objects. `snapshot`: what the rest speaks of. */
type MetaName = 'engine' | 'snapshot';
