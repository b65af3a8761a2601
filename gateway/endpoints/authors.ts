import { PREFIX } from '../../contract/api.ts';
import { PAGE_SIZE } from '../../contract/snapshot.ts';
import { PAGING_PARAMETERS } from '../../contract/parameters.ts';
import { type Answer, readyAnswer } from '../answer.ts';
import { ApiError } from '../api-error.ts';
import { pagedAnswer } from '../listing/paging.ts';
import { composeRecords } from '../listing/composing.ts';
import { readParameters } from '../parameters.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { EndpointRequest, ListRequest } from './endpoints.ts';

/** `GET /authors`: the authors with a published article, by their number of articles. */
export function answerAuthors({ snapshot, query }: ListRequest): MaybePromise<Answer> {
  const { page, per_page: perPage } = readParameters(query, PAGING_PARAMETERS);
  return snapshot.answers.get(`authors ${perPage} ${page}`, () => {
    const list = {
      path: `${PREFIX}/authors`,
      parameters: {},
      total: snapshot.directory.authors,
      page,
      perPage,
    };
    return pagedAnswer(snapshot, list, readAuthors(snapshot, (page - 1) * perPage, perPage));
  });
}

/** `GET /authors/{username}`. @throws ApiError 404 */
export function answerAuthor({ snapshot, parameter }: EndpointRequest): MaybePromise<Answer> {
  return andThen(snapshot.find('author', parameter), (entry) => {
    if (entry) return readyAnswer(snapshot, entry[1]);
    throw new ApiError(404, 'There is no author with this username. GET /authors lists them.');
  });
}

/** `count` authors from index `from`. */
function readAuthors(snapshot: Snapshot, from: number, count: number): MaybePromise<Uint8Array> {
  const { author_pages: pages, authors } = snapshot.directory;
  const end = Math.min(authors, from + count);
  const first = Math.floor(from / PAGE_SIZE);
  const reads = pages.slice(first, Math.ceil(end / PAGE_SIZE)).map((hash, i) => {
    const start = (first + i) * PAGE_SIZE;
    const indexes = Array.from({ length: Math.min(PAGE_SIZE, authors - start) }, (_, index) => index);
    const wanted = indexes.filter((index) => start + index >= from && start + index < end);
    return () => snapshot.objects.readRecords(hash, wanted);
  });
  return composeRecords(undefined, reads, (to, { bytes, start, end: last }) =>
    to.addBytes(bytes, start, last),
  );
}
