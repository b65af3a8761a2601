import { envelope } from '../../contract/api.ts';
import { type Answer, privateAnswer } from '../answer.ts';
import { andThen, type Soon } from '../soon.ts';
import type { EndpointRequest } from './endpoints.ts';

/** `GET /me`: the calling key, and what its account has used today. */
export function answerMe({ caller: { key }, verdict }: EndpointRequest): Soon<Answer> {
  const status = key && { name: key.name, prefix: key.prefix, scopes: key.scopes };
  return andThen(verdict, ({ limit, used, remaining }) =>
    privateAnswer(envelope(JSON.stringify({ key: status, quota: { limit, used, remaining } }))),
  );
}
