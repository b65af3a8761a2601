import { envelope } from '../../contract/api.ts';
import { joinPieces, type Piece } from '../../contract/pieces.ts';
import { type Answer, answerOf } from '../answer.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';

/** A page and its list. */
export interface PageOfList {
  /** The endpoint's path. */
  readonly path: string;
  /** Parameters other than `page` and `per_page`, without empty ones. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Records on all of its pages. */
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/**
 * The answer for one page of a list (interface, "Paged list").
 *
 * @param items the JSON texts of the records, with commas between them
 */
export function pagedAnswer(
  snapshot: Snapshot,
  list: PageOfList,
  items: MaybePromise<readonly Piece[]>,
): MaybePromise<Answer> {
  const { page, perPage, total } = list;
  const last = Math.max(1, Math.ceil(total / perPage));
  const meta = JSON.stringify({ page, per_page: perPage, last_page: last, total });
  const link = linkHeader(list, last);
  return andThen(items, (pieces) =>
    answerOf(snapshot, joinPieces([BEGINNING, ...pieces, `],"meta":${meta}}}`]), link),
  );
}

const BEGINNING = envelope('{"items":[').slice(0, -1);

/** The `Link` header (RFC 8288): first, prev, next and last page, if they exist. */
function linkHeader({ path, parameters, page, perPage }: PageOfList, last: number): string {
  const query = new URLSearchParams({ ...parameters, per_page: String(perPage) }).toString();
  const links = [link('first', 1)];
  if (page > 1) links.push(link('prev', Math.min(page - 1, last)));
  if (page < last) links.push(link('next', page + 1));
  links.push(link('last', last));
  return links.join(', ');

  function link(relation: string, to: number): string {
    return `<${path}?${query}&page=${to}>; rel="${relation}"`;
  }
}
