-- The content of a blog that a build exports, as temporary tables over the blog's own database.
-- `@now` is in Unix seconds. Only blank, utf8, segment (percent-encodes) and excerpt are not SQLite's own functions.

CREATE TEMP TABLE good_categories AS
SELECT * FROM categories
WHERE NOT blank(slug) AND utf8(CAST(slug AS BLOB)) AND utf8(CAST(name AS BLOB))
  AND length(slug) <= 200 AND slug NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*';

CREATE TEMP TABLE good_tags AS
SELECT * FROM tags
WHERE NOT blank(slug) AND utf8(CAST(slug AS BLOB)) AND utf8(CAST(name AS BLOB))
  AND length(slug) <= 200 AND slug NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
  AND length(name) <= 200 AND name NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*';

CREATE TEMP TABLE good_authors AS
SELECT * FROM authors
WHERE NOT blank(username) AND utf8(CAST(username AS BLOB)) AND utf8(CAST(name AS BLOB))
  AND utf8(CAST(avatar AS BLOB))
  AND length(username) <= 200 AND username NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
  AND username NOT IN ('.', '..') AND NOT instr(username, '/');

CREATE TEMP TABLE good_posts AS
SELECT * FROM posts
WHERE status IN ('published', 'scheduled')
  AND published_unix <= @now
  AND (expires_unix IS NULL OR expires_unix > @now)
  AND (published_at GLOB '????-??-??T??:??:??[+-]??:??' OR published_at GLOB '????-??-??T??:??:??Z')
  AND date(substr(published_at, 1, 10)) = substr(published_at, 1, 10)
  AND NOT blank(slug) AND NOT blank(title)
  AND length(slug) <= 1000 AND slug NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
  AND slug NOT IN ('.', '..') AND NOT instr(slug, '/')
  AND length(CAST(body AS BLOB)) <= 2000000
  AND (category_id IS NULL OR category_id IN (SELECT id FROM good_categories))
  AND (author_id IS NULL OR author_id IN (SELECT id FROM good_authors))
  AND utf8(CAST(slug AS BLOB)) AND utf8(CAST(title AS BLOB)) AND utf8(CAST(body AS BLOB))
  AND utf8(CAST(description AS BLOB)) AND utf8(CAST(cover AS BLOB)) AND utf8(CAST(url AS BLOB))
  AND utf8(CAST(meta_title AS BLOB)) AND utf8(CAST(meta_description AS BLOB));

CREATE TEMP TABLE shown AS
SELECT
  p.id, p.slug, max(p.views, 0) AS views, p.published_unix, p.category_id, p.author_id,
  json_patch(json_object(
    'slug', p.slug,
    'title', p.title,
    'description', iif(p.description IS NULL OR blank(p.description), excerpt(p.body), p.description),
    'cover', CASE
      WHEN blank(p.cover) THEN NULL
      WHEN p.cover GLOB '/[^/]*' THEN site.url || p.cover
      ELSE p.cover
    END,
    'views', max(p.views, 0),
    'tags', json(tags.names),
    'category', json((SELECT json_object('name', name, 'slug', slug) FROM good_categories WHERE id = p.category_id)),
    'author', json((SELECT json_object('name', name, 'username', username) FROM good_authors WHERE id = p.author_id)),
    'url', coalesce(p.url, site.url || replace(replace(replace(replace(replace(
        iif(p.category_id IS NULL, replace(site.post_path, '/{category}', ''), site.post_path),
        '{slug}', segment(p.slug)),
        '{category}', segment((SELECT slug FROM good_categories WHERE id = p.category_id))),
        '{year}', substr(p.published_at, 1, 4)), '{month}', substr(p.published_at, 6, 2)), '{day}', substr(p.published_at, 9, 2))),
    'published_at', substr(p.published_at, 1, 19) || replace(substr(p.published_at, 20), 'Z', '+00:00'),
    'updated_at', CASE
      WHEN (p.updated_at GLOB '????-??-??T??:??:??[+-]??:??' OR p.updated_at GLOB '????-??-??T??:??:??Z')
        AND date(substr(p.updated_at, 1, 10)) = substr(p.updated_at, 1, 10) AND unixepoch(p.updated_at) IS NOT NULL
      THEN substr(p.updated_at, 1, 19) || replace(substr(p.updated_at, 20), 'Z', '+00:00')
    END
  ), iif(former.slugs = '[]', '{}', json_object('former_slugs', json(former.slugs)))) AS summary,
  json_object(
    'slug', p.slug,
    'title', p.title,
    'content', p.body,
    'tags', json(tags.names),
    'seo', json_object(
      'meta_title', iif(blank(p.meta_title), NULL, p.meta_title),
      'meta_description', iif(blank(p.meta_description), NULL, p.meta_description)),
    'published_at', substr(p.published_at, 1, 19) || replace(substr(p.published_at, 20), 'Z', '+00:00')
  ) AS detail
FROM good_posts p
CROSS JOIN site
JOIN (
  SELECT each.id, (
    SELECT json_group_array(t.name ORDER BY pt.place, t.name, t.id)
    FROM post_tags pt JOIN good_tags t ON t.id = pt.tag_id
    WHERE pt.post_id = each.id
  ) AS names
  FROM good_posts each
) AS tags ON tags.id = p.id
JOIN (
  SELECT each.id, (
    SELECT json_group_array(f.slug ORDER BY f.slug) FROM former_slugs f
    WHERE f.post_id = each.id AND f.slug <> each.slug AND f.slug NOT IN ('.', '..') AND NOT instr(f.slug, '/')
      AND length(f.slug) <= 1000
      AND f.slug NOT GLOB '*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || ']*'
  ) AS slugs
  FROM good_posts each
) AS former ON former.id = p.id;

CREATE TEMP TABLE listed_categories AS
SELECT c.name, c.slug, json_object(
  'name', c.name,
  'slug', c.slug,
  'posts_count', (SELECT count(*) FROM shown WHERE category_id = c.id),
  'url', site.url || replace(site.category_path, '{slug}', segment(c.slug))) AS record
FROM good_categories c CROSS JOIN site;

CREATE TEMP TABLE listed_tags AS
SELECT t.name, t.slug, counted.posts, json_object(
  'name', t.name,
  'slug', t.slug,
  'posts_count', counted.posts,
  'url', site.url || replace(site.tag_path, '{slug}', segment(t.slug))) AS record
FROM good_tags t
CROSS JOIN site
JOIN (
  SELECT pt.tag_id, count(*) AS posts FROM post_tags pt JOIN shown ON shown.id = pt.post_id GROUP BY pt.tag_id
) AS counted ON counted.tag_id = t.id;

CREATE TEMP TABLE listed_authors AS
SELECT a.id, a.username, counted.posts, json_object(
  'name', a.name,
  'username', a.username,
  'avatar', iif(blank(a.avatar), NULL, a.avatar),
  'posts_count', counted.posts) AS record
FROM good_authors a
JOIN (SELECT author_id, count(*) AS posts FROM shown GROUP BY author_id) AS counted ON counted.author_id = a.id;
