/**
 * The generated clients and schemas, adapted to the tests' interface.
 */
import createClient from 'openapi-fetch';
import type { ApiClient, Generated } from './api-client';
import { api } from './api-url';
import { createClient as createHeyApi, createConfig } from './hey-api/client';
import * as heyApi from './hey-api';
import * as heyApiZod from './hey-api/zod.gen';
import type { paths } from './openapi-typescript';
import * as orval from './orval/client';
import * as orvalZod from './orval/zod';

const NOWHERE = 'nowhere';
const MANY_WORDS = 'a b c d e f g h i j';
const PER_PAGE = 50;

/** The result type of openapi-fetch. */
interface Fetched<T> {
  readonly data?: T;
  readonly response: Response;
}

const openapiFetch = (url: string): ApiClient => {
  const client = createClient<paths>({ baseUrl: url });
  const get = async <T>(fetched: Promise<Fetched<T>>): Promise<T> => {
    const { data, response } = await fetched;
    if (data === undefined) throw new Error(`${response.url}: ${response.status}`);
    return data;
  };
  const post = (slug: string, include?: 'summary'[]) =>
    get(client.GET('/posts/{slug}', { params: { path: { slug }, query: include ? { include } : {} } }));
  return {
    overview: () => get(client.GET('/')),
    me: () => get(client.GET('/me')),
    posts: (page) => get(client.GET('/posts', { params: { query: { page, per_page: PER_PAGE } } })),
    post: (slug) => post(slug),
    wholePost: (slug) => post(slug, ['summary']),
    changes: (query) => get(client.GET('/changes', { params: { query: { ...query, per_page: PER_PAGE } } })),
    categories: () => get(client.GET('/categories')),
    tags: () => get(client.GET('/tags')),
    authors: (page) => get(client.GET('/authors', { params: { query: { page, per_page: PER_PAGE } } })),
    author: (username) => get(client.GET('/authors/{username}', { params: { path: { username } } })),
    async missing() {
      const { error, response } = await client.GET('/posts/{slug}', { params: { path: { slug: NOWHERE } } });
      return { status: response.status, message: error?.message ?? '' };
    },
    async invalid() {
      const { error, response } = await client.GET('/posts', { params: { query: { q: MANY_WORDS } } });
      if (!error || !('errors' in error)) throw new Error('There are no reasons.');
      return { status: response.status, message: error.message, errors: error.errors };
    },
  };
};

const heyApiFetch = (url: string): ApiClient => {
  const client = createHeyApi(createConfig({ baseUrl: url }));
  const options = { client, throwOnError: true } as const;
  const get = async <T>(fetched: Promise<{ readonly data: T }>): Promise<T> => (await fetched).data;
  return {
    overview: () => get(heyApi.getOverview(options)),
    me: () => get(heyApi.getMe(options)),
    posts: (page) => get(heyApi.listPosts({ ...options, query: { page, per_page: PER_PAGE } })),
    post: (slug) => get(heyApi.getPost({ ...options, path: { slug } })),
    wholePost: (slug) => get(heyApi.getPost({ ...options, path: { slug }, query: { include: ['summary'] } })),
    changes: (query) => get(heyApi.listChanges({ ...options, query: { ...query, per_page: PER_PAGE } })),
    categories: () => get(heyApi.listCategories(options)),
    tags: () => get(heyApi.listTags(options)),
    authors: (page) => get(heyApi.listAuthors({ ...options, query: { page, per_page: PER_PAGE } })),
    author: (username) => get(heyApi.getAuthor({ ...options, path: { username } })),
    async missing() {
      const { error, response } = await heyApi.getPost({ client, path: { slug: NOWHERE } });
      return { status: response?.status ?? 0, message: error?.message ?? '' };
    },
    async invalid() {
      const { error, response } = await heyApi.listPosts({ client, query: { q: MANY_WORDS } });
      if (!error || !('errors' in error)) throw new Error('There are no reasons.');
      return { status: response?.status ?? 0, message: error.message, errors: error.errors };
    },
  };
};

const orvalFetch = (url: string): ApiClient => {
  api.url = url;
  const isSuccess = <T extends { readonly status: number }>(
    reply: T,
  ): reply is Extract<T, { readonly status: 200 }> => reply.status === 200;
  const get = async <T extends { readonly status: number; readonly data: unknown }>(
    fetched: Promise<T>,
  ): Promise<Extract<T, { readonly status: 200 }>['data']> => {
    const reply = await fetched;
    if (!isSuccess(reply)) throw new Error(`status ${reply.status}`);
    return reply.data;
  };
  return {
    overview: () => get(orval.getOverview()),
    me: () => get(orval.getMe()),
    posts: (page) => get(orval.listPosts({ page, per_page: PER_PAGE })),
    post: (slug) => get(orval.getPost(slug)),
    wholePost: (slug) => get(orval.getPost(slug, { include: ['summary'] })),
    changes: (query) => get(orval.listChanges({ ...query, per_page: PER_PAGE })),
    categories: () => get(orval.listCategories()),
    tags: () => get(orval.listTags()),
    authors: (page) => get(orval.listAuthors({ page, per_page: PER_PAGE })),
    author: (username) => get(orval.getAuthor(username)),
    async missing() {
      const { status, data } = await orval.getPost(NOWHERE);
      if (status !== 404) throw new Error(`status ${status}`);
      return { status, message: data.message };
    },
    async invalid() {
      const { status, data } = await orval.listPosts({ q: MANY_WORDS });
      if (status !== 422) throw new Error(`status ${status}`);
      return { status, message: data.message, errors: data.errors };
    },
  };
};

export const clients: Generated['clients'] = {
  'openapi-fetch': openapiFetch,
  'hey-api': heyApiFetch,
  orval: orvalFetch,
};

export const schemas: Generated['schemas'] = {
  'hey-api': {
    overview: heyApiZod.zGetOverviewResponse,
    me: heyApiZod.zGetMeResponse,
    posts: heyApiZod.zListPostsResponse,
    post: heyApiZod.zGetPostResponse,
    wholePost: heyApiZod.zGetPostResponse,
    changes: heyApiZod.zListChangesResponse,
    categories: heyApiZod.zListCategoriesResponse,
    tags: heyApiZod.zListTagsResponse,
    authors: heyApiZod.zListAuthorsResponse,
    author: heyApiZod.zGetAuthorResponse,
  },
  orval: {
    overview: orvalZod.GetOverviewResponse,
    me: orvalZod.GetMeResponse,
    posts: orvalZod.ListPostsResponse,
    post: orvalZod.GetPostResponse,
    wholePost: orvalZod.GetPostResponse,
    changes: orvalZod.ListChangesResponse,
    categories: orvalZod.ListCategoriesResponse,
    tags: orvalZod.ListTagsResponse,
    authors: orvalZod.ListAuthorsResponse,
    author: orvalZod.GetAuthorResponse,
  },
};
