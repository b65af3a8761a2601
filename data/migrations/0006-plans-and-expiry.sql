-- Plans instead of roles, accounts that are removed, and keys that expire.
ALTER TABLE accounts ADD plan TEXT NOT NULL DEFAULT 'user' CHECK (trim(plan) <> '' AND plan <> 'address');
UPDATE accounts SET plan = role;
ALTER TABLE accounts DROP COLUMN role;
ALTER TABLE accounts ADD removed_at TEXT;
ALTER TABLE api_keys ADD expires_at TEXT CHECK (expires_at IS NULL OR unixepoch(expires_at) IS NOT NULL);
ALTER TABLE api_keys ADD replaced_by TEXT;
