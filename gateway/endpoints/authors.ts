import { PREFIX } from '../../contract/api.ts';
import { PAGE_SIZE } from '../../contract/pages.ts';
import { PAGING_PARAMETERS } from '../../contract/parameters.ts';
import type { Answer } from '../answer.ts';
import { pagedAnswer } from '../listing/paging.ts';
import { readParameters } from '../parameters.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { all, andThen, type MaybePromise } from '../maybe-promise.ts';
import type { ListRequest } from './endpoints.ts';

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

/** The JSON texts of `count` authors from index `from`. */
function readAuthors(snapshot: Snapshot, from: number, count: number): MaybePromise<readonly string[]> {
  const first = Math.floor(from / PAGE_SIZE);
  const hashes = snapshot.directory.author_pages.slice(first, Math.ceil((from + count) / PAGE_SIZE));
  const start = from - first * PAGE_SIZE;
  return andThen(all(hashes.map((hash) => snapshot.read('authors', hash))), (pages) =>
    pages.flat().slice(start, start + count),
  );
}
