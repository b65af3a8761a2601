import { noPost, whyUnread } from '../article/outcome.ts';
import type { ImportedAuthor, ReadItem, Term } from '../imported-item.ts';
import { type Linked, needed, type TextOf, textsOf } from './rows.ts';
import type { Row, ViewName, Views } from './views.ts';

/** What a post refers to, from the categories, tags and authors of the views. */
export type LinkedOf = (post: Row) => LinkedRows;

export interface LinkedRows extends Linked {
  /** Why the post cannot be shown; null: it can. */
  readonly missing: string | null;
  /** Ids. */
  readonly missingTags: readonly string[];
}

/** Reads the views of terms. Each term is an item too, since it may have no post. */
export function* termsIn(views: Views): Generator<ReadItem, LinkedOf> {
  const categories = yield* rowsOf('offprint_categories', views, termIn, (term) => ({
    kind: 'category',
    term,
  }));
  const tags = yield* rowsOf('offprint_tags', views, termIn, (term) => ({ kind: 'tag', term }));
  const authors = yield* rowsOf('offprint_authors', views, authorIn, (author) => ({
    kind: 'author',
    author,
  }));
  const links = linksIn(views);
  return ({ id, category_id: ofCategory, author_id: ofAuthor }) => {
    const category =
      ofCategory === null || ofCategory === undefined ? null : categories.get(String(ofCategory));
    const author = ofAuthor === null || ofAuthor === undefined ? null : authors.get(String(ofAuthor));
    const missing = [
      ...(category === undefined ? [`its category ${String(ofCategory)}`] : []),
      ...(author === undefined ? [`its author ${String(ofAuthor)}`] : []),
    ];
    const linked = links.get(String(id)) ?? [];
    return {
      category: category ?? null,
      author: author ?? null,
      tags: linked
        .flatMap(({ tag, place }) => ({ place, term: tags.get(tag) }))
        .sort((a, b) => a.place - b.place || ((a.term?.name ?? '') < (b.term?.name ?? '') ? -1 : 1))
        .flatMap(({ term }) => term ?? []),
      missing: missing[0] === undefined ? null : `${missing[0]} is missing or was left out`,
      missingTags: linked.flatMap(({ tag }) => (tags.has(tag) ? [] : tag)),
    };
  };
}

function termIn(text: TextOf): Term {
  return { slug: needed(text('slug'), 'slug'), name: needed(text('name'), 'name') };
}

function authorIn(text: TextOf): ImportedAuthor {
  const username = needed(text('username'), 'username');
  return { username, name: needed(text('name'), 'name'), avatar: text('avatar') };
}

/** The rows of a view by their ids, and an item for each. */
function* rowsOf<T>(
  view: ViewName,
  views: Views,
  read: (text: TextOf) => T,
  itemOf: (row: T) => ReadItem,
): Generator<ReadItem, Map<string, T>> {
  const rows = new Map<string, T>();
  for (const row of views.rows(view)) {
    const text = textsOf(row, view, views);
    try {
      const id = needed(text('id'), 'id');
      const found = read(text);
      rows.set(id, found);
      yield itemOf(found);
    } catch (error) {
      yield noPost(`${view} ${String(row['slug'] ?? row['username'] ?? row['id'] ?? '')}`, whyUnread(error));
    }
  }
  return rows;
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
