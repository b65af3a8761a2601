/** The blog as the build sees it, once the rows of the database have been parsed. */
import type { Site } from './site.ts';

export interface Term {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly revision: number;
}

export interface Author {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly avatar: string | null;
  readonly revision: number;
}

/**
 * What is kept in memory of every post that is public now. Texts are read when they are rendered, and
 * only then.
 */
export interface PostEntry {
  readonly id: number;
  readonly slug: string;
  readonly views: number;
  readonly categoryId: number | null;
  readonly authorId: number | null;
  /** In no order that matters; PostText has the tags as they are shown. */
  readonly tagIds: readonly number[];
  /**
   * The highest revision among the post, its category, its author and its tags: it rises whenever
   * anything changes that the post's objects show, views apart.
   */
  readonly revision: number;
}

/** The texts of one post. */
export interface PostText {
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly cover: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  /** As stored: RFC 3339 to the second, with an offset or `Z`. */
  readonly publishedAt: string;
  readonly url: string | null;
  /** Names. */
  readonly tags: readonly string[];
}

/** Something of the database that is not in the snapshot, and why. */
export interface SkippedRow {
  readonly table: string;
  /** How to find it: its slug or username where it has one, else its id. */
  readonly row: string;
  readonly reason: string;
}

export interface Blog {
  readonly site: Site;
  readonly categories: ReadonlyMap<number, Term>;
  readonly tags: ReadonlyMap<number, Term>;
  readonly authors: ReadonlyMap<number, Author>;
  /** In the order of positions. */
  readonly posts: readonly PostEntry[];
  readonly skipped: readonly SkippedRow[];
  /** Unix seconds at which the next post appears by itself; null: none is waiting. */
  readonly nextDue: number | null;
}
