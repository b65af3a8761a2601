import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { FormatName } from '../../../import/format-names.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { atom, classic, classicEntry, taken, takeout } from '../feed/feed.ts';
import { folderOf } from '../folder.ts';
import { changing } from '../foreign-database.ts';
import { exportOfRows } from '../ghost-export.ts';
import {
  CONTENT_KEY,
  ghostPost,
  type Row as ApiRow,
  runGhost,
  runWordPress,
  wordPressPost,
} from '../running-blog.ts';
import { item as wxrItem, type ItemFields, meta, term, wxr } from '../wordpress/export.ts';
import { type Case, caseOf, DUE, imported, type Make, type Row, statesOf } from './matrix.ts';
import type { Words } from './words.ts';

type States<Piece> = Row<Piece>['states'];

/** A row for a format with all posts in one file. */
function fileRow<Piece>(
  name: string,
  format: FormatName,
  whole: (pieces: readonly Piece[]) => string,
  open: Make<Piece>,
  states: States<Piece>,
): Row<Piece> {
  const write: Row<Piece>['write'] = (pieces) => {
    const path = join(folderOf({ file: whole(pieces) }), 'file');
    return imported(format, path, {}, (later) => writeFileSync(path, whole(later)));
  };
  return { name, open, states, write };
}

// ------------------------------------------------------------------ WordPress

function wordPressItem(words: Words, fields: ItemFields = {}, more = ''): string {
  return wxrItem(
    {
      title: words.title,
      link: `https://blog.example/2024/${words.slug}/`,
      'dc:creator': words.author,
      'content:encoded': words.text,
      'excerpt:encoded': words.description,
      'wp:post_id': String(idOf(words)),
      'wp:post_name': words.slug,
      ...fields,
    },
    term('post_tag', words.tag) + more,
  );
}
/** The same for a post in each state. */
function idOf({ slug }: Words): number {
  return [...slug].reduce((id, letter) => (id * 31 + letter.charCodeAt(0)) % 1_000_000_007, 100);
}

const WXR: Row<string> = fileRow(
  'WordPress, by an export',
  'wordpress',
  (items) => wxr(items.join('')),
  // Fields of plug-ins that restrict nothing.
  (words) =>
    wordPressItem(
      words,
      {},
      meta('_jetpack_newsletter_access', 'everybody') +
        meta('rcp_user_level', 'All') +
        meta('rcp_access_level', 'None') +
        meta(
          'um_content_restriction',
          'a:2:{s:26:"_um_custom_access_settings";b:0;s:14:"_um_accessible";i:0;}',
        ) +
        meta('memberful_acl', 'a:1:{s:12:"subscription";a:0:{}}') +
        meta('patreon-level', '0'),
    ),
  statesOf('wordpress', (fields, key, value = '') => (words) => {
    const restriction = key === undefined ? '' : meta(key, value);
    return wordPressItem(words, parse(fields.replace('TEXT', words.text)), restriction);
  }),
);

// ---------------------------------------------------------------------- Ghost

interface GhostPiece {
  readonly words: Words;
  readonly post: Readonly<Record<string, string | number | null>>;
  readonly meta?: Readonly<Record<string, string | number | null>>;
}

function ghostPiece(
  post: GhostPiece['post'] = {},
  html = (text: string) => `<p>${text}</p>`,
  meta: GhostPiece['meta'] = {},
): Make<GhostPiece> {
  return (words) => ({
    words,
    post: {
      title: words.title,
      slug: words.slug,
      html: html(words.text),
      custom_excerpt: words.description,
      ...post,
    },
    meta,
  });
}

const gated = (text: string): string =>
  `<p>Open</p><!--kg-gated-block:begin nonMember:false memberSegment:"status:free" --><p>${text}</p><!--kg-gated-block:end-->`;

const GHOST_STATES: States<GhostPiece> = {
  draft: [ghostPiece({ status: 'draft' }), ghostPiece({ status: 'in-review' })],
  scheduled: [ghostPiece({ status: 'scheduled', published_at: DUE }), ghostPiece({ published_at: DUE })],
  members: [
    ...['members', 'paid', 'tiers', 'filter', 'something-new'].map((visibility) =>
      ghostPiece({ visibility }),
    ),
    ghostPiece({ status: 'sent' }),
    ghostPiece({}, undefined, { email_only: 1 }),
    ghostPiece({ status: 'scheduled', published_at: '2090-06-15T10:00:00Z' }, undefined, { email_only: 1 }),
  ],
  part: [ghostPiece({}, gated)],
  'no post': [ghostPiece({ type: 'page' })],
};

/** A row of Ghost's API, which includes authors, tags and data of other tables. */
function ghostApiRow({ words, post, meta }: GhostPiece, i: number): ApiRow {
  return ghostPost(i + 1, {
    ...post,
    ...meta,
    authors: [{ id: `u${i}`, name: words.author, slug: words.author }],
    tags: [{ id: `t${i}`, name: words.tag, slug: words.tag, visibility: 'public' }],
  });
}

const GHOST: Row<GhostPiece> = {
  name: 'Ghost, by an export',
  open: ghostPiece(),
  states: GHOST_STATES,
  write: (pieces) => {
    const path = exportOfRows(pieces.map(ghostApiRow));
    const rewrite = (later: readonly GhostPiece[]) =>
      copyFileSync(exportOfRows(later.map(ghostApiRow)), path);
    return imported('ghost', path, {}, rewrite);
  },
};

const RUNNING_GHOST: Row<GhostPiece> = {
  name: 'a running Ghost',
  open: ghostPiece(),
  states: {
    ...GHOST_STATES,
    'no post': [],
    scheduled: [ghostPiece({ status: 'scheduled', published_at: DUE })],
  },
  isBlindToScheduled: true,
  write: async (pieces) => {
    const server = await runGhost(pieces.map(ghostApiRow));
    return imported('ghost', server.url, { key: CONTENT_KEY }, (later) => {
      server.rows['posts'] = later.map(ghostApiRow);
    });
  },
};

// --------------------------------------------- another program's database, through views

interface SqlPiece {
  readonly words: Words;
  readonly status: string;
  readonly publishedAt: string;
  readonly expiresAt: string | null;
}

const sqlPiece =
  (fields: Partial<SqlPiece> = {}): Make<SqlPiece> =>
  (words) => ({ words, status: 'published', publishedAt: '2024-01-01', expiresAt: null, ...fields });

const SQL: Row<SqlPiece> = {
  name: "Another program's database",
  open: sqlPiece(),
  states: {
    draft: ['draft', 'archived', 'private', ''].map((status) => sqlPiece({ status })),
    scheduled: [sqlPiece({ publishedAt: DUE }), sqlPiece({ status: 'scheduled', publishedAt: DUE })],
    expired: [sqlPiece({ expiresAt: '2025-01-01' })],
  },
  write: (pieces) => {
    const folder = temporaryFolder();
    const [path, views] = [join(folder, 'theirs.db'), join(folder, 'views.sql')];
    const rewrite = (now: readonly SqlPiece[]) =>
      changing(path, (db) => {
        db.exec(
          `DROP TABLE IF EXISTS post;
           CREATE TABLE post (slug, title, body, description, author, tag, status, published_at, expires_at)`,
        );
        const insert = db.prepare('INSERT INTO post VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
        for (const { words, status, publishedAt, expiresAt } of now) {
          const { slug, title, text, description, author, tag } = words;
          insert.run(slug, title, `<p>${text}</p>`, description, author, tag, status, publishedAt, expiresAt);
        }
      });
    rewrite(pieces);
    writeFileSync(
      views,
      `CREATE TEMP VIEW offprint_authors AS SELECT author AS id, author AS username, author AS name FROM main.post
         WHERE status IN ('published', 'scheduled') AND expires_at IS NULL;
       CREATE TEMP VIEW offprint_tags AS SELECT tag AS id, tag AS slug, tag AS name FROM main.post
         WHERE status IN ('published', 'scheduled') AND expires_at IS NULL;
       CREATE TEMP VIEW offprint_post_tags AS SELECT slug AS post_id, tag AS tag_id FROM main.post;
       CREATE TEMP VIEW offprint_posts AS SELECT slug AS id, slug, title, body, description, status,
         CASE WHEN status IN ('published', 'scheduled') AND expires_at IS NULL THEN author END AS author_id,
         published_at, expires_at FROM main.post`,
    );
    return imported('sql', path, { views }, rewrite);
  },
};

// --------------------------------------------------- WordPress, over its REST API

function restPost(fields: ApiRow = {}) {
  return (words: Words): ApiRow => {
    const id = idOf(words);
    return wordPressPost(id, {
      slug: words.slug,
      title: { rendered: words.title },
      content: { rendered: `<p>${words.text}</p>`, protected: false },
      excerpt: { rendered: `<p>${words.description}</p>`, protected: false },
      author: id,
      _embedded: { author: [{ id, name: words.author, slug: words.author }] },
      ...fields,
    });
  };
}

const RUNNING_WORDPRESS: Row<ApiRow> = {
  name: 'a running WordPress',
  open: restPost(),
  isBlindToScheduled: true,
  states: {
    draft: ['draft', 'pending', 'private', 'auto-draft', 'in-progress'].map((status) => restPost({ status })),
    scheduled: [restPost({ status: 'future', date: '2090-07-01T10:00:00', date_gmt: '2090-07-01T10:00:00' })],
    password: [restPost({ content: { rendered: '', protected: true } })],
    members: [restPost({ meta: { _jetpack_newsletter_access: 'subscribers' } })],
    trash: [restPost({ status: 'trash' })],
  },
  write: async (posts) => {
    const server = await runWordPress([...posts]);
    return imported('wordpress', server.url, {}, (later) => {
      server.rows['posts'] = [...later];
    });
  },
};

// ---------------------------------------------------------------------- feeds

function atomEntry(words: Words, more = '', date = '2020-01-02T03:04:05Z'): string {
  return `<entry><id>urn:${words.slug}</id><link href="https://blog.example/${words.slug}/"/><title>${words.title}</title>
<published>${date}</published><updated>2020-01-02T03:04:05Z</updated><category term="News"/><category term="${words.tag}"/>
<author><name>${words.author}</name></author><summary>${words.description}</summary>
<content type="html">&lt;p&gt;${words.text}&lt;/p&gt;</content>${more}</entry>`;
}

const ATOM: Row<string> = fileRow(
  'Atom',
  'feed',
  (entries: readonly string[]) => atom(entries.join('\n')),
  (words) => atomEntry(words, '<app:control><app:draft>no</app:draft></app:control>'),
  {
    draft: [(words) => atomEntry(words, '<app:control><app:draft>yes</app:draft></app:control>')],
    scheduled: [(words) => atomEntry(words, '', DUE)],
    'no post': [
      (words) =>
        atomEntry(
          words,
          '<in-reply-to xmlns="http://purl.org/syndication/thread/1.0" ref="urn:x" href="https://blog.example/x/"/>',
        ),
    ],
  },
);

// ------------------------------------------------- Blogger

const bloggerPiece =
  (kind = 'post', more = '', date?: string): Make<string> =>
  ({ slug, ...words }) =>
    classicEntry(slug, kind, more, { ...words, ...(date === undefined ? {} : { date }) });

const BLOGGER: Row<string> = fileRow(
  'Blogger, until 2024',
  'feed',
  (entries: readonly string[]) => classic(entries.join('\n')),
  bloggerPiece(),
  {
    draft: [bloggerPiece('post', '<app:control><app:draft>yes</app:draft></app:control>')],
    scheduled: [bloggerPiece('post', '', DUE)],
    'no post': ['page', 'comment', 'template', 'settings'].map((kind) => bloggerPiece(kind)),
  },
);

const takeoutPiece =
  (status: string, fields: Parameters<typeof taken>[2] = {}): Make<string> =>
  ({ slug, ...words }) =>
    taken(slug, status, { ...words, ...fields });

const TAKEOUT: Row<string> = fileRow(
  'Blogger, by Google Takeout',
  'feed',
  (entries: readonly string[]) => takeout(entries.join('\n')),
  takeoutPiece('LIVE'),
  {
    draft: ['DRAFT', 'IMPORTED', 'SOMETHING_NEW'].map((status) => takeoutPiece(status)),
    scheduled: [takeoutPiece('SCHEDULED', { date: DUE }), takeoutPiece('LIVE', { date: DUE })],
    'no post': ['PAGE', 'COMMENT'].map((kind) => takeoutPiece('LIVE', { kind })),
    trash: [
      takeoutPiece('SOFT_TRASHED'),
      takeoutPiece('LIVE', { more: '<blogger:trashed>2024-01-01T00:00:00Z</blogger:trashed>' }),
    ],
  },
);

// ---------------------------------------------------------------------- items

const itemOf =
  (fields: object = {}): Make<object> =>
  (words) => ({
    kind: 'post',
    id: words.slug,
    slug: words.slug,
    title: words.title,
    content: words.text,
    published_at: '2020-01-02T03:04:05Z',
    description: words.description,
    tags: [words.tag],
    author: { name: words.author, username: words.author },
    ...fields,
  });
const withStatus = (...all: readonly string[]) => all.map((status) => itemOf({ status }));

const ITEMS: Row<object> = fileRow(
  'items',
  'items',
  (items: readonly object[]) =>
    [{ kind: 'blog', name: 'A' }, ...items, { kind: 'end', posts: items.length }]
      .map((item) => JSON.stringify(item))
      .join('\n'),
  itemOf(),
  {
    draft: withStatus('draft', 'private', 'archived', 'pending', ''),
    scheduled: [itemOf({ published_at: DUE }), itemOf({ published_at: DUE, status: 'scheduled' })],
    expired: withStatus('expired'),
    password: withStatus('password'),
    members: withStatus('members'),
    'no post': [itemOf({ kind: 'page' }), itemOf({ id: null }), itemOf({ status: null })],
    trash: withStatus('trashed'),
  },
);

/** JSON Feed and RSS say nothing of what is not public. */
export const EXPORTS: readonly Case[] = [
  ...[caseOf(WXR), caseOf(GHOST), caseOf(SQL), caseOf(RUNNING_GHOST), caseOf(RUNNING_WORDPRESS)],
  ...[caseOf(ATOM), caseOf(BLOGGER), caseOf(TAKEOUT), caseOf(ITEMS)],
];
