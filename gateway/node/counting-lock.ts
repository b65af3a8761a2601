import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ExplainedError } from '../../common/errors.ts';
import { codeOf } from '../../common/thrown.ts';
import { ensurePrivateFile, ensurePrivateFolder } from '../../common/private-files.ts';
import { QuotaInUse } from './sqlite-quota-counter.ts';

/**
 * Whether the processes that serve from a folder count together, elsewhere, or one of them counts here alone. One of each
 * would give callers both limits. A lock of the operating system, which ends with the process.
 *
 * @param how `alone` excludes all others; `together` excludes one that counts alone
 * @returns ends the lock
 * @throws QuotaInUse, CountingAlone
 */
export function lockCounting(out: string, how: 'alone' | 'together'): () => void {
  let db: Database.Database | undefined;
  try {
    const path = join(out, 'state', 'counting.lock');
    ensurePrivateFolder(join(out, 'state'));
    ensurePrivateFile(path);
    db = new Database(path, { timeout: 0 });
    db.pragma('journal_mode = OFF'); // Nothing is written.
    // A read transaction has a shared lock.
    db.exec(how === 'alone' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT count(*) FROM sqlite_schema');
  } catch (error) {
    db?.close();
    if (codeOf(error)?.startsWith('SQLITE_BUSY'))
      throw how === 'alone' ? new QuotaInUse(join(out, 'state')) : new CountingAlone(out);
    return () => undefined; // What writes counts here reports the fault of the folder.
  }
  return () => void db.close();
}

/** A process without `--counts` serves from the folder. */
class CountingAlone extends ExplainedError {
  constructor(out: string) {
    super(
      `Another gateway serves from ${out} without --counts, so each caller would get its limits twice. ` +
        'Stop it, or start it with the same --counts.',
    );
  }
}
