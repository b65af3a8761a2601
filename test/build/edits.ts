import Database from 'better-sqlite3';
import type { BlogDatabase } from '../../data/database.ts';
import { timestamp } from '../../bench/generate/calendar.ts';
import type { Random } from '../../bench/generate/random.ts';
import { openForWriting } from '../../data/database.ts';
import { NOW } from './publishing.ts';

const NOW_UNIX = NOW.getTime() / 1000;
const DAY = 86_400;
const YEAR = 365 * DAY;

/** A blog with random edits like those of its writers, in SQL with functions for random values. */
export class EditedBlog {
  readonly path: string;
  readonly random: Random;
  db: BlogDatabase;
  #made = 0;

  constructor(path: string, random: Random) {
    this.path = path;
    this.random = random;
    this.db = this.#open();
  }

  /** Makes one edit and returns its name. An edit that the schema rejects is not counted. */
  edit(): string {
    const name = this.random.pick([...Object.keys(EDITS), ...Object.keys(UNCHECKED_EDITS)]);
    try {
      if (EDITS[name] !== undefined) this.db.exec(EDITS[name]);
      else this.#editUnchecked(UNCHECKED_EDITS[name] ?? '');
      return name;
    } catch (error) {
      if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT'))) throw error;
      return `${name} (refused)`;
    }
  }

  /** Inserts, deletes, publishes or withdraws posts until `posts` are published. */
  resize(posts: number): void {
    for (let missing; (missing = posts - this.published()) !== 0;) {
      const [one, other] =
        missing > 0
          ? [insertPost('any_time()'), publishOne('any_time()')]
          : [
              `DELETE FROM posts WHERE id = (${SHOWN})`,
              `UPDATE posts SET status = 'archived' WHERE id = (${SHOWN})`,
            ];
      this.db.exec(this.random.chance(0.5) ? one : other);
    }
  }

  published(): number {
    return this.db.prepare<[], number>(`SELECT count(*) FROM posts WHERE ${IS_SHOWN}`).pluck().get() ?? 0;
  }

  /** Closes the database while `work` replaces its file. */
  reopen(work: () => void): void {
    this.db.close();
    work();
    this.db = this.#open();
  }

  #open(): BlogDatabase {
    const db = openForWriting(this.path);
    const { random } = this;
    db.function('below', (end: number) => BigInt(random.below(end)));
    db.function('choice', { varargs: true }, (...choices: unknown[]) => random.pick(choices));
    /** A text that no other row has. */
    db.function('fresh', (what: string) => {
      this.#made += 1;
      return `${what} ${random.pick(['alpha', 'Über', '日本', 'o"q\\', '<b>', '🦀', "it's"])} ${this.#made}`;
    });
    const written = (unix: number) => timestamp(unix, random.pick(['Z', '+00:00', '+02:00', '-03:30']));
    db.function('time_at', written);
    db.function('any_time', () => written(random.between(NOW_UNIX - 12 * YEAR, NOW_UNIX - DAY)));
    return db;
  }

  /** Edits as a writer without foreign keys and checks. */
  #editUnchecked(sql: string): void {
    this.db.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON');
    try {
      this.db.exec(sql);
    } finally {
      this.db.exec('PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF');
    }
  }
}

const IS_SHOWN = `status IN ('published', 'scheduled') AND published_unix <= ${NOW_UNIX} AND (expires_unix IS NULL OR expires_unix > ${NOW_UNIX})`;

/** A random row's id. */
const any = (table: string, where = 'true', column = 'id') =>
  `SELECT ${column} FROM ${table} WHERE ${where} ORDER BY below(1000000) LIMIT 1`;
const SHOWN = any('posts', IS_SHOWN);
const ANY = { post: any('posts'), category: any('categories'), tag: any('tags'), author: any('authors') };
const TABLES = { post: 'posts', category: 'categories', tag: 'tags', author: 'authors' };

const set = (kind: keyof typeof ANY, column: string, value: string) =>
  `UPDATE ${TABLES[kind]} SET ${column} = ${value} WHERE id = (${ANY[kind]})`;
const remove = (kind: keyof typeof ANY) => `DELETE FROM ${TABLES[kind]} WHERE id = (${ANY[kind]})`;

const insertPost = (publishedAt: string, status = 'published') => `
  INSERT INTO posts (slug, title, body, description, cover, category_id, author_id, status, published_at, views)
  VALUES (fresh('post'), fresh('A new post'), '<p>' || below(100) || ' words</p>', choice(NULL, '', fresh('About')),
    choice(NULL, '/media/new.png', 'https://img.example/new.png'), iif(below(5) = 0, NULL, (${ANY.category})),
    iif(below(5) = 0, NULL, (${ANY.author})), '${status}', ${publishedAt}, choice(0, 0, 7, 5000));
  INSERT OR IGNORE INTO post_tags (post_id, tag_id, place)
  SELECT (SELECT max(id) FROM posts), id, below(5) FROM tags ORDER BY below(1000000) LIMIT below(4)`;
const publishOne = (publishedAt: string) => `
  UPDATE posts SET status = 'published', published_at = ${publishedAt}
  WHERE id = (${any('posts', "status IN ('draft', 'archived')")})`;

/** Swaps a column of two posts. Slugs are unique, so they are replaced first. */
const swap = (column: string, replaced: string) => `
  DROP TABLE IF EXISTS temp.two;
  CREATE TEMP TABLE two AS SELECT id, ${column} AS value FROM posts WHERE ${column} IS NOT NULL ORDER BY below(1000000) LIMIT 2;
  UPDATE posts SET ${column} = ${replaced} WHERE id IN (SELECT id FROM two) AND (SELECT count(*) FROM two) = 2;
  UPDATE posts SET ${column} = (SELECT value FROM two WHERE two.id <> posts.id)
  WHERE id IN (SELECT id FROM two) AND (SELECT count(*) FROM two) = 2`;

/** All kinds of edits, by name. Replaced rows, which are rare, have tests of their own. */
const EDITS: Readonly<Record<string, string>> = {
  'insert the newest': insertPost(`time_at(${NOW_UNIX} - below(${DAY}))`),
  'insert the oldest': insertPost(`time_at(${NOW_UNIX - 20 * YEAR} - below(${YEAR}))`),
  'insert in the middle': insertPost('any_time()'),
  'insert at the same moment': insertPost(`coalesce((${any('posts', 'true', 'published_at')}), any_time())`),
  'insert a draft': insertPost('any_time()', 'draft'),
  'insert a scheduled post': insertPost(`time_at(${NOW_UNIX + 1} + below(${40 * DAY}))`, 'scheduled'),

  'edit a body': set('post', 'body', "'<p>Edited ' || below(1000000) || '</p>'"),
  'edit a title': set('post', 'title', "fresh('Title')"),
  'edit a description': set('post', 'description', "choice(NULL, '  ', fresh('About'))"),
  'edit a cover': set('post', 'cover', "choice(NULL, '', '/media/a.png', 'https://img.example/b.png')"),
  'edit a meta title': set('post', 'meta_title', "choice(NULL, '', fresh('Meta'))"),
  'edit a meta description': set('post', 'meta_description', "choice(NULL, fresh('Meta'))"),
  'give a post its own address': set(
    'post',
    'url',
    "choice(NULL, 'https://elsewhere.example/' || below(99))",
  ),
  'say when a post was changed': set('post', 'updated_at', 'choice(NULL, any_time())'),
  'note a former slug': `INSERT OR REPLACE INTO former_slugs
    SELECT choice(fresh('former'), '..', 'with/slash', '${'x'.repeat(1001)}', 'one, two'), (${ANY.post})`,
  'forget a former slug':
    'DELETE FROM former_slugs WHERE slug IN (SELECT slug FROM former_slugs WHERE below(3) = 0)',
  'swap back to a former slug': `UPDATE OR IGNORE posts
    SET slug = (SELECT slug FROM former_slugs WHERE post_id = posts.id) WHERE id IN (SELECT post_id FROM former_slugs LIMIT 1)`,
  'take the former slug of another post': `UPDATE OR IGNORE posts SET slug = (SELECT max(slug) FROM former_slugs)
    WHERE id = (${ANY.post}) AND EXISTS (SELECT 1 FROM former_slugs)`,
  'replace a post by a renamed one': `REPLACE INTO posts (id, slug, title, status, published_at)
    SELECT id, fresh('replaced'), title, status, published_at FROM posts WHERE id = (${ANY.post})`,
  'rename a post': set('post', 'slug', "fresh('renamed')"),
  'swap two slugs': swap('slug', "fresh('swap')"),
  'swap two dates': swap('published_at', 'published_at'),
  'move a post in time': set('post', 'published_at', 'any_time()'),
  'move a post to the future': set('post', 'published_at', `time_at(${NOW_UNIX + 1} + below(${40 * DAY}))`),
  'let a post expire': set(
    'post',
    'expires_at',
    `choice(NULL, time_at(${NOW_UNIX - 40 * DAY} + below(${80 * DAY})))`,
  ),
  'give another category': set('post', 'category_id', `iif(below(5) = 0, NULL, (${ANY.category}))`),
  'give another author': set('post', 'author_id', `iif(below(5) = 0, NULL, (${ANY.author}))`),
  'edit nothing that is shown': set('post', 'source', "fresh('source')"),

  'publish a post': publishOne('coalesce(published_at, any_time())'),
  'make a draft': set('post', 'status', "'draft'"),
  'archive a post': set('post', 'status', "'archived'"),
  'delete a post': remove('post'),
  'delete several posts': 'DELETE FROM posts WHERE id IN (SELECT id FROM posts WHERE below(19) = 0)',

  'view one post': set('post', 'views', 'below(10000)'),
  'view all posts': 'UPDATE posts SET views = views + 1 + below(7)',
  'forget the views': 'UPDATE posts SET views = 0 WHERE id IN (SELECT id FROM posts WHERE below(3) = 0)',

  'add a tag to a post': `INSERT OR IGNORE INTO post_tags (post_id, tag_id, place)
    SELECT (${ANY.post}), (${ANY.tag}), below(5)`,
  'take a tag from a post': `DELETE FROM post_tags WHERE (post_id, tag_id) = (${any('post_tags', 'true', 'post_id, tag_id')})`,
  'reorder the tags of a post': `UPDATE post_tags SET place = below(11) WHERE post_id = (${any('post_tags', 'true', 'post_id')})`,
  'move a tag to another post': `UPDATE OR REPLACE post_tags SET post_id = (${ANY.post})
    WHERE post_id = (${any('post_tags', 'true', 'post_id')})`,

  'add a category': "INSERT INTO categories (slug, name) VALUES (fresh('c'), fresh('Category'))",
  'add a tag': "INSERT INTO tags (slug, name) VALUES (fresh('t'), fresh('Tag'))",
  'add an author': "INSERT INTO authors (username, name) VALUES (fresh('a'), fresh('Author'))",
  'rename a category': set('category', 'name', "fresh('name')"),
  'move a category': set('category', 'slug', "fresh('slug')"),
  'rename a tag': set('tag', 'name', "fresh('name')"),
  'move a tag': set('tag', 'slug', "fresh('slug')"),
  'give two tags one name': set('tag', 'name', `(${any('tags', 'true', 'name')})`),
  'rename an author': set('author', 'name', "fresh('name')"),
  'move an author': set('author', 'username', "fresh('username')"),
  'give an avatar': set('author', 'avatar', "choice(NULL, 'https://img.example/me.png')"),
  'delete a category': remove('category'),
  'delete a tag': remove('tag'),
  'delete an author': remove('author'),

  'replace a post': `REPLACE INTO posts (id, slug, title, body, status, published_at)
    SELECT id, slug, fresh('Replaced'), body, status, published_at FROM posts WHERE id = (${ANY.post})`,
  'replace the site': "REPLACE INTO site (id, name, url) VALUES (1, fresh('Site'), 'https://bench.example')",
  'move the site': "UPDATE site SET url = 'https://site' || below(9) || '.example'",
  'rename the site': "UPDATE site SET name = fresh('Site')",
  'move the posts of the site':
    "UPDATE site SET post_path = choice('/posts/{slug}', '/p/{slug}/', '/{year}/{month}/{day}/{slug}', '/{category}/{slug}')",

  vacuum: 'VACUUM',
  checkpoint: 'PRAGMA wal_checkpoint(TRUNCATE)',
  analyse: 'ANALYZE',
  nothing: '',
};

/** Makes a row that cannot be published. */
const spoil = (kind: keyof typeof ANY, column: string, value: string) =>
  set(kind, column, value).replace('UPDATE', 'UPDATE OR IGNORE');
const BLANKS = "substr('         ', 1, below(9))";
const INVALID_UNICODE = "CAST(x'6162' || randomblob(4) || x'c328' AS TEXT)";
const IS_INVALID_UNICODE = "GLOB '6162*C328'";
const ANOTHER_ID = '100000 + below(1000000)';

/** Repairs rows; links to missing tags get their tag. */
const REPAIRS = [
  ['posts', 'published_at', 'published_unix IS NULL OR length(published_at) < 20', "'2024-05-01T10:00:00Z'"],
  [
    'posts',
    'published_at',
    'date(substr(published_at, 1, 10)) <> substr(published_at, 1, 10)',
    "'2024-05-02T10:00:00Z'",
  ],
  ['posts', 'slug', `trim(slug) = '' OR hex(slug) ${IS_INVALID_UNICODE}`, "'repaired-' || id"],
  ['posts', 'title', `trim(title) = '' OR hex(title) ${IS_INVALID_UNICODE}`, "'Repaired ' || id"],
  ['posts', 'category_id', 'category_id NOT IN (SELECT id FROM categories)', 'NULL'],
  ['posts', 'author_id', 'author_id NOT IN (SELECT id FROM authors)', 'NULL'],
  ['posts', 'views', 'views < 0', '3'],
  ['categories', 'name', `hex(name) ${IS_INVALID_UNICODE}`, "'Repaired ' || id"],
  ['tags', 'name', `hex(name) ${IS_INVALID_UNICODE}`, "'Repaired ' || id"],
  ['tags', 'slug', `trim(slug) = '' OR hex(slug) ${IS_INVALID_UNICODE}`, "'repaired-' || id"],
].map(([table, column, fault, value]) => `UPDATE ${table} SET ${column} = ${value} WHERE ${fault};`);

/** Edits by writers that check neither foreign keys nor the schema's conditions. */
const UNCHECKED_EDITS: Readonly<Record<string, string>> = {
  'delete a category that is in use': remove('category'),
  'delete a tag that is in use': remove('tag'),
  'delete an author that is in use': remove('author'),
  'delete a post and leave its tags': remove('post'),
  'give a tag another id': set('tag', 'id', ANOTHER_ID),
  'give a category another id': set('category', 'id', ANOTHER_ID),
  'give a post another id': set('post', 'id', ANOTHER_ID),
  'lose the date of a post': spoil(
    'post',
    'published_at',
    "choice('yesterday', '2024-02-30T10:00:00Z', '2024-05-01', '', NULL)",
  ),
  'lose the slug of a post': spoil('post', 'slug', BLANKS),
  'lose the title of a post': spoil('post', 'title', BLANKS),
  'lose the category of a post': spoil('post', 'category_id', '999999'),
  'break a title': spoil('post', 'title', INVALID_UNICODE),
  'break a category': spoil('category', 'name', INVALID_UNICODE),
  'break the slug of a tag': spoil('tag', 'slug', INVALID_UNICODE),
  'break a tag': spoil('tag', 'name', INVALID_UNICODE),
  'lose the slug of a tag': spoil('tag', 'slug', BLANKS),
  'count views below nothing': spoil('post', 'views', '-1'),
  'link a tag that is not there': `INSERT OR IGNORE INTO post_tags (post_id, tag_id)
    SELECT (${ANY.post}), 999000 + below(3)`,
  'repair what is broken': `${REPAIRS.join('\n')}
    INSERT OR IGNORE INTO tags (id, slug, name)
    SELECT DISTINCT tag_id, 'repaired-link-' || tag_id, 'Repaired link ' || tag_id FROM post_tags
    WHERE tag_id NOT IN (SELECT id FROM tags)`,
};
