import { noPost, whyUnread } from '../article/unread.ts';
import type { ImportedAuthor, ImportedItem, Term } from '../imported-item.ts';
import { type Linked, needed, textIn } from './rows.ts';
import type { Cell, Row, ViewName, Views } from './views.ts';

/** The categories, tags and authors of the views. */
export interface Terms {
  readonly of: (post: Row) => LinkedRows;
}

/** What a post refers to. */
export interface LinkedRows extends Linked {
  /** Why the post cannot be shown; null: it can. */
  readonly missing: string | null;
  /** Ids. */
  readonly missingTags: readonly string[];
}

interface TermRow extends Term {
  readonly avatar: string | null;
}

/** Reads the views of terms. Each term is an item too, since it may have no post. */
export function* termsIn(views: Views): Generator<ImportedItem, Terms> {
  const categories = yield* rowsOf('offprint_categories', 'slug', views);
  const tags = yield* rowsOf('offprint_tags', 'slug', views);
  const authors = yield* rowsOf('offprint_authors', 'username', views);
  for (const { slug, name } of categories.values()) yield { kind: 'category', term: { slug, name } };
  for (const { slug, name } of tags.values()) yield { kind: 'tag', term: { slug, name } };
  for (const row of authors.values()) yield { kind: 'author', author: authorOf(row) };
  const links = linksIn(views);
  const rowNamed = (id: Cell | undefined, rows: ReadonlyMap<string, TermRow>): TermRow | null | undefined =>
    id === undefined || id === null ? null : rows.get(String(id));
  return {
    of({ id, category_id, author_id }) {
      const [category, author] = [rowNamed(category_id, categories), rowNamed(author_id, authors)];
      const linked = links.get(String(id)) ?? [];
      const tagged = linked.flatMap(({ tag, place }) => {
        const term = tags.get(tag);
        return term === undefined ? [] : { slug: term.slug, name: term.name, place };
      });
      tagged.sort((a, b) => a.place - b.place || (a.name < b.name ? -1 : 1));
      const missing =
        category === undefined
          ? `its category ${String(category_id)}`
          : author === undefined
            ? `its author ${String(author_id)}`
            : null;
      return {
        category: category ? { slug: category.slug, name: category.name } : null,
        author: author ? authorOf(author) : null,
        tags: tagged.map(({ slug, name }) => ({ slug, name })),
        missing: missing && `${missing} is missing or was left out`,
        missingTags: linked.flatMap(({ tag }) => (tags.has(tag) ? [] : tag)),
      };
    },
  };
}

/** The rows of a view by their ids. @param key the column of their slugs */
function* rowsOf(view: ViewName, key: string, views: Views): Generator<ImportedItem, Map<string, TermRow>> {
  const rows = new Map<string, TermRow>();
  for (const row of views.rows(view)) {
    const text = (column: string): string | null => textIn(row, column, view, views);
    try {
      const id = needed(text('id'), 'id');
      rows.set(id, {
        slug: needed(text(key), key),
        name: needed(text('name'), 'name'),
        avatar: text('avatar'),
      });
    } catch (error) {
      yield noPost(`${view} ${String(row[key] ?? row['id'] ?? '')}`, whyUnread(error));
    }
  }
  return rows;
}

function authorOf({ slug: username, name, avatar }: TermRow): ImportedAuthor {
  return { username, name, avatar };
}

interface Link {
  readonly tag: string;
  readonly place: number;
}

/** The tags of posts, by the ids of posts. */
function linksIn(views: Views): ReadonlyMap<string, readonly Link[]> {
  const links = new Map<string, Link[]>();
  for (const row of views.rows('offprint_post_tags')) {
    const link = { tag: String(row['tag_id'] ?? ''), place: Number(row['place'] ?? 0) || 0 };
    const post = String(row['post_id'] ?? '');
    const others = links.get(post);
    if (others) others.push(link);
    else links.set(post, [link]);
  }
  return links;
}
