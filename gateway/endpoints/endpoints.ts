import type { EndpointName } from '../../contract/api.ts';
import type { Answer } from '../answer.ts';
import type { Caller } from '../caller.ts';
import type { Query } from '../query.ts';
import type { Verdict } from '../quota.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Soon } from '../soon.ts';
import { answerAuthors } from './authors.ts';
import { answerMe } from './me.ts';
import { answerPosts } from './posts.ts';
import { named, ready } from './ready.ts';

/** All that an endpoint may look at. */
export interface EndpointRequest {
  readonly snapshot: Snapshot;
  /** The path parameter, decoded. */
  readonly parameter: string;
  readonly query: Query;
  readonly caller: Caller;
  /** May be under way still: only an answer that speaks of it waits for it. */
  readonly verdict: Soon<Verdict>;
}

/** What a list looks at: it is the same for every caller. */
export type ListRequest = Pick<EndpointRequest, 'snapshot' | 'query'>;

/** @throws ApiError 400, 404, 422 */
export type Endpoint = (request: EndpointRequest) => Soon<Answer>;

/** What answers each endpoint. */
export const HANDLERS: Readonly<Record<EndpointName, Endpoint>> = {
  overview: ready('overview'),
  me: answerMe,
  posts: answerPosts,
  post: named('post', 'There is no published article with this slug. GET /posts lists them.'),
  categories: ready('categories'),
  tags: ready('tags'),
  authors: answerAuthors,
  author: named('author', 'There is no author with this username. GET /authors lists them.'),
};
