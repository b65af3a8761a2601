-- Published content, as temporary tables over the blog's own database. This is plain SQL with four
-- functions: `fold` folds case, `segment` percent-encodes one segment of a path, `href` serialises an
-- address by the URL standard (which encodes non-ASCII letters), and `excerpt` takes a description from
-- a body.

CREATE TEMP TABLE shown AS
WITH dated AS (
  -- With an offset, as the interface requires; ISO 8601 has no -00:00.
  SELECT id, CASE
    WHEN published_at GLOB '*Z' THEN replace(published_at, 'Z', '+00:00')
    ELSE replace(published_at, '-00:00', '+00:00')
  END AS published_at
  FROM posts
), described AS MATERIALIZED (
  SELECT id, coalesce(description, excerpt(body)) AS description FROM posts
)
SELECT
  p.id,
  p.published_unix AS moment,
  p.slug,
  p.views,
  p.category_id,
  p.author_id,
  p.body,
  fold(p.title) AS folded_title,
  fold(described.description) AS folded_description,
  json_object(
    'slug', p.slug,
    'title', p.title,
    'description', described.description,
    'cover', href(CASE WHEN p.cover GLOB '/[^/]*' THEN site.url || p.cover ELSE p.cover END),
    'views', p.views,
    'tags', json(tags.names),
    'category', json((SELECT json_object('name', c.name, 'slug', c.slug) FROM categories c WHERE c.id = p.category_id)),
    'author', json((SELECT json_object('name', a.name, 'username', a.username) FROM authors a WHERE a.id = p.author_id)),
    'url', CASE
      WHEN p.url GLOB '/*' THEN href(site.url || p.url)
      WHEN p.url IS NOT NULL THEN href(p.url)
      ELSE site.url || replace(site.post_path, '{slug}', segment(p.slug))
    END,
    'published_at', dated.published_at
  ) AS summary,
  json_object(
    'slug', p.slug,
    'title', p.title,
    'tags', json(tags.names),
    'seo', json_object('meta_title', p.meta_title, 'meta_description', p.meta_description),
    'published_at', dated.published_at
  ) AS detail_without_content
FROM posts p
JOIN dated USING (id)
JOIN described USING (id)
CROSS JOIN site
JOIN (
  SELECT each.id, (
    SELECT json_group_array(t.name ORDER BY pt.place, t.name)
    FROM post_tags pt JOIN tags t ON t.id = pt.tag_id
    WHERE pt.post_id = each.id
  ) AS names
  FROM posts each
) AS tags ON tags.id = p.id
WHERE p.status IN ('scheduled', 'published') AND p.published_unix <= unixepoch('now')
  AND (p.expires_unix IS NULL OR p.expires_unix > unixepoch('now'));

CREATE TEMP TABLE shown_tags AS
SELECT
  shown.id AS post_id,
  t.id AS tag_id,
  t.slug,
  fold(t.name) AS folded_name,
  fold(t.slug) AS folded_slug,
  replace(fold(t.name), ' ', '-') AS hyphened_name
FROM shown JOIN post_tags pt ON pt.post_id = shown.id JOIN tags t ON t.id = pt.tag_id;

CREATE INDEX temp.tags_of_shown ON shown_tags (post_id);
