/** Endpoints whose whole answer is one object of the snapshot. */
import { publicAnswer } from '../answer.ts';
import { notFound } from '../api-error.ts';
import { andThen } from '../soon.ts';
import type { Endpoint } from './endpoints.ts';

/** An object that every snapshot has one of. */
export function ready(kind: 'overview' | 'categories' | 'tags'): Endpoint {
  return ({ snapshot }) => {
    const hash = snapshot.directory[kind];
    return andThen(snapshot.read(kind, hash), (body) => publicAnswer(body, hash));
  };
}

/** An object by the name in the path. @param absence says that there is none */
export function named(kind: 'post' | 'author', absence: string): Endpoint {
  return ({ snapshot, parameter }) =>
    andThen(snapshot.find(kind, parameter), (entry) => {
      if (entry === null) throw notFound(absence);
      const [, hash] = entry;
      return andThen(snapshot.read(kind, hash), (body) => publicAnswer(body, hash));
    });
}
