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
  /** A note for each kind of which several spellings became one: `MongoDB` and `mongodb`. */
  readonly merged: () => string[];
}

/** So many are named in a note. */
const MOST_NAMED = 10;

/** @param named the terms that the blog names by themselves; they are written first */
export function termWriter(db: BlogDatabase, named: readonly QueuedTerm[]): TermWriter {
  const changed = { categories: 0, tags: 0, authors: 0 };
  const spellings = { categories: seen('category'), tags: seen('tag'), authors: seen('author') };
  const writer: TermWriter = {
    category: termsOf('categories', 'category'),
    tag: termsOf('tags', 'tag'),
    author: authors(),
    changed,
    merged: () => Object.entries(spellings).flatMap(([what, { names }]) => describeMerged(what, names)),
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

  /** The names that posts give to each slug, if the blog does not name it by itself. */
  function seen(kind: QueuedTerm['kind']) {
    const own = new Set(named.filter((one) => one.kind === kind).map(({ slug }) => slug));
    const names = new Map<string, Set<string>>();
    const add = (slug: string, name: string): void => {
      if (!own.has(slug)) names.set(slug, (names.get(slug) ?? new Set()).add(name));
    };
    return { names, add };
  }

  /**
   * An existing term keeps its name: the first spelling wins, and the owner may have edited it. Exception: if its slug
   * was derived from its name, it takes the name of a term with that slug in its blog. If Ghost's slug for C++ is `c`,
   * the posts of `c` are no longer about C. A term that is named by itself has that name.
   */
  function termsOf(table: 'categories' | 'tags', kind: QueuedTerm['kind']): (term: Term) => number {
    const names = new Map(named.filter((one) => one.kind === kind).map(({ slug, name }) => [slug, name]));
    const select = db.prepare<[string], { id: number; name: string }>(
      `SELECT id, name FROM ${table} WHERE slug = ?`,
    );
    const rename = db.prepare(`UPDATE ${table} SET name = ? WHERE id = ?`);
    const insert = db
      .prepare<[string, string], number>(`INSERT INTO ${table} (slug, name) VALUES (?, ?) RETURNING id`)
      .pluck();
    return ({ slug, name: written }) => {
      spellings[table].add(slug, written);
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
   * differently, the first spelling of an import wins, so the next import decides the same.
   */
  function authors(): (author: ImportedAuthor) => number {
    const decided = { name: new Set<string>(), avatar: new Set<string>() };
    interface Row {
      id: number;
      name: string;
      avatar: string | null;
    }
    const select = db.prepare<[string], Row>('SELECT id, name, avatar FROM authors WHERE username = ?');
    const insert = db
      .prepare<[string, string, string | null], number>(
        'INSERT INTO authors (username, name, avatar) VALUES (?, ?, ?) RETURNING id',
      )
      .pluck();
    const update = db.prepare('UPDATE authors SET name = ?, avatar = ? WHERE id = ?');
    return ({ username, name, avatar }) => {
      spellings.authors.add(username, name);
      const row = select.get(username);
      if (row === undefined) {
        changed.authors += 1;
        decide(username, name, avatar);
        return inserted(insert.get(username, name, avatar));
      }
      // A name that equals the username does not count.
      const betterName = name === username || decided.name.has(username) ? row.name : name;
      const betterAvatar = avatar === null || decided.avatar.has(username) ? row.avatar : avatar;
      decide(username, name, avatar);
      if (betterName !== row.name || betterAvatar !== row.avatar) {
        changed.authors += 1;
        update.run(betterName, betterAvatar, row.id);
      }
      return row.id;
    };

    function decide(username: string, name: string, avatar: string | null): void {
      if (name !== username) decided.name.add(username);
      if (avatar !== null) decided.avatar.add(username);
    }
  }
}

function describeMerged(what: string, names: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const merged = [...names.values()].filter(({ size }) => size > 1);
  if (merged.length === 0) return [];
  const named = merged.slice(0, MOST_NAMED).map((all) => [...all].map((name) => `"${name}"`).join(', '));
  const more = merged.length > MOST_NAMED ? `; and ${merged.length - MOST_NAMED} more` : '';
  return [`Of ${what} with several spellings, each is one: ${named.join('; ')}${more}.`];
}
