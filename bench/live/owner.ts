/**
 * The owner of a live database, as a process: `node owner.ts DB watch|RATE`. It runs until its standard input ends,
 * then prints its measurements as JSON (`Seen`).
 *
 *   watch   checks every millisecond, without waiting, whether it could write: how long is it blocked at a time?
 *   RATE    writes per second, as Ghost makes them: a transaction with three statements, and a timeout of 5 s
 */
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';

export interface Seen {
  /** How often it could not write at once; for writes, how many failed. */
  readonly refused: number;
  /** Writes made, or checks at which it could have written. */
  readonly made: number;
  /** The longest time that it was blocked, or that a write took, in milliseconds. */
  readonly longestMs: number;
}

/**
 * Between two locks the owner may write for 10 ms. If this process was not scheduled for that long, it may have
 * missed it.
 */
const MISSED_MS = 8;
/** The default of better-sqlite3, and so of Ghost. */
const GHOST_TIMEOUT_MS = 5000;

const [path = '', mode = 'watch'] = process.argv.slice(2);
let isEnded = false;
process.stdin.on('end', () => (isEnded = true)).resume();
console.log(JSON.stringify(mode === 'watch' ? await watch() : await write(Number(mode))));

async function watch(): Promise<Seen> {
  const db = new Database(path, { timeout: 0 });
  let [refused, made, longestMs] = [0, 0, 0];
  let [since, last] = [0, 0];
  while (!isEnded) {
    const now = performance.now();
    const isNew = since === 0 || now - last > MISSED_MS;
    if (!isNew) longestMs = Math.max(longestMs, now - since);
    last = now;
    if (attempt(db, 'BEGIN EXCLUSIVE; ROLLBACK')) {
      since = 0;
      made += 1;
    } else if (isNew) {
      since = now;
      refused += 1;
    }
    await delay(1);
  }
  db.close();
  return { refused, made, longestMs };
}

async function write(rate: number): Promise<Seen> {
  const db = new Database(path, { timeout: GHOST_TIMEOUT_MS });
  let [refused, made, longestMs] = [0, 0, 0];
  for (let next = performance.now(); !isEnded; next += 1000 / rate) {
    await delay(Math.max(1, next - performance.now()));
    const started = performance.now();
    const post = `p${1 + (made % 1000)}`;
    const isMade = attempt(
      db,
      `BEGIN; UPDATE posts SET title = title || '.' WHERE id = '${post}';
       UPDATE posts SET updated_at = datetime() WHERE id = '${post}';
       INSERT OR REPLACE INTO sessions VALUES ('bench', datetime()); COMMIT`,
    );
    if (isMade) made += 1;
    else refused += 1;
    longestMs = Math.max(longestMs, performance.now() - started);
  }
  db.close();
  return { refused, made, longestMs };
}

/** @returns false if another process holds the lock */
function attempt(db: Database.Database, sql: string): boolean {
  try {
    db.exec(sql);
    return true;
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') return false;
    throw error;
  }
}
