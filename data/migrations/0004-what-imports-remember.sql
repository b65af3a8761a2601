-- What an import said of the site, and what its format wants to be told at the next one.
ALTER TABLE origins ADD COLUMN site_name TEXT;
ALTER TABLE origins ADD COLUMN site_url TEXT;
ALTER TABLE origins ADD COLUMN state TEXT;
