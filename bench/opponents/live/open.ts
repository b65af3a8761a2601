import Database from 'better-sqlite3';
import { parseJson } from '../../../contract/json.ts';
import { isLimits } from '../../../contract/policy.ts';
import { Callers } from './callers.ts';
import { Posts } from './posts.ts';
import { UsageCounter } from './usage.ts';

/** How often a server looks whether the blog has changed. */
const CHECK_MS = 1000;

/**
 * What both servers over SQLite need, from their arguments: DATABASE USAGE LIMITS.
 *
 * @param changed is called after the blog has changed
 */
export function openBlog(changed: () => void) {
  const [path = '', usagePath = '', limits = ''] = process.argv.slice(2);
  const db = new Database(path, { readonly: true });
  db.pragma('cache_size = -65536');
  db.pragma('mmap_size = 2147418112');
  const posts = new Posts(db);
  setInterval(() => posts.refresh() && changed(), CHECK_MS).unref();
  const usage = new UsageCounter(usagePath, parseJson(limits, isLimits, 'limits'));
  return { posts, usage, callers: new Callers(db, usage) };
}
