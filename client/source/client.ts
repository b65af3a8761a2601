import type {
  Author,
  AuthorsQuery,
  Category,
  Changes,
  ChangesQuery,
  Me,
  Overview,
  PageMeta,
  Post,
  PostSummary,
  Tag,
} from './api-types.ts';
import { OffprintError } from './error.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { type Call, Requests, toQuery } from './requests.ts';
import type { Included, PostOptions, PostsFilter, PostsPage, With } from './selection.ts';
import { type Store, sync, type Synced } from './sync.ts';

/** One page of a list. */
export interface Page<T> {
  items: T[];
  meta: PageMeta;
}

/** Reads one blog. Every method throws OffprintError, or the reason of an aborted signal. */
export interface Client {
  /** Name, limits and permissions of the API; name and address of the blog. */
  overview(options?: CallOptions): Promise<Overview>;
  /** The key, and today's quota. */
  me(options?: CallOptions): Promise<Me>;
  /** One page of articles. */
  posts<Name extends 'dates' = never>(
    query?: PostsPage<Name>,
    options?: CallOptions,
  ): Promise<Page<With<PostSummary, Name>>>;
  /** An article with its text; `include: ['summary']` adds the fields of lists. Throws an OffprintError with status 404 if it does not exist. */
  post<Name extends keyof Included = never>(
    slug: string,
    options?: PostOptions<Name>,
  ): Promise<With<Post, Name>>;
  categories(options?: CallOptions): Promise<Category[]>;
  tags(options?: CallOptions): Promise<Tag[]>;
  /** One page of authors. */
  authors(query?: AuthorsQuery, options?: CallOptions): Promise<Page<Author>>;
  /** Throws an OffprintError with status 404 if it does not exist. */
  author(username: string, options?: CallOptions): Promise<Author>;
  /** One page of all articles, or of changes. `sync` reads all pages. */
  changes(query?: ChangesQuery, options?: CallOptions): Promise<Changes>;
  /** All articles in sequence, with a request for each 50. */
  eachPost<Name extends 'dates' = never>(
    query?: PostsFilter<Name>,
    options?: CallOptions,
  ): AsyncGenerator<With<PostSummary, Name>, void, undefined>;
  /** All authors. */
  eachAuthor(options?: CallOptions): AsyncGenerator<Author, void, undefined>;
  /**
   * Updates a copy of the blog: all articles on the first call, then only changes. It saves the state after each page, so
   * that after an error the next call continues there.
   */
  sync(store: Store, options?: CallOptions): Promise<Synced>;
}

const PER_PAGE = 50;

/** A client for the blog of one service. Sends no request. */
export function createClient(options: ClientOptions): Client {
  const requests = new Requests(options);
  const get = <T>(path: string, query: object = {}, call?: CallOptions) =>
    requests.get<T>(requests.begin(call), path, { ...query });

  async function* each<T>(path: string, query: object, call: Call): AsyncGenerator<T, void, undefined> {
    for (let page = 1, last = 1; page <= last; page++) {
      const { items, meta } = await requests.get<Page<T>>(call, path, { ...query, per_page: PER_PAGE, page });
      yield* items;
      last = meta.last_page;
    }
  }

  return {
    overview: (call) => get('', {}, call),
    me: (call) => get('/me', {}, call),
    posts: async (query = {}, call) => get('/posts', toQuery(query), call),
    post: async (slug, { include, ...call } = {}) =>
      get(buildPath('/posts', slug), { include: include?.join() }, call),
    categories: (call) => get('/categories', {}, call),
    tags: (call) => get('/tags', {}, call),
    authors: (query, call) => get('/authors', query, call),
    author: async (username, call) => get(buildPath('/authors', username), {}, call),
    changes: (query, call) => get('/changes', query, call),
    eachPost: (query = {}, call) => each('/posts', toQuery(query), requests.begin(call)),
    eachAuthor: (call) => each('/authors', {}, requests.begin(call)),
    sync(store, options) {
      const call = requests.begin(options);
      return sync(store, (query) => requests.get(call, '/changes', { ...query, per_page: PER_PAGE }));
    },
  };
}

/** @throws OffprintError if no path can name it: URLs resolve dots as folders */
function buildPath(folder: string, name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new OffprintError(404, `"${name}" is not a name.`);
  return `${folder}/${encodeURIComponent(name)}`;
}
