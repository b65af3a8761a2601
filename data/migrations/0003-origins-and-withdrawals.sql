-- The blogs that imported posts came from.
CREATE TABLE origins (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  format TEXT NOT NULL,
  name   TEXT NOT NULL CHECK (trim(name) <> '' AND instr(name, '/') = 0),
  key    TEXT,
  prefix TEXT NOT NULL DEFAULT '',
  UNIQUE (format, name)
) STRICT;

CREATE TABLE post_origins (
  post_id   INTEGER PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  origin_id INTEGER NOT NULL REFERENCES origins (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX posts_of_origin ON post_origins (origin_id);

-- Withdrawn articles.
CREATE TABLE withdrawals (
  slug         TEXT PRIMARY KEY,
  post_id      INTEGER,
  status       TEXT,
  withdrawn_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
