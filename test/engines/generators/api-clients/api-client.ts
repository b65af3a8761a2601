/**
 * The functions of a generated client that the tests use, with the types of offprint-client.
 */
import type {
  Author,
  Category,
  ChangedPost,
  Changes,
  ErrorResponse,
  Me,
  Overview,
  PageMeta,
  Post,
  PostSummary,
  Tag,
  ValidationErrorResponse,
  WholePost,
} from '../../../../client/source/api-types.ts';

export type { ChangedPost, Changes, WholePost };

export interface ApiClient {
  overview(): Promise<Answer<Overview>>;
  me(): Promise<Answer<Me>>;
  posts(page: number): Promise<Answer<Page<PostSummary>>>;
  post(slug: string): Promise<Answer<Post | WholePost>>;
  wholePost(slug: string): Promise<Answer<Post | WholePost>>;
  changes(query: { cursor: string } | { since: string } | object): Promise<Answer<Changes>>;
  categories(): Promise<Answer<Category[]>>;
  tags(): Promise<Answer<Tag[]>>;
  authors(page: number): Promise<Answer<Page<Author>>>;
  author(username: string): Promise<Answer<Author>>;
  /** Requests an article that does not exist. */
  missing(): Promise<Failure>;
  /** Searches for too many words. */
  invalid(): Promise<Failure & Pick<ValidationErrorResponse, 'errors'>>;
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

type Failure = Pick<ErrorResponse, 'message'> & { readonly status: number };

export interface Page<T> {
  readonly items: T[];
  readonly meta: PageMeta;
}
