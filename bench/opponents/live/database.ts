/** The database of the live API: what the blog's own has, with everything that makes queries fast. */
import Database from 'better-sqlite3';
import { extractExcerpt } from '../../../build/html/excerpt.ts';
import { sanitise } from '../../../build/html/sanitise.ts';
import { postAddress, type Site, webAddress } from '../../../build/snapshot/site.ts';
import { isText, listOf, parseJson, recordOf } from '../../../contract/json.ts';
import { tagKey } from '../../../contract/name-table.ts';
import { normalise } from '../../../contract/search/search-text.ts';

/** Posts of one second that ids can tell apart: 2^12. */
export const ID_BITS = 12;

/** The filters that have indexes, in the order of their columns. A list of a tag is read from a table of its own. */
export const INDEXED = ['category', 'author'] as const;

/**
 * The id of a post is its time and its place among the posts of that second, by slug. So ids are in order of publication,
 * and each index ends with it. Summaries and articles are ready JSON.
 */
const SCHEMA = `
  CREATE TABLE posts (id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, category TEXT, author TEXT,
    views INTEGER NOT NULL, summary TEXT NOT NULL) STRICT;
  CREATE TABLE tagged (tag TEXT, id INTEGER, category TEXT, author TEXT, views INTEGER NOT NULL,
    PRIMARY KEY (tag, id)) STRICT, WITHOUT ROWID;
  CREATE TABLE articles (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
  CREATE VIRTUAL TABLE search USING fts5 (text, content = '', tokenize = 'trigram case_sensitive 1');
  CREATE TABLE revision AS SELECT content, views FROM blog.revision;
  CREATE TABLE keys AS SELECT sha256, accounts.name AS account, plan, api_keys.name, prefix, scopes, revoked_at, expires_at
    FROM blog.api_keys JOIN blog.accounts ON accounts.id = account_id;
  CREATE UNIQUE INDEX keys_by_hash ON keys (sha256);`;

/**
 * Makes the database of the live API at `to` from the blog at `from`. Everything that a careful blog would do on writing
 * is done here, once: bodies are sanitised, missing descriptions taken from them, addresses made absolute, texts folded for
 * search, JSON made, and an index kept for each order of each combination of filters.
 */
export function prepareDatabase(from: string, to: string): void {
  const blog = new Database(from, { readonly: true });
  const db = new Database(to);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.prepare('ATTACH ? AS blog').run(from);
  db.exec(SCHEMA);
  db.transaction(() => {
    writePosts(blog, db);
    for (const filters of [[], ['category'], ['author'], [...INDEXED]]) {
      db.exec(indexes('posts', filters, ['id']));
      db.exec(indexes('tagged', filters, ['tag', 'id']));
    }
  })();
  db.exec("INSERT INTO search (search) VALUES ('optimize'); ANALYZE; DETACH blog; PRAGMA journal_mode = WAL");
  db.close();
  blog.close();
}

/** The name of the index of a list, sorted by time or by views. */
export function indexOf(table: 'posts' | 'tagged', filters: readonly string[], byViews: boolean): string {
  return [table, 'by', ...filters, byViews ? 'views' : 'time'].join('_');
}

function indexes(table: 'posts' | 'tagged', filters: readonly string[], key: readonly string[]): string {
  const [id, tag] = [...key].reverse();
  const before = [...(tag === undefined ? [] : [tag]), ...filters];
  const index = (byViews: boolean) => {
    const columns = [...before, ...(byViews ? ['views'] : []), id];
    return `CREATE INDEX ${indexOf(table, filters, byViews)} ON ${table} (${columns.join(', ')});`;
  };
  return index(false) + index(true);
}

interface PostRow extends Record<'slug' | 'title' | 'body' | 'publishedAt' | 'tags', string> {
  readonly time: number;
  readonly url: string | null;
  readonly cover: string | null;
  readonly description: string | null;
  readonly views: number;
  readonly category: string | null;
  readonly categoryName: string | null;
  readonly author: string | null;
  readonly authorName: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
}

const POSTS = `
  SELECT p.slug, title, body, published_unix AS time, replace(published_at, 'Z', '+00:00') AS publishedAt, url, cover,
    description, views, c.slug AS category, c.name AS categoryName, username AS author, a.name AS authorName,
    meta_title AS metaTitle, meta_description AS metaDescription,
    (SELECT json_group_array(json_object('slug', slug, 'name', name) ORDER BY place, name)
     FROM post_tags JOIN tags ON tags.id = tag_id WHERE post_id = p.id) AS tags
  FROM posts p LEFT JOIN categories c ON c.id = category_id LEFT JOIN authors a ON a.id = author_id
  WHERE status IN ('scheduled', 'published') ORDER BY published_unix, p.slug`;

const isTags = listOf(recordOf<{ slug: string; name: string }>({ slug: isText, name: isText }));

function writePosts(blog: Database.Database, db: Database.Database): void {
  const site = siteOf(blog);
  const post = db.prepare('INSERT INTO posts VALUES (?, ?, ?, ?, ?, ?)');
  const tagged = db.prepare('INSERT OR IGNORE INTO tagged VALUES (?, ?, ?, ?, ?)');
  const article = db.prepare('INSERT INTO articles VALUES (?, ?)');
  const text = db.prepare('INSERT INTO search (rowid, text) VALUES (?, ?)');
  let last = 0;
  for (const row of blog.prepare<[], PostRow>(POSTS).iterate()) {
    const { slug, title, category, author, views, publishedAt: published_at } = row;
    const id = Math.max(last + 1, row.time * 2 ** ID_BITS);
    last = id;
    const url = postAddress(site, row);
    const content = sanitise(row.body, url);
    const description = row.description ?? extractExcerpt(content);
    const rows = parseJson(row.tags, isTags, 'tags');
    const tags = rows.map(({ name }) => name);
    const summary = {
      ...{ slug, title, description, cover: webAddress(site, row.cover), views, tags },
      category: category === null ? null : { name: row.categoryName, slug: category },
      author: author === null ? null : { name: row.authorName, username: author },
      ...{ url, published_at },
    };
    const seo = { meta_title: row.metaTitle, meta_description: row.metaDescription };
    const data = { slug, title, content, tags, seo, published_at };
    post.run(id, slug, category, author, views, JSON.stringify(summary));
    article.run(id, Buffer.from(JSON.stringify({ success: true, data })));
    for (const key of rows.flatMap((tag) => [tagKey(tag.slug), tagKey(tag.name)]))
      tagged.run(key, id, category, author, views);
    // Line breaks separate the texts, because no search term contains white space.
    text.run(id, normalise([title, description ?? '', ...tags].join('\n')));
  }
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
