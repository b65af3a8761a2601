/**
 * Migrates the given database, and is killed when all steps are done but not yet committed.
 */
import Database from 'better-sqlite3';
import { migrate, MIGRATIONS } from '../../data/migrations.ts';

const db = new Database(process.argv[2]);
migrate(db, [...MIGRATIONS, { version: 1_000_000, apply: () => process.kill(process.pid, 'SIGKILL') }]);
