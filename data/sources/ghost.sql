-- Ghost's own SQLite database, versions 5 and 6, as a source (docs/owners/live-database.md). It shows what Ghost
-- shows to everybody: no pages, no drafts, nothing for members, nothing that was sent by e-mail alone.
--
-- Ghost does not keep the site's address in its database: say it as "site": { "url": … } in offprint.json.
-- Change what you like in a copy of this file.

-- The time zone in Ghost's settings gives dates their offset. `{slug}` is where Ghost serves an article,
-- unless its routes.yaml says otherwise.
CREATE TEMP VIEW offprint_site AS
SELECT
  (SELECT value FROM main.settings WHERE key = 'title') AS name,
  (SELECT site_url FROM offprint_settings) AS url,
  '/{slug}/' AS post_path,
  '/tag/{slug}/' AS tag_path,
  (SELECT value FROM main.settings WHERE key = 'timezone') AS time_zone;

-- In Ghost `__GHOST_URL__` stands for the site's address.
CREATE TEMP VIEW offprint_authors AS
SELECT
  id,
  slug AS username,
  name,
  CASE
    WHEN profile_image LIKE '//%' THEN 'https:' || profile_image
    ELSE replace(profile_image, '__GHOST_URL__', coalesce((SELECT site_url FROM offprint_settings), ''))
  END AS avatar
FROM main.users;

-- Internal tags are for the theme.
CREATE TEMP VIEW offprint_tags AS
SELECT id, slug, name
FROM main.tags
WHERE visibility = 'public' AND name NOT LIKE '#%';

CREATE TEMP VIEW offprint_post_tags AS
SELECT links.post_id, links.tag_id, links.sort_order AS place
FROM main.posts_tags AS links
JOIN offprint_tags AS tags ON tags.id = links.tag_id;

-- A post's first author is the one that the API shows. Ghost has no index by post, so all are ordered at once.
CREATE TEMP VIEW ordered_authors AS
SELECT post_id, author_id, row_number() OVER (PARTITION BY post_id ORDER BY sort_order, id) AS place
FROM main.posts_authors;

CREATE TEMP VIEW offprint_posts AS
SELECT
  posts.id,
  posts.slug,
  posts.title,
  posts.custom_excerpt AS description,
  replace(posts.feature_image, '__GHOST_URL__', coalesce((SELECT site_url FROM offprint_settings), '')) AS cover,
  meta.meta_title,
  meta.meta_description,
  authors.author_id,
  posts.status,
  posts.published_at,
  replace(posts.canonical_url, '__GHOST_URL__', coalesce((SELECT site_url FROM offprint_settings), '')) AS url,
  replace(
    offprint_ghost_html(posts.html),
    '__GHOST_URL__', coalesce((SELECT site_url FROM offprint_settings), '')
  ) AS body
FROM main.posts AS posts
LEFT JOIN main.posts_meta AS meta ON meta.post_id = posts.id
LEFT JOIN ordered_authors AS authors ON authors.post_id = posts.id AND authors.place = 1
WHERE posts.type = 'post' AND posts.status IN ('published', 'scheduled') AND posts.visibility = 'public'
  AND coalesce(meta.email_only, 0) = 0;
