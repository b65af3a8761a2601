-- Offprint's own schema as a live database, to compare a build through views with one without.
CREATE TEMP VIEW offprint_site AS SELECT name, url, post_path, category_path, tag_path FROM main.site;
CREATE TEMP VIEW offprint_authors AS SELECT id, username, name, avatar FROM main.authors;
CREATE TEMP VIEW offprint_categories AS SELECT id, slug, name FROM main.categories;
CREATE TEMP VIEW offprint_tags AS SELECT id, slug, name FROM main.tags;
CREATE TEMP VIEW offprint_post_tags AS SELECT post_id, tag_id, place FROM main.post_tags;
CREATE TEMP VIEW offprint_posts AS
SELECT id, slug, title, description, cover, meta_title, meta_description, category_id, author_id, status,
  -- A day without a time is a valid date in live databases, but not in this schema.
  CASE WHEN published_at NOT GLOB '????-??-??' THEN published_at END AS published_at,
  expires_at, updated_at, url, views, body
FROM main.posts;
