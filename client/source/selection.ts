/** Which articles, and which of their fields. */
import type { Post, PostsQuery, PostSummary, WholePost } from './api-types.ts';
import type { CallOptions } from './options.ts';

/** Several values of a filter: slugs, or usernames. A request may have 10, over all filters. */
export interface Values {
  /** Articles with at least one of them. */
  readonly any?: readonly string[] | undefined;
  /** Articles with none of them. */
  readonly not?: readonly string[] | undefined;
}

/** Several tags, by their slugs. */
export interface TagValues extends Values {
  /** Articles with all of them. */
  readonly all?: readonly string[] | undefined;
}

/** Which articles, in which order, and with which further fields. A filter is one value, or several. */
export interface PostsFilter<Name extends 'dates' = never> extends Pick<PostsQuery, 'q' | 'sort'> {
  category?: string | Values | undefined;
  tag?: string | TagValues | undefined;
  author?: string | Values | undefined;
  /** Published at this time or later: a date or a time (RFC 3339), in UTC if it does not say. */
  from?: string | undefined;
  /** Published before this time. */
  until?: string | undefined;
  /** Further fields of the articles. */
  include?: readonly Name[] | undefined;
}

/** One page of them, or articles by their slugs. */
export type PostsPage<Name extends 'dates' = never> = PostsFilter<Name> &
  Pick<PostsQuery, 'slug' | 'page' | 'per_page'>;

/** Options of `post`. */
export interface PostOptions<Name extends keyof Included> extends CallOptions {
  /** Further fields. */
  readonly include?: readonly Name[] | undefined;
}

/** Further fields of an article, by their name in `include`. */
export interface Included {
  summary: WholePost;
  dates: {
    /** When it was changed last; null if the blog does not say. */
    updated_at: string | null;
  };
  neighbours: {
    /** The article published before it; null: it is the first. */
    previous: Neighbour | null;
    /** The article published after it; null: it is the newest. */
    next: Neighbour | null;
  };
}

export type Neighbour = Pick<PostSummary, 'slug' | 'title' | 'url'>;

/** An article with the fields of each name. */
export type With<Base extends Post | PostSummary, Name extends keyof Included> = Base &
  ('summary' extends Name ? Included['summary'] : unknown) &
  ('dates' extends Name ? Included['dates'] : unknown) &
  ('neighbours' extends Name ? Included['neighbours'] : unknown);
