import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { plainExcerpt } from '../oracle/excerpt.ts';
import type { BlogContent } from './published-blog.ts';

const TABLES = readFileSync(new URL('plain.sql', import.meta.url), 'utf8');

/**
 * The expected content of a snapshot of the blog at `path` at `now`, in plain SQL. It does not sanitise bodies, so
 * use only bodies that sanitising leaves unchanged.
 */
export function readPlainly(path: string, now: Date): BlogContent {
  const db = new Database(path, { readonly: true });
  try {
    db.function('blank', (text) => (typeof text === 'string' && text.trim() === '' ? 1 : 0));
    db.function('utf8', (bytes) =>
      bytes === null || (bytes instanceof Uint8Array && isUtf8(bytes)) ? 1 : 0,
    );
    db.function('excerpt', (body) => plainExcerpt(String(body)));
    db.function('segment', (text) => encodeURIComponent(String(text)));
    db.exec(TABLES.replaceAll('@now', String(Math.floor(now.getTime() / 1000))));
    const texts = (sql: string) => db.prepare<[], string>(sql).pluck().all();
    const records = (sql: string) => texts(sql).map((text): unknown => JSON.parse(text));
    const sets = (sql: string): Record<string, string[]> =>
      Object.fromEntries(
        db
          .prepare<[], { name: string; slugs: string }>(sql)
          .all()
          .map(({ name, slugs }) => [name, JSON.parse(slugs)]),
      );
    return {
      summaries: records('SELECT summary FROM shown ORDER BY published_unix, slug'),
      details: records('SELECT detail FROM shown ORDER BY published_unix, slug'),
      popular: texts(
        'SELECT slug FROM shown WHERE views > 0 ORDER BY views DESC, published_unix DESC, slug DESC',
      ),
      categories: records('SELECT record FROM listed_categories ORDER BY name, slug'),
      tags: records('SELECT record FROM listed_tags ORDER BY posts DESC, name, slug'),
      authors: records('SELECT record FROM listed_authors ORDER BY posts DESC, username'),
      inCategory: sets(
        `SELECT c.slug AS name, (SELECT json_group_array(s.slug ORDER BY s.published_unix, s.slug)
           FROM shown s WHERE s.category_id = c.id) AS slugs FROM good_categories c
           WHERE EXISTS (SELECT 1 FROM shown s WHERE s.category_id = c.id)`,
      ),
      byAuthor: sets(
        `SELECT a.username AS name, (SELECT json_group_array(s.slug ORDER BY s.published_unix, s.slug)
           FROM shown s WHERE s.author_id = a.id) AS slugs FROM listed_authors a`,
      ),
      moved: Object.fromEntries(
        db
          .prepare<[], [string, string]>(
            `SELECT former.value, shown.slug FROM shown, json_each(shown.summary, '$.former_slugs') AS former`,
          )
          .raw()
          .all(),
      ),
    };
  } finally {
    db.close();
  }
}
