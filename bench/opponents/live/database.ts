/** The database of the live API: the blog's own, with everything that makes queries fast. */
import { copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { excerptOf } from '../../../build/html/excerpt.ts';
import { sanitise } from '../../../build/html/sanitise.ts';
import { postAddress, type Site, webAddress } from '../../../build/snapshot/site.ts';
import { normalise } from '../../../contract/search/search-text.ts';

/** The condition for shown posts, as literal SQL so that the planner recognises the partial indexes. */
export const SHOWN = "status IN ('scheduled', 'published')";

const INDEXES = `
  CREATE INDEX shown_in_order ON posts (published_unix, slug) WHERE ${SHOWN};
  CREATE INDEX shown_of_category ON posts (category_id, published_unix, slug) WHERE ${SHOWN};
  CREATE INDEX tags_by_name ON tags (replace(lower(name), ' ', '-'));
  CREATE VIRTUAL TABLE search USING fts5 (text, content = '', tokenize = 'trigram case_sensitive 1');`;

/**
 * Copies the blog at `from` to `to` for the live API. Everything that a careful blog would do on writing is done
 * here, once: bodies are sanitised, missing descriptions taken from them, addresses made absolute, and texts folded
 * for search.
 */
export function prepareDatabase(from: string, to: string): void {
  copyFileSync(from, to);
  const db = new Database(to);
  db.pragma('synchronous = OFF');
  const triggers = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck();
  for (const name of triggers.all()) db.exec(`DROP TRIGGER ${name}`);
  const site = siteOf(db);
  db.transaction(() => {
    writeTexts(db, site);
    db.exec(INDEXES);
    fillSearch(db);
  })();
  db.exec("INSERT INTO search (search) VALUES ('optimize'); ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);");
  db.close();
}

interface PostRow {
  readonly id: number;
  readonly slug: string;
  readonly url: string | null;
  readonly cover: string | null;
  readonly body: string;
  readonly description: string | null;
  readonly publishedAt: string | null;
  readonly category: string | null;
}

function writeTexts(db: Database.Database, site: Site): void {
  const rows = db
    .prepare<[], PostRow>(
      `SELECT id, slug, url, cover, body, description, published_at AS publishedAt,
         (SELECT slug FROM categories WHERE id = category_id) AS category
       FROM posts`,
    )
    .all();
  const write = db.prepare(
    "UPDATE posts SET url = ?, cover = ?, body = ?, description = ?, published_at = replace(published_at, 'Z', '+00:00') WHERE id = ?",
  );
  for (const post of rows) {
    const address = postAddress(site, post);
    const content = sanitise(post.body, address);
    const description = post.description ?? excerptOf(content);
    write.run(address, webAddress(site, post.cover), content, description, post.id);
  }
}

interface TextRow {
  readonly id: number;
  readonly text: string;
}

/** Line breaks separate title, description and tags, because no search term contains white space. */
function fillSearch(db: Database.Database): void {
  const rows = db
    .prepare<[], TextRow>(
      `SELECT id, title || char(10) || coalesce(description, '') || coalesce((
         SELECT char(10) || group_concat(name, char(10)) FROM post_tags JOIN tags ON tags.id = tag_id
         WHERE post_id = posts.id), '') AS text
       FROM posts WHERE ${SHOWN} AND published_unix <= unixepoch() ORDER BY id`,
    )
    .all();
  const insert = db.prepare('INSERT INTO search (rowid, text) VALUES (?, ?)');
  for (const { id, text } of rows) insert.run(id, normalise(text));
}

function siteOf(db: Database.Database): Site {
  const row = db
    .prepare<[], Record<'name' | 'url' | 'post' | 'category' | 'tag', string>>(
      'SELECT name, url, post_path AS post, category_path AS category, tag_path AS tag FROM site',
    )
    .get();
  if (!row) throw new Error('The blog has no site row.');
  const { name, url, ...paths } = row;
  return { name, url, paths, excerpts: true };
}
