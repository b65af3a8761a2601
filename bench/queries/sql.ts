/**
 * The alternative to Offprint on the same blog: `sql.ts DATABASE` prints the milliseconds of the first page and the
 * total of each search, by LIKE over the tables and by an FTS5 trigram table.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { median } from '../median.ts';
import { searches } from './requests.ts';

const ROUNDS = 5;
const SUMMARY = `p.slug, p.title, p.description, p.cover, p.views, p.published_at, p.url, p.category_id, p.author_id,
  (SELECT json_group_array(t.name) FROM post_tags JOIN tags t ON t.id = tag_id WHERE post_id = p.id) AS tags`;
const SHOWN = "p.status = 'published'";

const LIKE = `(p.title LIKE ? OR p.description LIKE ? OR EXISTS (
  SELECT 1 FROM post_tags JOIN tags t ON t.id = tag_id WHERE post_id = p.id AND t.name LIKE ?))`;
const FTS_LIKE = '(fts.title LIKE ? OR fts.description LIKE ? OR fts.tags LIKE ?)';

export interface SqlMeasurement {
  readonly q: string;
  readonly total: number;
  readonly likeMs: number;
  readonly ftsMs: number;
}

const [path = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'offprint-sql-'));
const copy = join(folder, 'blog.db');
copyFileSync(path, copy);
const db = new Database(copy);
db.pragma('cache_size = -262144'); // Everything in memory, like Offprint's index.
db.exec(`
  CREATE VIRTUAL TABLE fts USING fts5 (title, description, tags, tokenize = 'trigram');
  INSERT INTO fts (rowid, title, description, tags)
    SELECT p.id, p.title, p.description,
      (SELECT group_concat(t.name, ' ') FROM post_tags JOIN tags t ON t.id = tag_id WHERE post_id = p.id)
    FROM posts p WHERE ${SHOWN};
  INSERT INTO fts (fts) VALUES ('optimize');
  ANALYZE;`);

const measurements: SqlMeasurement[] = searches.map((q) => {
  const terms = q.split(' ');
  const like = prepare(`FROM posts p WHERE ${SHOWN} AND ${terms.map(() => LIKE).join(' AND ')}`);
  const patterns = terms.flatMap((term) => Array.from({ length: 3 }, () => `%${term}%`));
  // The trigram index serves terms of three or more characters. Shorter ones need a scan of all texts.
  const isIndexed = terms.every((term) => [...term].length >= 3);
  const fts = isIndexed
    ? prepare('FROM fts JOIN posts p ON p.id = fts.rowid WHERE fts MATCH ?')
    : prepare(`FROM fts JOIN posts p ON p.id = fts.rowid WHERE ${terms.map(() => FTS_LIKE).join(' AND ')}`);
  const match = isIndexed ? [terms.map((term) => `"${term}"`).join(' AND ')] : patterns;
  const total = fts.total(match);
  return { q, total, likeMs: timeOf(() => like.all(patterns)), ftsMs: timeOf(() => fts.all(match)) };
});
db.close();
rmSync(folder, { recursive: true });
console.log(JSON.stringify(measurements));

function prepare(from: string) {
  const count = db.prepare<string[], number>(`SELECT count(*) ${from}`).pluck();
  const page = db.prepare(`SELECT ${SUMMARY} ${from} ORDER BY p.published_unix DESC, p.slug DESC LIMIT 15`);
  return {
    total: (values: string[]) => count.get(...values) ?? 0,
    all(values: string[]) {
      count.get(...values);
      return JSON.stringify(page.all(...values));
    },
  };
}

function timeOf(work: () => unknown): number {
  work();
  return median(
    Array.from({ length: ROUNDS }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    }),
  );
}
