/**
 * The names and shapes of the public interface. The build renders answers in advance and the gateway serves them, so
 * both use these definitions.
 */

/** All paths of the interface begin with this. */
export const PREFIX = '/api/public/v1';

export const API_NAME = 'Offprint Public API';
export const API_VERSION = 'v1';

/** Records on a page (interface, "Limits"). */
export const PER_PAGE_DEFAULT = 15;
export const PER_PAGE_MAX = 50;

export const SORTS = ['new', 'old', 'popular'] as const;
export type Sort = (typeof SORTS)[number];

/** The permissions of keys (interface, "Authentication"). */
export const SCOPES = ['blog:read', 'taxonomy:read', 'authors:read'] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

/** The endpoints by their name in the code. `{x}` is a path parameter. */
export const ENDPOINTS = {
  overview: { path: '', scope: null },
  me: { path: '/me', scope: null },
  posts: { path: '/posts', scope: 'blog:read' },
  post: { path: '/posts/{slug}', scope: 'blog:read' },
  changes: { path: '/changes', scope: 'blog:read' },
  categories: { path: '/categories', scope: 'taxonomy:read' },
  tags: { path: '/tags', scope: 'taxonomy:read' },
  authors: { path: '/authors', scope: 'authors:read' },
  author: { path: '/authors/{username}', scope: 'authors:read' },
} as const satisfies Record<string, { path: string; scope: Scope | null }>;

export type EndpointName = keyof typeof ENDPOINTS;

/** What each permission allows, in the words of the interface. */
export const SCOPE_OPENS: Record<Scope, string> = {
  'blog:read': 'Published articles: list and full text',
  'taxonomy:read': 'Category and tag lists with article counts',
  'authors:read': 'Public author details: name, username, avatar',
};

/** An article in a list, without its view count, which is stored separately (popularity.ts). */
export interface Summary {
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly cover: string | null;
  readonly tags: readonly string[];
  readonly category: { readonly name: string; readonly slug: string } | null;
  readonly author: { readonly name: string; readonly username: string } | null;
  readonly url: string;
  readonly published_at: string;
}

/** What `include=dates` adds to an article. */
export interface Dates {
  /** When it was changed last; null: its source does not say. */
  readonly updated_at: string | null;
}

export interface Detail {
  readonly slug: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly seo: { readonly meta_title: string | null; readonly meta_description: string | null };
  readonly published_at: string;
}

/** A category or a tag, as listed. */
export interface TermRecord {
  readonly name: string;
  readonly slug: string;
  readonly posts_count: number;
  readonly url: string;
}

export interface AuthorRecord {
  readonly name: string;
  readonly username: string;
  readonly avatar: string | null;
  readonly posts_count: number;
}

/** The envelope of a successful answer, as JSON text. @param data JSON text */
export function envelope(data: string): string {
  return `{"success":true,"data":${data}}`;
}
