-- The form in which account names are compared; data/accounts/accounts.ts fills it in.
ALTER TABLE accounts ADD COLUMN folded TEXT;
CREATE UNIQUE INDEX accounts_by_folded ON accounts (folded);

-- The id of the blog.
CREATE TABLE blog (
  id  INTEGER PRIMARY KEY CHECK (id = 1),
  uid TEXT NOT NULL CHECK (uid <> '')
) STRICT;

INSERT INTO blog (id, uid) VALUES (1, lower(hex(randomblob(8))));
