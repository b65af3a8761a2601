import { readFileSync, utimesSync } from 'node:fs';
import Database from 'better-sqlite3';

const SCHEMA = readFileSync(new URL('ghost.sql', import.meta.url), 'utf8');

export type GhostRow = Readonly<Record<string, string | number | null>>;

/** The rows of a table of Ghost, as in its export. */
export type GhostTables = Readonly<Record<string, readonly GhostRow[]>>;

/** An id in Ghost's form: 24 hexadecimal digits. */
export function ghostId(kind: string, count: number): string {
  return Buffer.from(kind.padEnd(8, '.').slice(0, 8)).toString('hex') + String(count).padStart(8, '0');
}

const created = { created_at: '2020-01-01 09:00:00' };
const post = (count: number, fields: GhostRow = {}): GhostRow => ({
  id: ghostId('post', count),
  uuid: `32785e92-196e-4e2e-8159-${String(count).padStart(12, '0')}`,
  title: `Post ${count}`,
  slug: `post-${count}`,
  html: `<p>Text of ${count}</p>`,
  feature_image: null,
  type: 'post',
  status: 'published',
  visibility: 'public',
  email_recipient_filter: 'all',
  published_at: `2024-0${1 + (count % 9)}-1${count % 9} 10:00:00`,
  custom_excerpt: null,
  canonical_url: null,
  ...created,
  ...fields,
});

/** A blog with `posts` plain posts, and one of each unusual kind. */
export function ghostBlog(posts = 12): GhostTables {
  const secret =
    '<!--kg-gated-block:begin nonMember:false memberSegment:"status:free" --><p>secret</p><!--kg-gated-block:end-->';
  return {
    users: [
      {
        id: 'u1',
        name: 'Ann Lee',
        slug: 'ann',
        password: 'x',
        email: 'ann@example.com',
        profile_image: '//img.example/a.png',
        ...created,
      },
      {
        id: 'u2',
        name: 'Bo',
        slug: 'bo',
        password: 'x',
        email: 'bo@example.com',
        profile_image: '__GHOST_URL__/content/images/bo.png',
        ...created,
      },
    ],
    tags: [
      { id: 't1', name: 'C++', slug: 'c', visibility: 'public', ...created },
      { id: 't2', name: 'Introducción', slug: 'introduccion', visibility: 'public', ...created },
      { id: 't3', name: '#newsletter', slug: 'hash-newsletter', visibility: 'internal', ...created },
    ],
    posts: [
      ...Array.from({ length: posts }, (_, i) => post(i)),
      post(9000, {
        title: 'With all',
        slug: 'all',
        custom_excerpt: 'In short',
        feature_image: '__GHOST_URL__/content/images/a.png',
        html: `<p><a href="__GHOST_URL__/post-1/">one</a></p>${secret}<div class="kg-card kg-toggle-card"><h4 class="kg-toggle-heading-text">Why?</h4><div class="kg-toggle-content"><p>So.</p></div></div>`,
        published_at: '2024-07-01 22:30:00',
        updated_at: '2024-07-03 08:00:00',
      }),
      post(9001, { slug: 'elsewhere', canonical_url: 'https://other.example/first/' }),
      post(9002, { slug: 'to-come', status: 'scheduled', published_at: '2030-01-01 10:00:00' }),
      post(9003, { slug: 'about', type: 'page' }),
      post(9004, { slug: 'draft', status: 'draft', published_at: null }),
      post(9005, { slug: 'members', visibility: 'members' }),
      post(9006, { slug: 'paid', visibility: 'paid' }),
      post(9007, { slug: 'tiers', visibility: 'tiers' }),
      post(9008, { slug: 'sent', status: 'sent' }),
      post(9009, { slug: 'to-be-sent', status: 'scheduled' }),
    ],
    posts_meta: [
      { id: 'm1', post_id: ghostId('post', 9000), meta_title: 'SEO', meta_description: null, email_only: 0 },
      { id: 'm2', post_id: ghostId('post', 9009), meta_title: null, meta_description: null, email_only: 1 },
    ],
    posts_authors: [
      { id: 'a1', post_id: ghostId('post', 9000), author_id: 'u2', sort_order: 1 },
      { id: 'a2', post_id: ghostId('post', 9000), author_id: 'u1', sort_order: 0 },
      { id: 'a3', post_id: ghostId('post', 1), author_id: 'u2', sort_order: 0 },
    ],
    posts_tags: [
      { id: 'p1', post_id: ghostId('post', 9000), tag_id: 't2', sort_order: 0 },
      { id: 'p2', post_id: ghostId('post', 9000), tag_id: 't3', sort_order: 1 },
      { id: 'p3', post_id: ghostId('post', 9000), tag_id: 't1', sort_order: 2 },
      { id: 'p4', post_id: ghostId('post', 9004), tag_id: 't1', sort_order: 0 },
    ],
    settings: [
      { id: 's1', key: 'title', value: 'My Ghost', type: 'string', ...created },
      { id: 's2', key: 'timezone', value: 'Europe/Madrid', type: 'string', ...created },
    ],
  };
}

/** Writes a database like Ghost, with a rollback journal. */
export function writeGhost(path: string, tables: GhostTables = ghostBlog()): void {
  changing(path, (db) => {
    db.exec(SCHEMA);
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) {
        const columns = Object.keys(row);
        db.prepare(
          `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')})
           VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
        ).run(row);
      }
    }
  });
}

/** Opens the database while `change` runs, like Ghost. */
export function changing<T>(path: string, change: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return change(db);
  } finally {
    db.close();
  }
}

/** Sets the last write to a database to an hour ago, so that no later write has the same timestamp. */
export function settle(path: string): void {
  const hour = new Date(Date.now() - 3_600_000);
  for (const file of [path, `${path}-wal`]) {
    try {
      utimesSync(file, hour, hour);
    } catch {
      // Not every database has a log.
    }
  }
}
