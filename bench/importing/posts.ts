import Database from 'better-sqlite3';
import * as v from 'valibot';

const row = v.object({
  source: v.string(),
  slug: v.string(),
  title: v.string(),
  status: v.string(),
  published_at: v.nullable(v.string()),
  url: v.nullable(v.string()),
  description: v.nullable(v.string()),
  cover: v.nullable(v.string()),
  category: v.nullable(v.string()),
  tags: v.string(),
  body: v.string(),
});

export type PostRow = v.InferOutput<typeof row>;

/** The posts of a blog's database, of this version or an earlier one. */
export function readPosts(db: string): readonly PostRow[] {
  return withDatabase(db, (open) =>
    v.parse(
      v.array(row),
      open
        .prepare(
          `SELECT source, slug, title, status, published_at, url, description, cover, body,
             (SELECT name FROM categories WHERE id = category_id) AS category,
             coalesce((SELECT group_concat(name, ', ') FROM (SELECT name FROM post_tags JOIN tags ON tags.id = tag_id
               WHERE post_id = posts.id ORDER BY place)), '') AS tags
           FROM posts ORDER BY source`,
        )
        .all(),
    ),
  );
}

/** How many posts have an address of their own, which the site's pattern does not give. */
export function ownAddresses(db: string): number {
  return withDatabase(db, (open) =>
    v.parse(v.number(), open.prepare('SELECT count(url) FROM posts').pluck().get()),
  );
}

/** One line for each post that is only in one of the two, and for each field that differs. */
export function differencesOf(before: readonly PostRow[], now: readonly PostRow[]): readonly string[] {
  const known = new Map(before.map((post) => [post.source, post]));
  const lines = now.flatMap((post) => {
    const old = known.get(post.source);
    known.delete(post.source);
    return old === undefined ? [`new post: ${post.source}`] : fieldsThatDiffer(old, post);
  });
  return [...lines, ...[...known.keys()].map((source) => `missing post: ${source}`)];
}

const FIELDS = [
  'slug',
  'title',
  'status',
  'published_at',
  'url',
  'description',
  'cover',
  'category',
  'tags',
] as const;

function fieldsThatDiffer(before: PostRow, now: PostRow): string[] {
  const lines = FIELDS.filter((field) => before[field] !== now[field]).map(
    (field) => `${field}: ${now.source}: ${JSON.stringify(before[field])} → ${JSON.stringify(now[field])}`,
  );
  if (before.body === now.body) return lines;
  const [old, text] = [wordsOf(before.body), wordsOf(now.body)];
  const longer = old.length > text.length ? old : text;
  const at = longer.findIndex((_, i) => old[i] !== text[i]);
  if (at === -1) return [...lines, `markup: ${now.source}`];
  const part = (of: readonly string[]): string =>
    JSON.stringify(of.slice(Math.max(0, at - 3), at + 8).join(' '));
  return [...lines, `text: ${now.source}: ${part(old)} → ${part(text)}`];
}

/** The text between the tags, in full: a shortened text could hide a difference. */
function wordsOf(html: string): readonly string[] {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[\u21a9\ufe0e]/g, ' ') // The back link of a footnote.
    .split(/\s+/)
    .filter(Boolean);
}

function withDatabase<T>(path: string, read: (db: Database.Database) => T): T {
  const db = new Database(path, { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}
