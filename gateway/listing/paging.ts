import { envelope } from '../../contract/api.ts';
import { type Answer, bodyOf, publicAnswer } from '../answer.ts';
import type { Paging } from '../parameters.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { andThen, type Soon } from '../soon.ts';

/** `meta` of a paged list (interface, "Paged list"). */
export interface Meta {
  readonly page: number;
  readonly per_page: number;
  readonly last_page: number;
  readonly total: number;
}

export function metaOf({ page, perPage }: Paging, total: number): Meta {
  return { page, per_page: perPage, last_page: Math.max(1, Math.ceil(total / perPage)), total };
}

/**
 * The answer that is a page of a list.
 *
 * @param items each the JSON text of a record
 */
export function pagedAnswer(
  snapshot: Snapshot,
  items: readonly string[],
  meta: Meta,
  link: string | null,
): Soon<Answer> {
  const body = bodyOf(envelope(`{"items":[${items.join(',')}],"meta":${JSON.stringify(meta)}}`));
  return andThen(snapshot.hashOf(body), (hash) => publicAnswer(body, hash, link));
}

/**
 * The `Link` header (RFC 8288): first, prev, next and last page, where there are such.
 *
 * @param path of the endpoint
 * @param parameters beside `page` and `per_page`, those that are not empty
 */
export function linkHeader(path: string, parameters: Readonly<Record<string, string>>, meta: Meta): string {
  const { page, last_page: last } = meta;
  const links = [link('first', 1)];
  if (page > 1) links.push(link('prev', Math.min(page - 1, last)));
  if (page < last) links.push(link('next', page + 1));
  links.push(link('last', last));
  return links.join(', ');

  function link(relation: string, to: number): string {
    const query = new URLSearchParams(parameters);
    query.set('per_page', String(meta.per_page));
    query.set('page', String(to));
    return `<${path}?${query.toString()}>; rel="${relation}"`;
  }
}
