/**
 * The answers of the tree, from the gateway's own endpoints: each article, author, category and tag is the gateway's, byte
 * for byte. `links`, next to `data`, names other files, because files have no `Link` header.
 */
import { API_NAME, API_VERSION, envelope, PER_PAGE_MAX, type Sort } from '../../contract/api.ts';
import { isNumber, isText, listOf, parseJson, recordOf } from '../../contract/json.ts';
import { endpointLabel } from '../../contract/policy.ts';
import { listPosts, readQuery } from '../../gateway/endpoints/posts.ts';
import type { Filters } from '../../gateway/listing/filter.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { type AnswerKind, answerPath, KINDS, linkTo, PATHS } from './paths.ts';

/** A list of articles by the time of their publication. */
export interface ArticleList {
  readonly kind: 'posts' | 'category' | 'tag' | 'postsByAuthor';
  /** The slug or username in its path; empty: none. */
  readonly name: string;
  readonly filter: Partial<Filters>;
}

/** The text of a file and its path. */
export interface AnswerFile {
  readonly kind: AnswerKind;
  readonly path: string;
  readonly text: string;
}

/**
 * The files of a list: an archive of full pages, numbered from the oldest, and the file of the newest articles, one to two
 * pages, which has the numbers that change with each article. So an archived page changes only with its articles. Each
 * file is newest first, and `next` leads from the newest file through the archive (as in RFC 5005, section 4).
 */
export async function* listAnswers(
  snapshot: Snapshot,
  { kind, name, filter }: ArticleList,
  perPage: number,
): AsyncGenerator<AnswerFile> {
  const first = await readPosts(snapshot, filter, 'old', perPage, 1);
  const read = (page: number) => (page === 1 ? first : readPosts(snapshot, filter, 'old', perPage, page));
  const { total } = first.meta;
  const archived = Math.max(0, Math.floor(total / perPage) - 1);
  const newest = answerPath(kind, name);
  const pathAt = (page: number) => (page > archived ? newest : answerPath(`${kind}Archive`, name, page));
  const file = (page: number, oldestFirst: Posts, more: object): AnswerFile => {
    const path = pathAt(page);
    const at = (to: number) => linkTo(path, pathAt(to));
    const items = oldestFirst.toReversed();
    const links = {
      first: linkTo(path, newest),
      prev: page > archived ? null : at(page + 1),
      next: page > 1 ? at(page - 1) : null,
      last: at(1),
      items: linksToPosts(path, items),
    };
    return {
      kind: page > archived ? kind : `${kind}Archive`,
      path,
      text: withLinks(envelope(JSON.stringify({ items, ...more })), links),
    };
  };
  for (let page = archived; page > 0; page--) yield file(page, (await read(page)).items, {});
  const page = archived + 1;
  const items = [...(await read(page)).items, ...(await read(page + 1)).items];
  yield file(page, items, { meta: { page: 1, per_page: perPage, last_page: page, total } });
}

/** The most viewed articles: as many as the gateway has on a page. */
export async function popularAnswer(snapshot: Snapshot): Promise<AnswerFile> {
  const kind = 'popularPosts';
  const path = answerPath(kind);
  const { items } = await readPosts(snapshot, {}, 'popular', PER_PAGE_MAX, 1);
  const text = withLinks(envelope(JSON.stringify({ items })), { items: linksToPosts(path, items) });
  return { kind, path, text };
}

type Posts = readonly { readonly slug: string }[];

const isPage = recordOf<{ data: { items: Posts; meta: { total: number } } }>({
  data: recordOf({ items: listOf(recordOf({ slug: isText })), meta: recordOf({ total: isNumber }) }),
});

/** A page from the gateway. The filter is not a query: a query cannot contain a tag with a comma. */
async function readPosts(
  snapshot: Snapshot,
  filter: ArticleList['filter'],
  sort: Sort,
  perPage: number,
  page: number,
) {
  const values = new Map(Object.entries({ sort, per_page: String(perPage), page: String(page) }));
  const { list } = readQuery({ values, repeated: new Set<string>() });
  const selection = { ...list.selection, filters: { ...list.selection.filters, ...filter } };
  const { body } = await listPosts(snapshot, { ...list, selection });
  return parseJson(decodeBody(body), isPage, 'a page of articles').data;
}

function linksToPosts(from: string, items: Posts): readonly string[] {
  return items.map(({ slug }) => linkTo(from, answerPath('post', slug)));
}

/** All authors, in one file. Its links name the file of each. @param authors each a record, as JSON text */
export function authorsAnswer(authors: readonly string[]): AnswerFile {
  const kind = 'authors';
  const path = answerPath(kind);
  const items = authors.map((text) => {
    const { username } = parseJson(text, recordOf({ username: isText }), 'an author');
    return linkTo(path, answerPath('author', username));
  });
  return { kind, path, text: withLinks(envelope(`{"items":[${authors.join(',')}]}`), { items }) };
}

/** The list of categories or tags. Its links name the newest articles of each. */
export function termsAnswer(
  kind: 'categories' | 'tags',
  body: string,
  terms: readonly { readonly slug: string }[],
): AnswerFile {
  const path = answerPath(kind);
  const of = kind === 'categories' ? 'category' : 'tag';
  const items = terms.map(({ slug }) => linkTo(path, answerPath(of, slug)));
  return { kind, path, text: withLinks(body, { items }) };
}

/** An author. Its links name their newest articles. */
export function authorAnswer(username: string, body: string): AnswerFile {
  const path = answerPath('author', username);
  const links = { posts: linkTo(path, answerPath('postsByAuthor', username)) };
  return { kind: 'author', path, text: withLinks(body, links) };
}

/** The overview of the tree, which has neither permissions nor limits. */
export function overviewAnswer(perPage: number): AnswerFile {
  const kind = 'overview';
  const path = answerPath(kind);
  const data = {
    name: API_NAME,
    version: API_VERSION,
    endpoints: KINDS.map((known) => endpointLabel(`/${PATHS[known]}`)),
    per_page: perPage,
  };
  const to = (known: AnswerKind) => linkTo(path, answerPath(known));
  const links = {
    posts: to('posts'),
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
export function decodeBody(body: Uint8Array): string {
  return decoder.decode(body);
}
