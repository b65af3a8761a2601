-- What an import said of the site, and what its format wants to be told at the next one.
ALTER TABLE origins ADD COLUMN site_name TEXT;
ALTER TABLE origins ADD COLUMN site_url TEXT;
ALTER TABLE origins ADD COLUMN state TEXT;

-- When each import that `offprint.json` names was done last.
CREATE TABLE imports (
  setting     TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  imported_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
