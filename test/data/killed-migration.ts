/** Migrates the given database, and is killed when a step is done but not yet committed. */
import Database from 'better-sqlite3';
import { migrate } from '../../data/migrations.ts';

const db = new Database(process.argv[2]);
migrate(db, [
  { version: 1_000_000, apply: () => void db.exec('ALTER TABLE posts ADD COLUMN subtitle TEXT') },
  { version: 1_000_001, apply: () => process.kill(process.pid, 'SIGKILL') },
]);
