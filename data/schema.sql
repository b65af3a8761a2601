-- The blog's database: what Offprint publishes, and who may read it.
--
-- Any program may write here (importers, a CMS, the sqlite3 shell). Constraints check each row, and
-- triggers update `revision`. So a build knows what changed since the last one, whoever wrote it.
-- The build never writes.
--
-- Who writes: switch foreign keys on (PRAGMA foreign_keys = ON), keep transactions short, and run `build` after changes of
-- keys, since gateways read them from its output.

PRAGMA application_id = 1330004080; -- "OFpp": tells this database from any other SQLite file
PRAGMA user_version = 7;            -- the schema's version; data/migrations.ts has the steps from earlier ones

-- ------------------------------------------------------------------------------------ change tracking

-- One row. `content` rises with every change of published data, except view counts. These only raise
-- `views`, because they change all the time.
--
-- Both rise by a random step. So a database that was restored from a backup and then edited does not
-- reach a number that an earlier build has seen with other content. Steps of up to 2^24 allow at least
-- 500 million changes below 2^53, the limit of exact integers in JavaScript.
CREATE TABLE revision (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  content INTEGER NOT NULL,
  views   INTEGER NOT NULL
) STRICT;

INSERT INTO revision (id, content, views) VALUES (1, 1 + (random() & 0xFFFFFF), 1);

-- ------------------------------------------------------------------------------------------- the site

-- One row. `offprint.json` overrides what it sets.
CREATE TABLE site (
  id            INTEGER PRIMARY KEY CHECK (id = 1),
  name          TEXT NOT NULL DEFAULT 'Blog',
  url           TEXT NOT NULL DEFAULT 'https://blog.example' -- scheme and host, without a trailing slash
                CHECK (url GLOB 'http://?*' OR url GLOB 'https://?*'),
  post_path     TEXT NOT NULL DEFAULT '/posts/{slug}'      CHECK (instr(post_path, '{slug}')),
  category_path TEXT NOT NULL DEFAULT '/categories/{slug}' CHECK (instr(category_path, '{slug}')),
  tag_path      TEXT NOT NULL DEFAULT '/tags/{slug}'       CHECK (instr(tag_path, '{slug}'))
) STRICT;

INSERT INTO site (id) VALUES (1);

-- One row, created with the database. It identifies the blog, in builds and in buckets.
CREATE TABLE blog (
  id  INTEGER PRIMARY KEY CHECK (id = 1),
  uid TEXT NOT NULL CHECK (uid <> '')
) STRICT;

INSERT INTO blog (id, uid) VALUES (1, lower(hex(randomblob(8))));

-- -------------------------------------------------------------------------- authors, categories, tags

CREATE TABLE authors (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL UNIQUE CHECK (trim(username) <> ''),
  name     TEXT NOT NULL CHECK (trim(name) <> ''),
  avatar   TEXT,                        -- URL of an image
  revision INTEGER NOT NULL DEFAULT 0   -- set by triggers
) STRICT;

CREATE TABLE categories (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  slug     TEXT NOT NULL UNIQUE CHECK (trim(slug) <> ''),
  name     TEXT NOT NULL CHECK (trim(name) <> ''),
  revision INTEGER NOT NULL DEFAULT 0   -- set by triggers
) STRICT;

CREATE TABLE tags (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  slug     TEXT NOT NULL UNIQUE CHECK (trim(slug) <> ''),
  name     TEXT NOT NULL CHECK (trim(name) <> ''),
  revision INTEGER NOT NULL DEFAULT 0   -- set by triggers
) STRICT;

-- ---------------------------------------------------------------------------------------------- posts

CREATE TABLE posts (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  slug             TEXT NOT NULL UNIQUE CHECK (trim(slug) <> ''),
  title            TEXT NOT NULL CHECK (trim(title) <> ''),
  description      TEXT,                      -- plain text
  cover            TEXT,                      -- URL of an image, or a path on the site
  meta_title       TEXT,                      -- for search engines
  meta_description TEXT,
  category_id      INTEGER REFERENCES categories (id) ON DELETE SET NULL,
  author_id        INTEGER REFERENCES authors (id) ON DELETE SET NULL,

  -- `scheduled` and `published` mean the same: the post is shown from `published_at` on. A scheduled post
  -- needs no edit at its time.
  status           TEXT NOT NULL DEFAULT 'draft'
                   CHECK (status IN ('draft', 'scheduled', 'published', 'archived')),
  published_at     TEXT                       -- such as 2026-05-01T09:30:00+02:00: with seconds and an offset
                   CHECK (published_at IS NULL OR (
                     (published_at GLOB '????-??-??T??:??:??[+-]??:??' OR published_at GLOB '????-??-??T??:??:??Z')
                     AND unixepoch(published_at) IS NOT NULL
                     AND date(substr(published_at, 1, 10)) = substr(published_at, 1, 10))),
  published_unix   INTEGER GENERATED ALWAYS AS (unixepoch(published_at)) VIRTUAL,

  url              TEXT,                      -- its own address, if it differs from the site's path pattern
  views            INTEGER NOT NULL DEFAULT 0 CHECK (views >= 0),
  source           TEXT UNIQUE,               -- where an importer found it, to recognise it later
  revision         INTEGER NOT NULL DEFAULT 0, -- set by triggers

  -- Unsanitised HTML; the build sanitises it. Near the end, because it is long: SQLite must read past it to
  -- reach later columns.
  body             TEXT NOT NULL DEFAULT '',

  -- The post is shown until then; null: forever. Builds read it only from its index.
  expires_at       TEXT                       -- in the format of published_at
                   CHECK (expires_at IS NULL OR (
                     (expires_at GLOB '????-??-??T??:??:??[+-]??:??' OR expires_at GLOB '????-??-??T??:??:??Z')
                     AND unixepoch(expires_at) IS NOT NULL
                     AND date(substr(expires_at, 1, 10)) = substr(expires_at, 1, 10))),
  expires_unix     INTEGER GENERATED ALWAYS AS (unixepoch(expires_at)) VIRTUAL,

  -- When it was changed last, if its source says so. Builds read it only from its index.
  updated_at       TEXT                       -- in the format of published_at
                   CHECK (updated_at IS NULL OR (
                     (updated_at GLOB '????-??-??T??:??:??[+-]??:??' OR updated_at GLOB '????-??-??T??:??:??Z')
                     AND unixepoch(updated_at) IS NOT NULL
                     AND date(substr(updated_at, 1, 10)) = substr(updated_at, 1, 10))),

  CHECK (status NOT IN ('scheduled', 'published') OR published_at IS NOT NULL)
) STRICT;

-- The order of published posts; a post's place in it is its position. The index covers all columns that a
-- build reads of every post, so that it does not read the texts of unchanged posts.
CREATE INDEX posts_in_order
  ON posts (published_unix, slug, status, revision, views, category_id, author_id);
-- Posts that expire.
CREATE INDEX posts_expiring ON posts (expires_unix) WHERE expires_unix IS NOT NULL;
-- When posts were changed, without reading past their texts.
CREATE INDEX posts_updates ON posts (id, updated_at) WHERE updated_at IS NOT NULL;
-- Posts that changed since a build.
CREATE INDEX posts_by_revision ON posts (revision);
CREATE INDEX posts_of_category ON posts (category_id);
CREATE INDEX posts_of_author ON posts (author_id);

CREATE TABLE post_tags (
  post_id INTEGER NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  tag_id  INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
  place   INTEGER NOT NULL DEFAULT 0, -- order of a post's tags; equal places are sorted by name
  PRIMARY KEY (post_id, tag_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX posts_of_tag ON post_tags (tag_id);

-- Slugs under which posts were public earlier, recorded by triggers. Each leads to the last post that had it, unless a
-- public post has it now. No foreign key: it would lose the slugs of a replaced row.
CREATE TABLE former_slugs (
  slug    TEXT PRIMARY KEY CHECK (trim(slug) <> ''),
  post_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX former_slugs_of_post ON former_slugs (post_id);

-- ------------------------------------------------------------------ where imported posts came from

-- One row for each blog that was imported: a folder of Markdown, a site of WordPress, a database of Ghost.
CREATE TABLE origins (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  format TEXT NOT NULL,             -- as in the command `import`, such as `markdown`
  name   TEXT NOT NULL CHECK (trim(name) <> '' AND instr(name, '/') = 0), -- shown to people; `import --name`
  key    TEXT,                      -- where it was found last: the folder, the site's address, or Ghost's id
  prefix TEXT NOT NULL DEFAULT '',  -- in `posts.source` after `format:`, because two folders may have equal paths
  site_name TEXT,                   -- what its last import set in `site`; a different value there is the owner's
  site_url  TEXT,
  state     TEXT,                   -- the format's own state for the next import
  UNIQUE (format, name)
) STRICT;

-- Posts without a row were written by hand. A separate table, because none of this is published, so changes
-- must not raise a revision.
CREATE TABLE post_origins (
  post_id   INTEGER PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  origin_id INTEGER NOT NULL REFERENCES origins (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX posts_of_origin ON post_origins (origin_id);

-- The last run of each import in `offprint.json`.
CREATE TABLE imports (
  setting     TEXT PRIMARY KEY,     -- the import's settings, as JSON
  fingerprint TEXT NOT NULL,        -- of its files at that time: paths, sizes, modification times
  imported_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Withdrawn articles. No import publishes them, even if they are public at their source.
CREATE TABLE withdrawals (
  slug         TEXT PRIMARY KEY,
  post_id      INTEGER,             -- its row in `posts`, whose slug may change later
  status       TEXT,                -- its status before, which `withdraw --undo` restores
  withdrawn_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- ----------------------------------------------------------------------- triggers that set `revision`

-- A row's `revision` is the value of `revision.content` at its last change. A post shows its author, category
-- and tags, so their changes also set the post's revision. Other writers cannot set it: they get an error.

CREATE TRIGGER site_updated AFTER UPDATE ON site BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
END;
CREATE TRIGGER site_kept BEFORE DELETE ON site BEGIN
  SELECT RAISE(ABORT, 'the site row cannot be deleted; update it');
END;

CREATE TRIGGER authors_inserted AFTER INSERT ON authors BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE authors SET revision = (SELECT content FROM revision) WHERE id = NEW.id;
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE author_id = NEW.id;
END;
CREATE TRIGGER authors_updated AFTER UPDATE OF id, username, name, avatar ON authors BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE authors SET revision = (SELECT content FROM revision) WHERE id = NEW.id;
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE author_id IN (OLD.id, NEW.id);
END;
CREATE TRIGGER authors_deleted AFTER DELETE ON authors BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE author_id = OLD.id;
END;
CREATE TRIGGER authors_revision BEFORE UPDATE OF revision ON authors
WHEN NEW.revision IS NOT (SELECT content FROM revision) BEGIN
  SELECT RAISE(ABORT, 'revision is set by triggers alone');
END;

CREATE TRIGGER categories_inserted AFTER INSERT ON categories BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE categories SET revision = (SELECT content FROM revision) WHERE id = NEW.id;
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE category_id = NEW.id;
END;
CREATE TRIGGER categories_updated AFTER UPDATE OF id, slug, name ON categories BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE categories SET revision = (SELECT content FROM revision) WHERE id = NEW.id;
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE category_id IN (OLD.id, NEW.id);
END;
CREATE TRIGGER categories_deleted AFTER DELETE ON categories BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE category_id = OLD.id;
END;
CREATE TRIGGER categories_revision BEFORE UPDATE OF revision ON categories
WHEN NEW.revision IS NOT (SELECT content FROM revision) BEGIN
  SELECT RAISE(ABORT, 'revision is set by triggers alone');
END;

CREATE TRIGGER tags_inserted AFTER INSERT ON tags BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE tags SET revision = (SELECT content FROM revision) WHERE id = NEW.id;
  UPDATE posts SET revision = (SELECT content FROM revision)
  WHERE id IN (SELECT post_id FROM post_tags WHERE tag_id = NEW.id);
END;
CREATE TRIGGER tags_updated AFTER UPDATE OF id, slug, name ON tags BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE tags SET revision = (SELECT content FROM revision) WHERE id = NEW.id;
  UPDATE posts SET revision = (SELECT content FROM revision)
  WHERE id IN (SELECT post_id FROM post_tags WHERE tag_id IN (OLD.id, NEW.id));
END;
CREATE TRIGGER tags_deleted AFTER DELETE ON tags BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision)
  WHERE id IN (SELECT post_id FROM post_tags WHERE tag_id = OLD.id);
END;
CREATE TRIGGER tags_revision BEFORE UPDATE OF revision ON tags
WHEN NEW.revision IS NOT (SELECT content FROM revision) BEGIN
  SELECT RAISE(ABORT, 'revision is set by triggers alone');
END;

CREATE TRIGGER posts_inserted AFTER INSERT ON posts BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE id = NEW.id;
END;
-- Every column except `views` and `revision`; a test compares this list with the table.
CREATE TRIGGER posts_updated AFTER UPDATE OF id, slug, title, body, description, cover, meta_title,
  meta_description, category_id, author_id, status, published_at, url, source, expires_at, updated_at ON posts BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE id = NEW.id;
END;
CREATE TRIGGER posts_viewed AFTER UPDATE OF views ON posts WHEN NEW.views IS NOT OLD.views BEGIN
  UPDATE revision SET views = views + 1 + (random() & 0xFFFFFF);
END;
CREATE TRIGGER posts_deleted AFTER DELETE ON posts BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
END;
CREATE TRIGGER posts_revision BEFORE UPDATE OF revision ON posts
WHEN NEW.revision IS NOT (SELECT content FROM revision) BEGIN
  SELECT RAISE(ABORT, 'revision is set by triggers alone');
END;

-- A post's tags are part of the post.
CREATE TRIGGER post_tags_inserted AFTER INSERT ON post_tags BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE id = NEW.post_id;
END;
CREATE TRIGGER post_tags_updated AFTER UPDATE ON post_tags BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE id IN (OLD.post_id, NEW.post_id);
END;
CREATE TRIGGER post_tags_deleted AFTER DELETE ON post_tags BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE id = OLD.post_id;
END;

-- ------------------------------------------------------------------------ triggers for former slugs

-- A post leaves a slug when it gets another one, or stops being public: its slug may change later. Only slugs under
-- which it was public are recorded. A slug with a slash cannot be public.
CREATE TRIGGER posts_moved AFTER UPDATE OF slug, status, published_at ON posts
WHEN OLD.status IN ('published', 'scheduled') AND OLD.published_unix <= unixepoch() AND instr(OLD.slug, '/') = 0
  AND trim(OLD.slug) <> ''
  AND (NEW.slug <> OLD.slug OR NEW.status NOT IN ('published', 'scheduled') OR NEW.published_unix > unixepoch())
  AND NOT EXISTS (SELECT 1 FROM withdrawals WHERE slug = OLD.slug OR post_id = OLD.id) BEGIN
  DELETE FROM former_slugs WHERE slug = OLD.slug;
  INSERT INTO former_slugs VALUES (OLD.slug, NEW.id);
END;
-- For a replaced row, SQLite runs no trigger of updates.
CREATE TRIGGER posts_replaced BEFORE INSERT ON posts
WHEN EXISTS (SELECT 1 FROM posts WHERE id = NEW.id AND slug <> NEW.slug) BEGIN
  DELETE FROM former_slugs WHERE slug = (SELECT slug FROM posts WHERE id = NEW.id);
  INSERT INTO former_slugs SELECT slug, id FROM posts
  WHERE id = NEW.id AND status IN ('published', 'scheduled') AND published_unix <= unixepoch() AND instr(slug, '/') = 0
    AND trim(slug) <> ''
    AND NOT EXISTS (SELECT 1 FROM withdrawals WHERE slug = posts.slug OR post_id = posts.id);
END;
CREATE TRIGGER posts_gone AFTER DELETE ON posts BEGIN
  DELETE FROM former_slugs WHERE post_id = OLD.id;
END;

-- A post's former slugs are part of the post.
CREATE TRIGGER former_slugs_inserted AFTER INSERT ON former_slugs BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE id = NEW.post_id;
END;
CREATE TRIGGER former_slugs_updated AFTER UPDATE ON former_slugs BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE id IN (OLD.post_id, NEW.post_id);
END;
CREATE TRIGGER former_slugs_deleted AFTER DELETE ON former_slugs BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE id = OLD.post_id;
END;

-- -------------------------------------------------------------------------------------------- API keys

-- The daily limit belongs to the account, however many keys it has.
CREATE TABLE accounts (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (trim(name) <> ''),
  -- The form in which names are compared (data/accounts/account-name.ts), set by the commands "keys" and
  -- "accounts". SQLite cannot compute it: builds refuse an account with another one.
  folded TEXT,
  plan       TEXT NOT NULL DEFAULT 'user'  -- its limits: a name in `limits` of offprint.json
             CHECK (trim(plan) <> '' AND plan <> 'address'),
  removed_at TEXT                          -- its keys are revoked; the row stays: re-creating the account keeps its counts
) STRICT;

CREATE UNIQUE INDEX accounts_by_folded ON accounts (folded);

-- Only the SHA-256 of a key is stored.
CREATE TABLE api_keys (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name       TEXT NOT NULL CHECK (trim(name) <> ''),
  prefix     TEXT NOT NULL UNIQUE,        -- opk_ and the 8 characters of its public id
  sha256     TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64), -- of the whole key, in hex
  scopes     TEXT NOT NULL CHECK (json_valid(scopes) AND json_type(scopes) = 'array'),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  revoked_at TEXT,
  expires_at TEXT CHECK (expires_at IS NULL OR unixepoch(expires_at) IS NOT NULL), -- refused from then on
  replaced_by TEXT                        -- prefix of the key that `keys rotate` made; it works on for a while
) STRICT;
