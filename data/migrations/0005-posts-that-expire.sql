-- When a post expires.
ALTER TABLE posts ADD COLUMN expires_at TEXT
  CHECK (expires_at IS NULL OR (
    (expires_at GLOB '????-??-??T??:??:??[+-]??:??' OR expires_at GLOB '????-??-??T??:??:??Z')
    AND unixepoch(expires_at) IS NOT NULL
    AND date(substr(expires_at, 1, 10)) = substr(expires_at, 1, 10)));
ALTER TABLE posts ADD COLUMN expires_unix INTEGER GENERATED ALWAYS AS (unixepoch(expires_at)) VIRTUAL;

CREATE INDEX posts_expiring ON posts (expires_unix) WHERE expires_unix IS NOT NULL;

DROP TRIGGER posts_updated;
CREATE TRIGGER posts_updated AFTER UPDATE OF id, slug, title, body, description, cover, meta_title,
  meta_description, category_id, author_id, status, published_at, url, source, expires_at ON posts BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE id = NEW.id;
END;
