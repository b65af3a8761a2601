import Database from 'better-sqlite3';
import type { BlogDatabase } from '../../data/database.ts';
import { timestamp } from '../../bench/generate/calendar.ts';
import type { Random } from '../../bench/generate/random.ts';
import { openForWriting } from '../../data/database.ts';
import { NOW } from './publishing.ts';

const NOW_UNIX = NOW.getTime() / 1000;
const DAY = 86_400;
const YEAR = 365 * DAY;

type Table = 'posts' | 'categories' | 'tags' | 'authors';
type Edit = (blog: EditedBlog) => void;

/** A blog with random edits like those of its writers, in plain SQL. */
export class EditedBlog {
  readonly path: string;
  readonly random: Random;
  db: BlogDatabase;
  #made = 0;

  constructor(path: string, random: Random) {
    this.path = path;
    this.random = random;
    this.db = openForWriting(path);
  }

  /** Makes one edit and returns its name. An edit that the schema rejects is not counted. */
  edit(): string {
    const name = this.random.pick(NAMES);
    try {
      EDITS[name]?.(this);
      return name;
    } catch (error) {
      if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT'))) throw error;
      return `${name} (refused)`;
    }
  }

  /** Inserts, deletes, publishes or withdraws posts until `posts` are published. */
  resize(posts: number): void {
    for (;;) {
      const missing = posts - this.published();
      if (missing === 0) return;
      if (missing > 0 && this.random.chance(0.5)) this.insertPost(this.anyTime());
      else if (missing > 0) {
        const hidden = this.pick("SELECT id FROM posts WHERE status IN ('draft', 'archived')");
        if (hidden === null) this.insertPost(this.anyTime());
        else
          this.run(
            "UPDATE posts SET status = 'published', published_at = ? WHERE id = ?",
            this.anyTime(),
            hidden,
          );
      } else {
        const shown = this.pick(`SELECT id FROM posts WHERE ${SHOWN}`);
        if (this.random.chance(0.5)) this.run('DELETE FROM posts WHERE id = ?', shown);
        else this.run("UPDATE posts SET status = 'archived' WHERE id = ?", shown);
      }
    }
  }

  published(): number {
    return this.db.prepare<[], number>(`SELECT count(*) FROM posts WHERE ${SHOWN}`).pluck().get() ?? 0;
  }

  run(sql: string, ...values: unknown[]): void {
    this.db.prepare(sql).run(...values);
  }

  /** One of the ids that `sql` selects; null: none. */
  pick(sql: string): number | null {
    const ids = this.db.prepare<[], number>(sql).pluck().all();
    return ids.length === 0 ? null : this.random.pick(ids);
  }

  any(table: Table): number | null {
    return this.pick(`SELECT id FROM ${table} ORDER BY id`);
  }

  /** A text that no other row has. */
  fresh(what: string): string {
    this.#made += 1;
    return `${what} ${this.random.pick(['alpha', 'Über', '日本', 'o"q\\', '<b>', '🦀', "it's"])} ${this.#made}`;
  }

  anyTime(): string {
    const unix = this.random.between(NOW_UNIX - 12 * YEAR, NOW_UNIX - DAY);
    return timestamp(unix, this.random.pick(['Z', '+00:00', '+02:00', '-03:30']));
  }

  insertPost(publishedAt: string, status = 'published'): void {
    const category = this.random.chance(0.2) ? null : this.any('categories');
    const author = this.random.chance(0.2) ? null : this.any('authors');
    const { lastInsertRowid } = this.db
      .prepare(
        `INSERT INTO posts (slug, title, body, description, cover, category_id, author_id, status, published_at, views)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        this.fresh('post'),
        this.fresh('A new post'),
        `<p>${this.#made} words</p>`,
        this.random.pick([null, '', this.fresh('About')]),
        this.random.pick([null, '/media/new.png', 'https://img.example/new.png']),
        category,
        author,
        status,
        publishedAt,
        this.random.pick([0, 0, 7, 5000]),
      );
    for (let place = this.random.below(4); place > 0; place -= 1)
      this.run(
        'INSERT OR IGNORE INTO post_tags (post_id, tag_id, place) VALUES (?, ?, ?)',
        lastInsertRowid,
        this.any('tags'),
        place,
      );
  }

  /** Edits with the pragma of another writer, which differs from Offprint's. */
  under(pragma: 'foreign_keys = OFF' | 'ignore_check_constraints = ON', edit: () => void): void {
    this.db.pragma(pragma);
    try {
      edit();
    } finally {
      this.db.pragma('foreign_keys = ON');
      this.db.pragma('ignore_check_constraints = OFF');
    }
  }
}

const SHOWN = `status IN ('published', 'scheduled') AND published_unix <= ${NOW_UNIX} AND (expires_unix IS NULL OR expires_unix > ${NOW_UNIX})`;

const ofAnyPost =
  (column: string, value: (blog: EditedBlog) => unknown): Edit =>
  (blog) =>
    blog.run(`UPDATE posts SET ${column} = ? WHERE id = ?`, value(blog), blog.any('posts'));

const ofAnyTerm =
  (table: Table, column: string): Edit =>
  (blog) =>
    blog.run(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, blog.fresh(column), blog.any(table));

const status = (value: string): Edit => ofAnyPost('status', () => value);

/** Makes a row that cannot be exported. */
const broken =
  (table: Table, column: string, value: (blog: EditedBlog) => string): Edit =>
  (blog) =>
    blog.under('ignore_check_constraints = ON', () =>
      blog.under('foreign_keys = OFF', () => {
        blog.db.pragma('ignore_check_constraints = ON');
        blog.run(`UPDATE OR IGNORE ${table} SET ${column} = ${value(blog)} WHERE id = ?`, blog.any(table));
      }),
    );

const blanks = ({ random }: EditedBlog) => `'${' '.repeat(random.below(9))}'`;
const invalidUnicode = () => "CAST(x'6162' || randomblob(4) || x'c328' AS TEXT)";
const repair = (blog: EditedBlog, table: Table, column: string, fault: string, value: string) =>
  blog.run(`UPDATE ${table} SET ${column} = ${value} WHERE ${fault}`);

const swap = (column: string): Edit => {
  return (blog) => {
    const [a, b] = [blog.any('posts'), blog.any('posts')];
    if (a === b) return;
    const value = blog.db
      .prepare<[number | null], string>(`SELECT ${column} FROM posts WHERE id = ?`)
      .pluck();
    const [ofA, ofB] = [value.get(a), value.get(b)];
    if (typeof ofA !== 'string' || typeof ofB !== 'string') return;
    blog.db.transaction(() => {
      blog.run(
        `UPDATE posts SET ${column} = ? WHERE id = ?`,
        column === 'slug' ? blog.fresh('swap') : ofA,
        a,
      );
      blog.run(`UPDATE posts SET ${column} = ? WHERE id = ?`, ofA, b);
      blog.run(`UPDATE posts SET ${column} = ? WHERE id = ?`, ofB, a);
    })();
  };
};

const withoutForeignKeys =
  (edit: Edit): Edit =>
  (blog) =>
    blog.under('foreign_keys = OFF', () => edit(blog));

/** All kinds of edits, by name. Replaced rows, which are rare, have tests of their own. */
const EDITS: Readonly<Record<string, Edit>> = {
  'insert the newest': (blog) => blog.insertPost(timestamp(NOW_UNIX - blog.random.below(DAY), 'Z')),
  'insert the oldest': (blog) =>
    blog.insertPost(timestamp(NOW_UNIX - 20 * YEAR - blog.random.below(YEAR), '+01:00')),
  'insert in the middle': (blog) => blog.insertPost(blog.anyTime()),
  'insert at the same moment': (blog) => {
    const at = blog.db
      .prepare<[number | null], string | null>('SELECT published_at FROM posts WHERE id = ?')
      .pluck()
      .get(blog.any('posts'));
    blog.insertPost(at ?? blog.anyTime());
  },
  'insert a draft': (blog) => blog.insertPost(blog.anyTime(), 'draft'),
  'insert a scheduled post': (blog) =>
    blog.insertPost(timestamp(NOW_UNIX + blog.random.between(1, 40 * DAY), 'Z'), 'scheduled'),

  'edit a body': ofAnyPost('body', (blog) => `<p>Edited ${blog.random.below(1e6)}</p>`),
  'edit a title': ofAnyPost('title', (blog) => blog.fresh('Title')),
  'edit a description': ofAnyPost('description', (blog) =>
    blog.random.pick([null, '  ', blog.fresh('About')]),
  ),
  'edit a cover': ofAnyPost('cover', ({ random }) =>
    random.pick([null, '', '/media/a.png', 'https://img.example/b.png']),
  ),
  'edit a meta title': ofAnyPost('meta_title', (blog) => blog.random.pick([null, '', blog.fresh('Meta')])),
  'edit a meta description': ofAnyPost('meta_description', (blog) =>
    blog.random.pick([null, blog.fresh('Meta')]),
  ),
  'give a post its own address': ofAnyPost('url', ({ random }) =>
    random.pick([null, `https://elsewhere.example/${random.below(99)}`]),
  ),
  'say when a post was changed': ofAnyPost('updated_at', (blog) => blog.random.pick([null, blog.anyTime()])),
  'note a former slug': (blog) =>
    blog.run(
      'INSERT OR REPLACE INTO former_slugs VALUES (?, ?)',
      blog.random.pick([blog.fresh('former'), '..', 'with/slash', 'x'.repeat(1001), 'one, two']),
      blog.any('posts'),
    ),
  'forget a former slug': (blog) =>
    blog.run('DELETE FROM former_slugs WHERE post_id % 3 = ?', blog.random.below(3)),
  'swap back to a former slug': (blog) =>
    blog.run(
      'UPDATE OR IGNORE posts SET slug = (SELECT slug FROM former_slugs WHERE post_id = posts.id) WHERE id IN (SELECT post_id FROM former_slugs LIMIT 1)',
    ),
  'take the former slug of another post': (blog) =>
    blog.run(
      'UPDATE OR IGNORE posts SET slug = (SELECT max(slug) FROM former_slugs) WHERE id = ? AND EXISTS (SELECT 1 FROM former_slugs)',
      blog.any('posts'),
    ),
  'replace a post by a renamed one': (blog) => {
    blog.run(
      `REPLACE INTO posts (id, slug, title, status, published_at)
       SELECT id, ?, title, status, published_at FROM posts WHERE id = ?`,
      blog.fresh('replaced'),
      blog.any('posts'),
    );
  },
  'rename a post': ofAnyPost('slug', (blog) => blog.fresh('renamed')),
  'swap two slugs': swap('slug'),
  'swap two dates': swap('published_at'),
  'move a post in time': ofAnyPost('published_at', (blog) => blog.anyTime()),
  'move a post to the future': ofAnyPost('published_at', ({ random }) =>
    timestamp(NOW_UNIX + random.between(1, 40 * DAY), 'Z'),
  ),
  'let a post expire': ofAnyPost('expires_at', ({ random }) =>
    random.pick([null, timestamp(NOW_UNIX + random.between(-40 * DAY, 40 * DAY), 'Z')]),
  ),
  'give another category': ofAnyPost('category_id', (blog) =>
    blog.random.chance(0.2) ? null : blog.any('categories'),
  ),
  'give another author': ofAnyPost('author_id', (blog) =>
    blog.random.chance(0.2) ? null : blog.any('authors'),
  ),
  'edit nothing that is shown': ofAnyPost('source', (blog) => blog.fresh('source')),

  'publish a post': (blog) => {
    const id = blog.pick("SELECT id FROM posts WHERE status IN ('draft', 'archived')");
    blog.run(
      "UPDATE posts SET status = 'published', published_at = coalesce(published_at, ?) WHERE id = ?",
      blog.anyTime(),
      id,
    );
  },
  'make a draft': status('draft'),
  'archive a post': status('archived'),
  'delete a post': (blog) => blog.run('DELETE FROM posts WHERE id = ?', blog.any('posts')),
  'delete several posts': (blog) => blog.run('DELETE FROM posts WHERE id % 19 = ?', blog.random.below(19)),

  'view one post': ofAnyPost('views', ({ random }) => random.below(10_000)),
  'view all posts': (blog) =>
    blog.run('UPDATE posts SET views = views + 1 + (id * 31 + ?) % 7', blog.random.below(100)),
  'forget the views': (blog) => blog.run('UPDATE posts SET views = 0 WHERE id % 3 = ?', blog.random.below(3)),

  'add a tag to a post': (blog) =>
    blog.run(
      'INSERT OR IGNORE INTO post_tags (post_id, tag_id, place) VALUES (?, ?, ?)',
      blog.any('posts'),
      blog.any('tags'),
      blog.random.below(5),
    ),
  'take a tag from a post': (blog) =>
    blog.run(
      'DELETE FROM post_tags WHERE (post_id, tag_id) = (SELECT post_id, max(tag_id) FROM post_tags WHERE post_id = ?)',
      blog.pick('SELECT post_id FROM post_tags'),
    ),
  'reorder the tags of a post': (blog) =>
    blog.run(
      'UPDATE post_tags SET place = (tag_id * ?) % 11 WHERE post_id = ?',
      blog.random.between(1, 10),
      blog.pick('SELECT post_id FROM post_tags'),
    ),
  'move a tag to another post': (blog) =>
    blog.run(
      'UPDATE OR REPLACE post_tags SET post_id = ? WHERE post_id = ?',
      blog.any('posts'),
      blog.pick('SELECT post_id FROM post_tags'),
    ),

  'add a category': (blog) =>
    blog.run('INSERT INTO categories (slug, name) VALUES (?, ?)', blog.fresh('c'), blog.fresh('Category')),
  'add a tag': (blog) =>
    blog.run('INSERT INTO tags (slug, name) VALUES (?, ?)', blog.fresh('t'), blog.fresh('Tag')),
  'add an author': (blog) =>
    blog.run('INSERT INTO authors (username, name) VALUES (?, ?)', blog.fresh('a'), blog.fresh('Author')),
  'rename a category': ofAnyTerm('categories', 'name'),
  'move a category': ofAnyTerm('categories', 'slug'),
  'rename a tag': ofAnyTerm('tags', 'name'),
  'move a tag': ofAnyTerm('tags', 'slug'),
  'give two tags one name': (blog) =>
    blog.run(
      'UPDATE tags SET name = (SELECT name FROM tags WHERE id = ?) WHERE id = ?',
      blog.any('tags'),
      blog.any('tags'),
    ),
  'rename an author': ofAnyTerm('authors', 'name'),
  'move an author': ofAnyTerm('authors', 'username'),
  'give an avatar': (blog) =>
    blog.run(
      'UPDATE authors SET avatar = ? WHERE id = ?',
      blog.random.pick([null, 'https://img.example/me.png']),
      blog.any('authors'),
    ),
  'delete a category': (blog) => blog.run('DELETE FROM categories WHERE id = ?', blog.any('categories')),
  'delete a tag': (blog) => blog.run('DELETE FROM tags WHERE id = ?', blog.any('tags')),
  'delete an author': (blog) => blog.run('DELETE FROM authors WHERE id = ?', blog.any('authors')),

  'delete a category that is in use': withoutForeignKeys((blog) =>
    blog.run('DELETE FROM categories WHERE id = ?', blog.any('categories')),
  ),
  'delete a tag that is in use': withoutForeignKeys((blog) =>
    blog.run('DELETE FROM tags WHERE id = ?', blog.any('tags')),
  ),
  'delete an author that is in use': withoutForeignKeys((blog) =>
    blog.run('DELETE FROM authors WHERE id = ?', blog.any('authors')),
  ),
  'delete a post and leave its tags': withoutForeignKeys((blog) =>
    blog.run('DELETE FROM posts WHERE id = ?', blog.any('posts')),
  ),
  'give a tag another id': withoutForeignKeys((blog) =>
    blog.run('UPDATE tags SET id = ? WHERE id = ?', 100_000 + blog.random.below(1e6), blog.any('tags')),
  ),
  'give a category another id': withoutForeignKeys((blog) =>
    blog.run(
      'UPDATE categories SET id = ? WHERE id = ?',
      100_000 + blog.random.below(1e6),
      blog.any('categories'),
    ),
  ),
  'give a post another id': withoutForeignKeys((blog) =>
    blog.run('UPDATE posts SET id = ? WHERE id = ?', 100_000 + blog.random.below(1e6), blog.any('posts')),
  ),

  'replace a post': (blog) =>
    blog.run(
      'REPLACE INTO posts (id, slug, title, body, status, published_at) SELECT id, slug, ?, body, status, published_at FROM posts WHERE id = ?',
      blog.fresh('Replaced'),
      blog.any('posts'),
    ),
  'replace the site': (blog) =>
    blog.run("REPLACE INTO site (id, name, url) VALUES (1, ?, 'https://bench.example')", blog.fresh('Site')),

  'move the site': (blog) =>
    blog.run('UPDATE site SET url = ?', `https://site${blog.random.below(9)}.example`),
  'rename the site': (blog) => blog.run('UPDATE site SET name = ?', blog.fresh('Site')),
  'move the posts of the site': (blog) =>
    blog.run(
      'UPDATE site SET post_path = ?',
      blog.random.pick(['/posts/{slug}', '/p/{slug}/', '/{year}/{month}/{day}/{slug}', '/{category}/{slug}']),
    ),

  'lose the date of a post': broken('posts', 'published_at', ({ random }) =>
    random.pick(["'yesterday'", "'2024-02-30T10:00:00Z'", "'2024-05-01'", "''", 'NULL']),
  ),
  'lose the slug of a post': broken('posts', 'slug', blanks),
  'lose the title of a post': broken('posts', 'title', blanks),
  'lose the category of a post': broken('posts', 'category_id', () => '999999'),
  'break a title': broken('posts', 'title', invalidUnicode),
  'break a category': broken('categories', 'name', invalidUnicode),
  'break the slug of a tag': broken('tags', 'slug', invalidUnicode),
  'break a tag': broken('tags', 'name', invalidUnicode),
  'lose the slug of a tag': broken('tags', 'slug', blanks),
  'count views below nothing': broken('posts', 'views', () => '-1'),
  'link a tag that is not there': withoutForeignKeys((blog) =>
    blog.run(
      'INSERT OR IGNORE INTO post_tags (post_id, tag_id) VALUES (?, ?)',
      blog.any('posts'),
      999_000 + blog.random.below(3),
    ),
  ),
  'repair what is broken': (blog) => repairAll(blog),

  vacuum: (blog) => blog.db.exec('VACUUM'),
  checkpoint: (blog) => void blog.db.pragma('wal_checkpoint(TRUNCATE)'),
  analyse: (blog) => blog.db.exec('ANALYZE'),
  nothing: () => undefined,
};

const NAMES = Object.keys(EDITS);

const repairs: readonly (readonly [Table, string, string, string])[] = [
  ['posts', 'published_at', 'published_unix IS NULL OR length(published_at) < 20', "'2024-05-01T10:00:00Z'"],
  [
    'posts',
    'published_at',
    'date(substr(published_at, 1, 10)) <> substr(published_at, 1, 10)',
    "'2024-05-02T10:00:00Z'",
  ],
  ['posts', 'slug', "trim(slug) = '' OR hex(slug) GLOB '6162*C328'", "'mended-' || id"],
  ['posts', 'title', "trim(title) = '' OR hex(title) GLOB '6162*C328'", "'Mended ' || id"],
  ['posts', 'body', "hex(body) GLOB '6162*C328'", "'<p>Mended</p>'"],
  ['posts', 'category_id', 'category_id NOT IN (SELECT id FROM categories)', 'NULL'],
  ['posts', 'author_id', 'author_id NOT IN (SELECT id FROM authors)', 'NULL'],
  ['posts', 'views', 'views < 0', '3'],
  ['categories', 'name', "hex(name) GLOB '6162*C328'", "'Mended ' || id"],
  ['categories', 'slug', "trim(slug) = ''", "'mended-' || id"],
  ['tags', 'name', "hex(name) GLOB '6162*C328'", "'Mended ' || id"],
  ['tags', 'slug', "trim(slug) = '' OR hex(slug) GLOB '6162*C328'", "'mended-' || id"],
  ['authors', 'name', "hex(name) GLOB '6162*C328'", "'Mended ' || id"],
];

/** Repairs every broken row. Links to missing tags get their tag. */
function repairAll(blog: EditedBlog): void {
  blog.db.transaction(() => {
    for (const [table, column, fault, value] of repairs) repair(blog, table, column, fault, value);
    blog.run(`INSERT OR IGNORE INTO tags (id, slug, name)
      SELECT DISTINCT tag_id, 'mended-link-' || tag_id, 'Mended link ' || tag_id FROM post_tags
      WHERE tag_id NOT IN (SELECT id FROM tags)`);
  })();
}
