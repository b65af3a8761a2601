import { publicAnswer } from '../answer.ts';
import { ApiError } from '../api-error.ts';
import { andThen } from '../maybe-promise.ts';
import type { Endpoint } from './endpoints.ts';

/** A ready answer of which every snapshot has one. */
export function ready(kind: 'overview' | 'categories' | 'tags'): Endpoint {
  return ({ snapshot }) => {
    const hash = snapshot.directory[kind];
    return andThen(snapshot.read(kind, hash), (body) => publicAnswer(body, hash));
  };
}

/** A ready answer by the name in the path. @param absence the message of a 404 */
export function named(kind: 'post' | 'author', absence: string): Endpoint {
  return ({ snapshot, parameter }) =>
    andThen(snapshot.find(kind, parameter), (entry) => {
      if (entry === null) throw new ApiError(404, absence);
      const [, hash] = entry;
      return andThen(snapshot.read(kind, hash), (body) => publicAnswer(body, hash));
    });
}
