import { envelope } from '../../contract/api.ts';
import { compose } from '../../contract/composing.ts';
import { type Answer, taggedAnswer } from '../answer.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';

/** A page and its list. */
interface PageOfList {
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
  items: MaybePromise<Uint8Array>,
): MaybePromise<Answer> {
  const { page, perPage, total } = list;
  const last = Math.max(1, Math.ceil(total / perPage));
  const meta = JSON.stringify({ page, per_page: perPage, last_page: last, total });
  const link = linkHeader(list, last);
  return andThen(items, (bytes) => {
    const body = compose((to) => {
      to.addText(BEGINNING);
      to.addBytes(bytes, 0, bytes.length);
      to.addText(`],"meta":${meta}}}`);
    });
    return taggedAnswer(snapshot, body, link);
  });
}

const BEGINNING = envelope('{"items":[').slice(0, -1);

/** The `Link` header (RFC 8288): first, prev, next and last page, if they exist. */
function linkHeader({ path, parameters, page, perPage }: PageOfList, last: number): string {
  const pairs = [...Object.entries(parameters), ['per_page', String(perPage)] as const];
  const query = pairs.map(([name, value]) => `${name}=${formEncoded(value)}`).join('&');
  const links = [link('first', 1)];
  if (page > 1) links.push(link('prev', Math.min(page - 1, last)));
  if (page < last) links.push(link('next', page + 1));
  links.push(link('last', last));
  return links.join(', ');

  function link(relation: string, to: number): string {
    return `<${path}?${query}&page=${to}>; rel="${relation}"`;
  }
}

/** A value as forms write it. Most need no encoding, which takes 2 µs. */
function formEncoded(value: string): string {
  return /^[\w.*-]*$/.test(value) ? value : new URLSearchParams({ value }).toString().slice('value='.length);
}
