/** The blog as the build sees it, once the rows of the database have been parsed. */
import type { ObjectHash } from '../contract/object-name.ts';
import type { Site } from './site.ts';

export interface Term {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
}

export interface Author {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly avatar: string | null;
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
  /** Rises whenever anything changes that the post's objects show, views apart. */
  readonly revision: number;
}

/** A post that is in the snapshot. */
export interface ExportedPost extends PostEntry {
  /** Its detail. */
  readonly hash: ObjectHash;
  /** Separated by spaces: of 100,000 posts a text each is far less than a list each. */
  readonly tagIds: string;
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
  /** The same tags, separated by spaces. */
  readonly tagIds: string;
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
