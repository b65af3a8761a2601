-- Ghost's own SQLite database, versions 5 and 6, as a source (docs/owners/live-database.md). It gives the posts
-- that Ghost shows to everybody: no pages, no drafts, nothing for members, nothing sent only by e-mail.
--
-- The site's address is not in Ghost's database: set "site": { "url": … } in offprint.json.
-- To change these views, edit a copy of this file.

-- The time zone in Ghost's settings gives dates their offset. The paths are Ghost's defaults; change them
-- if its routes.yaml has others.
CREATE TEMP VIEW offprint_site AS
SELECT
  (SELECT value FROM main.settings WHERE key = 'title') AS name,
  (SELECT site_url FROM offprint_settings) AS url,
  '/{slug}/' AS post_path,
  '/tag/{slug}/' AS tag_path,
  (SELECT value FROM main.settings WHERE key = 'timezone') AS time_zone;

-- `__GHOST_URL__` is Ghost's placeholder for the site's address.
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

-- Without internal tags, which only themes use.
CREATE TEMP VIEW offprint_tags AS
SELECT id, slug, name
FROM main.tags
WHERE visibility = 'public' AND name NOT LIKE '#%';

CREATE TEMP VIEW offprint_post_tags AS
SELECT links.post_id, links.tag_id, links.sort_order AS place
FROM main.posts_tags AS links
JOIN offprint_tags AS tags ON tags.id = links.tag_id;

-- The API shows a post's first author. Ghost has no index by post, so one query sorts all of them.
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
  posts.updated_at,
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
