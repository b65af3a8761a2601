import type { NameTableName } from '../../contract/directory.ts';
import { type Answer, publicAnswer } from '../answer.ts';
import { notFound } from '../api-error.ts';
import { andThen, type Soon } from '../soon.ts';
import type { EndpointRequest } from './endpoints.ts';

/** Endpoints whose whole answer is one object of the snapshot. */

export function answerOverview({ snapshot }: EndpointRequest): Soon<Answer> {
  return readyObject({ snapshot }, 'overview');
}

export function answerCategories({ snapshot }: EndpointRequest): Soon<Answer> {
  return readyObject({ snapshot }, 'categories');
}

export function answerTags({ snapshot }: EndpointRequest): Soon<Answer> {
  return readyObject({ snapshot }, 'tags');
}

/** `GET /posts/{slug}` */
export function answerPost(request: EndpointRequest): Soon<Answer> {
  return namedObject(request, 'post', 'There is no published article of this slug. GET /posts lists them.');
}

/** `GET /authors/{username}` */
export function answerAuthor(request: EndpointRequest): Soon<Answer> {
  return namedObject(request, 'author', 'There is no author of this username. GET /authors lists them.');
}

function readyObject(
  { snapshot }: Pick<EndpointRequest, 'snapshot'>,
  kind: 'overview' | 'categories' | 'tags',
): Soon<Answer> {
  const hash = snapshot.directory[kind];
  return andThen(snapshot.read(kind, hash), (body) => publicAnswer(body, hash));
}

function namedObject(
  { snapshot, parameter }: EndpointRequest,
  kind: NameTableName & ('post' | 'author'),
  absence: string,
): Soon<Answer> {
  return andThen(snapshot.find(kind, parameter), (hash) => {
    if (hash === null) throw notFound(absence);
    return andThen(snapshot.read(kind, hash), (body) => publicAnswer(body, hash));
  });
}
