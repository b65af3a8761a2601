import { readyAnswer } from '../answer.ts';
import { ApiError } from '../api-error.ts';
import { andThen } from '../maybe-promise.ts';
import type { Endpoint } from './endpoints.ts';

/** A ready answer of which every snapshot has one. */
export function ready(kind: 'overview' | 'categories' | 'tags'): Endpoint {
  return ({ snapshot }) => readyAnswer(snapshot, kind, snapshot.directory[kind]);
}

/** A ready answer by the name in the path. @param absence the message of a 404 */
export function named(kind: 'post' | 'author', absence: string): Endpoint {
  return ({ snapshot, parameter }) =>
    andThen(snapshot.find(kind, parameter), (entry) => {
      if (entry === null) throw new ApiError(404, absence);
      return readyAnswer(snapshot, kind, entry[1]);
    });
}
