import { type BlogDatabase, inserted } from '../database.ts';
import type { SkippedRow } from '../skipped-row.ts';
import { LiveRow, parseTerm, RowUnusable, type LiveTerm } from './rows.ts';
import type { Views, ViewName } from './views.ts';

type Kind = 'categories' | 'tags' | 'authors';

/** The mirror's categories, tags and authors, by their ids in the views. */
export interface Terms {
  /** The tag with an id; undefined if it is missing or cannot be exported. */
  readonly tag: (id: string) => { readonly id: number; readonly name: string } | undefined;
  /** A post's category and author. @throws RowUnusable if one is missing */
  readonly of: (post: LiveRow) => { category_id: number | null; author_id: number | null };
  /** Removes terms from the mirror that the views no longer show; no post may refer to them any more. */
  readonly removeUnseen: () => void;
}

/** Updates categories, tags and authors from the views. Terms with the same slug are merged. */
export function syncTerms(views: Views, mirror: BlogDatabase, leftOut: SkippedRow[]): Terms {
  const categories = syncKind('categories', views, mirror, leftOut);
  const tags = syncKind('tags', views, mirror, leftOut);
  const authors = syncKind('authors', views, mirror, leftOut);
  const found = (post: LiveRow, column: string, what: string, of: Synced): number | null => {
    const id = post.text(column);
    if (id === null) return null;
    const term = of.byId.get(id);
    if (term === undefined) throw new RowUnusable(`${what} ${id} is missing or was left out`);
    return term.id;
  };
  return {
    tag: (id) => tags.byId.get(id),
    of: (post) => ({
      category_id: found(post, 'category_id', 'category', categories),
      author_id: found(post, 'author_id', 'author', authors),
    }),
    removeUnseen() {
      for (const synced of [categories, tags, authors]) synced.removeUnseen();
    },
  };
}

interface Synced {
  readonly byId: ReadonlyMap<string, { readonly id: number; readonly name: string }>;
  readonly removeUnseen: () => void;
}

function syncKind(kind: Kind, views: Views, mirror: BlogDatabase, leftOut: SkippedRow[]): Synced {
  const view: ViewName = `offprint_${kind}`;
  const key = kind === 'authors' ? 'username' : 'slug';
  const avatar = kind === 'authors' ? 'avatar' : 'NULL AS avatar';
  const known = new Map(
    mirror
      .prepare<[], LiveTerm & { id: number }>(`SELECT id, ${key} AS slug, name, ${avatar} FROM ${kind}`)
      .all()
      .map((term) => [term.slug, term]),
  );
  const write = termWriter(kind, key, mirror);
  const byId = new Map<string, { id: number; name: string }>();
  const seen = new Map<string, { id: number; name: string }>();
  for (const row of views.rows(view)) {
    try {
      const live = new LiveRow(row, view, views);
      const id = live.needed('id', 'it has no id');
      const term = parseTerm(live, key);
      const taken = seen.get(term.slug) ?? { id: write(term, known.get(term.slug)), name: term.name };
      seen.set(term.slug, taken);
      byId.set(id, taken);
    } catch (error) {
      if (!(error instanceof RowUnusable)) throw error;
      const name = String(row[key] ?? '').trim() || String(row['id'] ?? '');
      leftOut.push({ table: view, row: name, reason: error.message });
    }
  }
  return {
    byId,
    removeUnseen() {
      const remove = mirror.prepare(`DELETE FROM ${kind} WHERE id = ?`);
      for (const { id, slug } of known.values()) if (!seen.has(slug)) remove.run(id);
    },
  };
}

/** Writes a term if it differs, and returns its id in the mirror. */
function termWriter(
  kind: Kind,
  key: string,
  mirror: BlogDatabase,
): (term: LiveTerm, known: (LiveTerm & { id: number }) | undefined) => number {
  const [more, given, set] =
    kind === 'authors' ? [', avatar', ', @avatar', ', avatar = @avatar'] : ['', '', ''];
  const insert = mirror
    .prepare<[LiveTerm], number>(
      `INSERT INTO ${kind} (${key}, name${more}) VALUES (@slug, @name${given}) RETURNING id`,
    )
    .pluck();
  const update = mirror.prepare(`UPDATE ${kind} SET name = @name${set} WHERE ${key} = @slug`);
  return (term, known) => {
    if (known === undefined) return inserted(insert.get(term));
    if (known.name !== term.name || known.avatar !== term.avatar) update.run(term);
    return known.id;
  };
}

/** The tags of posts, by the keys of both. */
export interface Links {
  /** Ids of a post's tags in the mirror, in display order. */
  readonly tagIds: (post: string, terms: Terms) => number[];
  /** Links of a post to missing tags. */
  readonly missing: (post: string, terms: Terms) => SkippedRow[];
}

export function linksOf(views: Views): Links {
  const rows = [...views.rows('offprint_post_tags')].map((row) => ({
    ...{ post: String(row['post_id'] ?? ''), tag: String(row['tag_id'] ?? '') },
    place: Number(row['place'] ?? 0) || 0,
  }));
  const links = Map.groupBy(rows, ({ post }) => post);
  return {
    tagIds(post, terms) {
      const found = (links.get(post) ?? []).flatMap(({ tag, place }) => {
        const term = terms.tag(tag);
        return term === undefined ? [] : { ...term, place };
      });
      found.sort(
        (a, b) =>
          a.place - b.place || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || a.id - b.id,
      );
      return [...new Set(found.map(({ id }) => id))];
    },
    missing: (post, terms) =>
      (links.get(post) ?? [])
        .filter(({ tag }) => terms.tag(tag) === undefined)
        .map(({ tag }) => ({
          table: 'offprint_post_tags',
          row: `${post}/${tag}`,
          reason: `tag ${tag} is missing or was left out`,
        })),
  };
}
