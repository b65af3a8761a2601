/**
 * The answers of the tree, from the gateway's own endpoints. `data` is the same as the gateway's, byte for byte.
 * `links`, next to it, names other files, because files have no `Link` header.
 */
import { API_NAME, API_VERSION, envelope, type Sort } from '../../contract/api.ts';
import type { FilterName } from '../../contract/filters.ts';
import { isNumber, isRecord, listOf, parseJson, recordOf } from '../../contract/json.ts';
import { endpointLabel } from '../../contract/policy.ts';
import { answerAuthors } from '../../gateway/endpoints/authors.ts';
import { answerPosts } from '../../gateway/endpoints/posts.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { type AnswerKind, KINDS, linkTo, pathOf, PATHS } from './paths.ts';

/** A list of articles or authors. */
export interface List {
  readonly kind: AnswerKind;
  /** The slug or username in its path; empty: none. */
  readonly name: string;
  /** Its query, without `page` and `per_page`. */
  readonly query: Readonly<Partial<Record<FilterName, string> & { sort: Sort }>>;
}

/** The text of a file and its path. */
export interface AnswerFile {
  readonly kind: AnswerKind;
  readonly path: string;
  readonly text: string;
}

export interface Page extends AnswerFile {
  readonly lastPage: number;
}

const isPage = recordOf<{
  data: { items: readonly Readonly<Record<string, unknown>>[]; meta: { last_page: number } };
}>({
  data: recordOf({ items: listOf(isRecord), meta: recordOf({ last_page: isNumber }) }),
});

/** One page of a list. Its links name the other pages, and in `items` the file of each item. */
export async function pageOf(snapshot: Snapshot, list: List, perPage: number, page: number): Promise<Page> {
  const { kind, name, query } = list;
  const values = new Map(Object.entries({ ...query, per_page: String(perPage), page: String(page) }));
  const request = { snapshot, query: { values, repeated: new Set<string>() } };
  const answer = await (kind === 'authors' ? answerAuthors(request) : answerPosts(request));
  const body = textOf(answer.body);
  const { items, meta } = parseJson(body, isPage, 'a page of a list').data;
  const path = pathOf(kind, name, page);
  const at = (to: number) => linkTo(path, pathOf(kind, name, to));
  const links = {
    first: at(1),
    prev: page > 1 ? at(page - 1) : null,
    next: page < meta.last_page ? at(page + 1) : null,
    last: at(meta.last_page),
    items: items.map(({ slug, username }) =>
      linkTo(path, kind === 'authors' ? pathOf('author', String(username)) : pathOf('post', String(slug))),
    ),
  };
  return { kind, path, text: withLinks(body, links), lastPage: meta.last_page };
}

/** The list of categories or tags. Its links name the first page of each. */
export function termsAnswer(
  kind: 'categories' | 'tags',
  body: string,
  terms: readonly { readonly slug: string }[],
): AnswerFile {
  const path = pathOf(kind);
  const of = kind === 'categories' ? 'category' : 'tag';
  const items = terms.map(({ slug }) => linkTo(path, pathOf(of, slug)));
  return { kind, path, text: withLinks(body, { items }) };
}

/** An author. Its links name the first page of their articles. */
export function authorAnswer(username: string, body: string): AnswerFile {
  const path = pathOf('author', username);
  const links = { posts: linkTo(path, pathOf('postsByAuthor', username)) };
  return { kind: 'author', path, text: withLinks(body, links) };
}

/** The overview of the tree, which has neither permissions nor limits. */
export function overviewAnswer(perPage: number): AnswerFile {
  const kind = 'overview';
  const path = pathOf(kind);
  const data = {
    name: API_NAME,
    version: API_VERSION,
    endpoints: KINDS.map((known) => endpointLabel(`/${PATHS[known]}`)),
    per_page: perPage,
  };
  const to = (known: AnswerKind) => linkTo(path, pathOf(known));
  const links = {
    posts: to('posts'),
    oldest_posts: to('oldPosts'),
    popular_posts: to('popularPosts'),
    categories: to('categories'),
    tags: to('tags'),
    authors: to('authors'),
    openapi: linkTo(path, 'openapi.json'),
    documentation: linkTo(path, 'index.html'),
  };
  return { kind, path, text: withLinks(envelope(JSON.stringify(data)), links) };
}

/** @param body an envelope, as JSON text */
function withLinks(body: string, links: object): string {
  return `${body.slice(0, -1)},"links":${JSON.stringify(links)}}`;
}

const decoder = new TextDecoder();

/** The text of a ready answer. */
export function textOf(body: Uint8Array): string {
  return decoder.decode(body);
}
