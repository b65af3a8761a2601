/** The blog as the build sees it, once the rows of the database have been parsed. */
import type { ObjectHash } from '../contract/object-name.ts';

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

/** Everything that posts belong to, by id. */
export interface Taxonomy {
  readonly categories: ReadonlyMap<number, Term>;
  readonly tags: ReadonlyMap<number, Term>;
  readonly authors: ReadonlyMap<number, Author>;
  /** Ids of posts that are linked to a tag that is not there. */
  readonly danglingPosts: ReadonlySet<number>;
}

/** What can be told of a post without its texts. */
export interface PostEntry {
  readonly id: number;
  readonly slug: string;
  /** When it was published; null: its date cannot be read. */
  readonly unix: number | null;
  readonly categoryId: number | null;
  readonly authorId: number | null;
  /** Rises whenever anything changes that the post's objects show, views apart. */
  readonly revision: number;
}

/** The texts of a post that lists show. */
export interface PostText {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly cover: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  /** As stored: RFC 3339 to the second, with an offset or `Z`. */
  readonly publishedAt: string;
  readonly url: string | null;
  readonly categoryId: number | null;
  readonly authorId: number | null;
  /** Names, in the order in which they are shown. */
  readonly tags: readonly string[];
  /** The ids of the same tags, separated by spaces. */
  readonly tagIds: string;
}

/** What became of a post: its object, with what was cut of its texts, or the reason why it is left out. */
export type PostOutcome =
  | { readonly hash: ObjectHash; readonly tagIds: string; readonly fault: null; readonly cut: string | null }
  | { readonly hash: null; readonly tagIds: ''; readonly fault: string; readonly cut: null };

/** A post that was rendered, with the description that its text gives (html/excerpt.ts); null: it needs none, or has no text. */
export type RenderedPost = PostOutcome & { readonly excerpt: string | null };

/** The descriptions of posts that have none of their own, by id. */
export type Excerpts = ReadonlyMap<number, string>;

/** A post of the snapshot, or one that was left out of it. */
export type BuiltPost = PostEntry &
  PostOutcome & {
    /** 1: it was linked to a category, author or tag that was not there. */
    readonly dangling: 0 | 1;
  };
