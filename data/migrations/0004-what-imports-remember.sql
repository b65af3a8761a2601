-- The site's name and address from the last import, and the format's own state for the next one.
ALTER TABLE origins ADD COLUMN site_name TEXT;
ALTER TABLE origins ADD COLUMN site_url TEXT;
ALTER TABLE origins ADD COLUMN state TEXT;

-- The last run of each import in `offprint.json`.
CREATE TABLE imports (
  setting     TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  imported_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
