/** The blog, parsed from the rows of the database. */
import type { ArticleKey } from '../../contract/article-order.ts';
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
  /** Posts that are linked to missing tags, with the ids of these. */
  readonly missingTags: ReadonlyMap<number, string>;
  /** Slugs of withdrawn articles. */
  readonly withdrawn: ReadonlySet<string>;
}

/** A public post without its texts. */
export interface Post extends ArticleKey {
  readonly id: number;
  readonly categoryId: number | null;
  readonly authorId: number | null;
  /** Rises with every change of what is shown of the post, except views. */
  readonly revision: number;
  readonly views: number;
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
}

/** The outcome for a post: its body, or why it is left out. */
export interface Outcome {
  /** Null: it is left out. */
  readonly body: ObjectHash | null;
  /** Null: it is not left out. */
  readonly fault: string | null;
  /** Which texts were cut, in words; null: none. */
  readonly cut: string | null;
  /** The sanitiser's Removals as JSON; null: none. */
  readonly removals: string | null;
  /** The description from its text (../html/excerpt.ts); null: it needs none, or has no text. */
  readonly excerpt: string | null;
}

/** The outcome for a post that is left out. */
export function leftOutOutcome(fault: string): Outcome {
  return { body: null, fault, cut: null, removals: null, excerpt: null };
}

/** A rendered post, as its page needs it. */
export interface PagePost {
  readonly id: number;
  readonly body: ObjectHash;
  /** The description from its text; null: it has its own, or none. */
  readonly excerpt: string | null;
}
