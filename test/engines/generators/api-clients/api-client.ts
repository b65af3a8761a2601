/**
 * The functions of a generated client that the tests use. The types are those of the interface, written by hand.
 */

export interface ApiClient {
  overview(): Promise<Answer<Overview>>;
  me(): Promise<Answer<Me>>;
  posts(page: number): Promise<Answer<Page<Summary>>>;
  post(slug: string): Promise<Answer<Detail | WholePost>>;
  wholePost(slug: string): Promise<Answer<Detail | WholePost>>;
  changes(query: { cursor: string } | { since: string } | object): Promise<Answer<Changes>>;
  categories(): Promise<Answer<Group[]>>;
  tags(): Promise<Answer<Group[]>>;
  authors(page: number): Promise<Answer<Page<Author>>>;
  author(username: string): Promise<Answer<Author>>;
  /** Requests an article that does not exist. */
  missing(): Promise<Failure>;
  /** Searches for too many words. */
  invalid(): Promise<Failure & { readonly errors: Readonly<Record<string, string[]>> }>;
}

/** A generated schema for each endpoint. */
export type Schemas = Readonly<
  Record<Exclude<keyof ApiClient, 'missing' | 'invalid'>, { parse(body: unknown): unknown }>
>;

/** The exports of a generated bundle, by generator. */
export interface Generated {
  readonly clients: Readonly<Record<string, (url: string) => ApiClient>>;
  readonly schemas: Readonly<Record<string, Schemas>>;
}

export interface Answer<T> {
  readonly success: true;
  readonly data: T;
}

export interface Failure {
  readonly status: number;
  readonly message: string;
}

export interface Page<T> {
  readonly items: T[];
  readonly meta: { page: number; per_page: number; last_page: number; total: number };
}

export interface Summary {
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly cover: string | null;
  readonly views: number;
  readonly tags: string[];
  readonly category: { name: string; slug: string } | null;
  readonly author: { name: string; username: string } | null;
  readonly url: string;
  readonly published_at: string;
}

export interface Detail {
  readonly slug: string;
  readonly title: string;
  readonly content: string;
  readonly tags: string[];
  readonly seo: { meta_title: string | null; meta_description: string | null };
  readonly published_at: string;
}

export type WholePost = Summary & Detail;

export interface Changes {
  readonly items: (WholePost & { updated_at: string | null; former_slugs: string[] })[];
  readonly removed: string[];
  readonly lists: { categories: boolean; tags: boolean; authors: boolean };
  readonly cursor: string | null;
  readonly token: string | null;
  readonly whole: boolean;
}

/** A category or a tag. */
export interface Group {
  readonly name: string;
  readonly slug: string;
  readonly posts_count: number;
  readonly url: string;
}

export interface Author {
  readonly name: string;
  readonly username: string;
  readonly avatar: string | null;
  readonly posts_count: number;
}

export interface Overview {
  readonly name: string;
  readonly version: string;
  readonly site: { name: string; url: string };
  readonly endpoints: string[];
}

export interface Me {
  readonly key: { name: string; prefix: string; scopes: string[] } | null;
  readonly quota: { limit: number; used: number; remaining: number };
}
