/** The blog, parsed from the rows of the database. */
import type { ObjectHash } from '../../contract/object-name.ts';

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

/** Categories, tags and authors, by id. */
export interface Taxonomy {
  readonly categories: ReadonlyMap<number, Term>;
  readonly tags: ReadonlyMap<number, Term>;
  readonly authors: ReadonlyMap<number, Author>;
  /** Ids of posts that are linked to a missing tag. */
  readonly danglingPosts: ReadonlySet<number>;
  /** Slugs of withdrawn articles. */
  readonly withdrawn: ReadonlySet<string>;
}

/** A post without its texts. */
export interface PostEntry {
  readonly id: number;
  readonly slug: string;
  /** Publication time, in Unix seconds; null: its date cannot be read. */
  readonly unix: number | null;
  readonly categoryId: number | null;
  readonly authorId: number | null;
  /** Rises with every change of the post's objects, except views. */
  readonly revision: number;
}

/** The texts of a post for lists. */
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
  /** In the same form; null: its source does not say when it was changed. */
  readonly updatedAt: string | null;
  readonly url: string | null;
  /** Slugs under which it was public, sorted. */
  readonly formerSlugs: readonly string[];
  readonly categoryId: number | null;
  readonly authorId: number | null;
  /** Names, in display order. */
  readonly tags: readonly string[];
  /** The ids of the same tags, separated by spaces. */
  readonly tagIds: string;
}

/** The result for a post: its object, its former slugs as JSON (null: none), which texts were cut, and the sanitiser's Removals as JSON; or why it is left out. */
export type PostOutcome =
  | {
      readonly hash: ObjectHash;
      readonly tagIds: string;
      readonly former: string | null;
      readonly fault: null;
      readonly cut: string | null;
      readonly removals: string | null;
    }
  | {
      readonly hash: null;
      readonly tagIds: '';
      readonly former: null;
      readonly fault: string;
      readonly cut: null;
      readonly removals: null;
    };

/** The outcome for a post that is left out. */
export function leftOut(fault: string): RenderedPost {
  return { hash: null, tagIds: '', former: null, fault, cut: null, removals: null, excerpt: null };
}

/** A rendered post, with the description from its text (html/excerpt.ts); null: it needs none, or has no text. */
export type RenderedPost = PostOutcome & { readonly excerpt: string | null };

/** Descriptions from texts, for posts without their own, by id. */
export type Excerpts = ReadonlyMap<number, string>;

/** A post of the snapshot, or one that was left out. */
export type BuiltPost = PostEntry &
  PostOutcome & {
    /** 1: it was linked to a missing category, author or tag. */
    readonly dangling: 0 | 1;
  };
