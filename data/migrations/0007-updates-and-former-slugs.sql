-- When a post was changed, and its former slugs.
ALTER TABLE posts ADD COLUMN updated_at TEXT
  CHECK (updated_at IS NULL OR (
    (updated_at GLOB '????-??-??T??:??:??[+-]??:??' OR updated_at GLOB '????-??-??T??:??:??Z')
    AND unixepoch(updated_at) IS NOT NULL
    AND date(substr(updated_at, 1, 10)) = substr(updated_at, 1, 10)));

CREATE INDEX posts_updates ON posts (id, updated_at) WHERE updated_at IS NOT NULL;

DROP TRIGGER posts_updated;
CREATE TRIGGER posts_updated AFTER UPDATE OF id, slug, title, body, description, cover, meta_title,
  meta_description, category_id, author_id, status, published_at, url, source, expires_at, updated_at ON posts BEGIN
  UPDATE revision SET content = content + 1 + (random() & 0xFFFFFF);
  UPDATE posts SET revision = (SELECT content FROM revision) WHERE id = NEW.id;
END;

-- Imports read everything once more, to fill in updated_at.
DELETE FROM imports;
UPDATE origins SET state = NULL;

CREATE TABLE former_slugs (
  slug    TEXT PRIMARY KEY CHECK (trim(slug) <> ''),
  post_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX former_slugs_of_post ON former_slugs (post_id);

CREATE TRIGGER posts_moved AFTER UPDATE OF slug, status, published_at ON posts
WHEN OLD.status IN ('published', 'scheduled') AND OLD.published_unix <= unixepoch() AND instr(OLD.slug, '/') = 0
  AND trim(OLD.slug) <> ''
  AND (NEW.slug <> OLD.slug OR NEW.status NOT IN ('published', 'scheduled') OR NEW.published_unix > unixepoch())
  AND NOT EXISTS (SELECT 1 FROM withdrawals WHERE slug = OLD.slug OR post_id = OLD.id) BEGIN
  DELETE FROM former_slugs WHERE slug = OLD.slug;
  INSERT INTO former_slugs VALUES (OLD.slug, NEW.id);
END;
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
