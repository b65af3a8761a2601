import { type BlogDatabase, inserted } from '../database.ts';
import { termSlug } from '../../common/content/term-slug.ts';
import type { ImportedAuthor, Term } from '../../import/imported-item.ts';
import type { QueuedTerm } from './queue.ts';

/** Returns the id of a category, tag or author, and inserts missing ones. */
export interface TermWriter {
  readonly category: (term: Term) => number;
  readonly tag: (term: Term) => number;
  readonly author: (author: ImportedAuthor) => number;
  /** Number of new or changed rows. */
  readonly changed: { categories: number; tags: number; authors: number };
  /** A note for each kind with merged spellings: `MongoDB` and `mongodb`. */
  readonly merged: () => string[];
}

/** So many are named in a note. */
const MOST_NAMED = 10;

/** @param named the terms that the blog names by themselves; they are written first */
export function termWriter(db: BlogDatabase, named: readonly QueuedTerm[]): TermWriter {
  const changed = { categories: 0, tags: 0, authors: 0 };
  /** The names that posts give to each slug, if the blog does not name it by itself. */
  const spellings: Readonly<Record<keyof TermWriter['changed'], Spellings>> = {
    categories: new Map(),
    tags: new Map(),
    authors: new Map(),
  };
  const writer: TermWriter = {
    category: tableWriter('categories', 'category'),
    tag: tableWriter('tags', 'tag'),
    author: authors(),
    changed,
    merged: () => Object.entries(spellings).flatMap(([what, names]) => describeMerged(what, names)),
  };
  const removeAvatar = db.prepare(
    'UPDATE authors SET avatar = NULL WHERE username = ? AND avatar IS NOT NULL',
  );
  for (const { kind, slug, name, avatar } of named)
    if (kind === 'author') {
      writer.author({ username: slug, name, avatar });
      if (avatar === null) changed.authors += removeAvatar.run(slug).changes;
    } else writer[kind]({ slug, name });
  return writer;

  /** The names of the terms of a kind that are named by themselves, by slug. */
  function ownNames(kind: QueuedTerm['kind']): ReadonlyMap<string, string> {
    return new Map(named.filter((one) => one.kind === kind).map(({ slug, name }) => [slug, name]));
  }

  /**
   * An existing term keeps its name: the first spelling wins, and the owner may have edited it. Exception: if its slug
   * was derived from its name, it takes the name of a term with that slug in its blog. If Ghost's slug for C++ is `c`,
   * the posts of `c` are no longer about C. A term that is named by itself has that name.
   */
  function tableWriter(table: 'categories' | 'tags', kind: QueuedTerm['kind']): (term: Term) => number {
    const names = ownNames(kind);
    const select = db.prepare<[string], { id: number; name: string }>(
      `SELECT id, name FROM ${table} WHERE slug = ?`,
    );
    const rename = db.prepare(`UPDATE ${table} SET name = ? WHERE id = ?`);
    const insert = db
      .prepare<[string, string], number>(`INSERT INTO ${table} (slug, name) VALUES (?, ?) RETURNING id`)
      .pluck();
    return ({ slug, name: written }) => {
      if (!names.has(slug)) addSpelling(spellings[table], slug, written);
      const row = select.get(slug);
      const name = names.get(slug) ?? written;
      const isOwnName = names.has(slug) || (termSlug(name) !== slug && termSlug(row?.name ?? '') === slug);
      if (row !== undefined && (row.name === name || !isOwnName)) return row.id;
      changed[table] += 1;
      if (row === undefined) return inserted(insert.get(slug, name));
      rename.run(name, row.id);
      return row.id;
    };
  }

  /**
   * Takes an author's name and avatar from the import, and never removes existing ones. If posts spell a name
   * differently, the first spelling of an import wins, so the next import decides the same. A name that equals the
   * username does not count.
   */
  function authors(): (author: ImportedAuthor) => number {
    const names = ownNames('author');
    const decided = new Map<string, { readonly name: string | null; readonly avatar: string | null }>();
    const select = db.prepare<[string], number>('SELECT id FROM authors WHERE username = ?').pluck();
    const insert = db
      .prepare<[string, string, string | null], number>(
        'INSERT INTO authors (username, name, avatar) VALUES (?, ?, ?) RETURNING id',
      )
      .pluck();
    const update = db.prepare(
      `UPDATE authors SET name = coalesce(@name, name), avatar = coalesce(@avatar, avatar)
       WHERE id = @id AND (name <> @name OR avatar IS NOT coalesce(@avatar, avatar))`,
    );
    return ({ username, name, avatar }) => {
      if (!names.has(username)) addSpelling(spellings.authors, username, name);
      const first = decided.get(username);
      const best = {
        name: first?.name ?? (name === username ? null : name),
        avatar: first?.avatar ?? avatar,
      };
      decided.set(username, best);
      const id = select.get(username);
      changed.authors += id === undefined ? 1 : update.run({ id, ...best }).changes;
      return id ?? inserted(insert.get(username, name, avatar));
    };
  }
}

type Spellings = Map<string, Set<string>>;

function addSpelling(spellings: Spellings, slug: string, name: string): void {
  spellings.set(slug, (spellings.get(slug) ?? new Set()).add(name));
}

function describeMerged(what: string, names: Spellings): string[] {
  const merged = [...names.values()].filter(({ size }) => size > 1);
  if (merged.length === 0) return [];
  const named = merged.slice(0, MOST_NAMED).map((all) => [...all].map((name) => `"${name}"`).join(', '));
  const more = merged.length > MOST_NAMED ? `; and ${merged.length - MOST_NAMED} more` : '';
  return [`Several spellings of the same ${what} were merged: ${named.join('; ')}${more}.`];
}
