import { PREFIX } from '../../contract/api.ts';
import type { Answer } from '../answer.ts';
import { matchFilters } from '../listing/filter.ts';
import { cutPage } from '../listing/order.ts';
import { linkHeader, metaOf, pagedAnswer } from '../listing/paging.ts';
import { readSummaries } from '../listing/summaries.ts';
import { parsePostsQuery, type PostsQuery } from '../parameters.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { andThen, type Soon } from '../soon.ts';
import type { EndpointRequest } from './endpoints.ts';

/** `GET /posts`: filter, order, cut to the page, and only then read summaries. */
export function answerPosts({ snapshot, query }: EndpointRequest): Soon<Answer> {
  const asked = parsePostsQuery(query);
  return snapshot.answer(keyOf(asked), () => listPosts(snapshot, asked));
}

function listPosts(snapshot: Snapshot, asked: PostsQuery): Soon<Answer> {
  const { page, perPage, sort, filters, q } = asked;
  const filterKey = JSON.stringify([filters, q]);
  const matching = snapshot.matching(filterKey, () => matchFilters(snapshot, asked));
  return andThen(matching, (posts) => {
    const positions = cutPage(snapshot, posts, sort, (page - 1) * perPage, perPage);
    const items = andThen(positions, (known) => readSummaries(snapshot, known));
    const meta = metaOf(asked, posts.size);
    const link = linkHeader(`${PREFIX}/posts`, given(asked), meta);
    return andThen(items, (texts) => pagedAnswer(snapshot, texts, meta, link));
  });
}

const KEYS = new WeakMap<PostsQuery, string>();

/** One text for all requests that ask for the same. */
function keyOf(asked: PostsQuery): string {
  let key = KEYS.get(asked);
  if (key === undefined) {
    // All of it, so that no two requests that differ share an answer.
    key = `posts ${JSON.stringify(asked)}`;
    KEYS.set(asked, key);
  }
  return key;
}

/** The parameters that links repeat. */
function given({ filters, q, sort }: PostsQuery): Record<string, string> {
  const all = { ...filters, q, sort: sort === 'new' ? '' : sort };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}
