import { type EndpointName, envelope } from '../../contract/api.ts';
import { type Answer, encodeBody, readyAnswer } from '../answer.ts';
import type { Caller } from '../caller.ts';
import type { Query } from '../query.ts';
import type { Verdict } from '../quota.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { answerAuthor, answerAuthors } from './authors.ts';
import { answerChanges } from './changes.ts';
import { answerPost, answerPosts } from './posts.ts';

/** The input of an endpoint. */
export interface EndpointRequest {
  readonly snapshot: Snapshot;
  /** Whether its pointer was read after the request arrived, or there is no other. */
  readonly isNewest: boolean;
  /** The path parameter, decoded. */
  readonly parameter: string;
  readonly query: Query;
  readonly caller: Caller;
  /** May be pending: only answers that contain it wait. */
  readonly verdict: MaybePromise<Verdict>;
}

/** The input of a list, which is the same for every caller. */
export type ListRequest = Pick<EndpointRequest, 'snapshot' | 'query'>;

/** @throws ApiError 400, 404, 422; SnapshotBehind */
export type Endpoint = (request: EndpointRequest) => MaybePromise<Answer>;

/** The handler of each endpoint. */
export const HANDLERS: Readonly<Record<EndpointName, Endpoint>> = {
  overview: ready('overview'),
  me: answerMe,
  posts: answerPosts,
  post: answerPost,
  changes: answerChanges,
  categories: ready('categories'),
  tags: ready('tags'),
  authors: answerAuthors,
  author: answerAuthor,
};

/** The handler of a ready answer of which every snapshot has one. */
function ready(kind: 'overview' | 'categories' | 'tags'): Endpoint {
  return ({ snapshot }) => readyAnswer(snapshot, snapshot.directory[kind]);
}

/** `GET /me`: the calling key and today's usage of its account. */
function answerMe({ caller: { key }, verdict }: EndpointRequest): MaybePromise<Answer> {
  const status = key && { name: key.name, prefix: key.prefix, scopes: key.scopes };
  return andThen(verdict, ({ limit, used, remaining }) => {
    const data = JSON.stringify({ key: status, quota: { limit, used, remaining } });
    return { body: encodeBody(envelope(data)), etag: null, link: null };
  });
}
