import { isScope, type Scope } from './api.ts';
import { absentOr, isNumber, isRecord, isText, listOf } from './json.ts';

/** What the gateway knows about a key: the file `keys/<sha256>.json`, next to the snapshot. */
export interface KeyRecord {
  /** The account's name: the daily limit belongs to it, not to the key. */
  readonly account: string;
  /** The account's plan (contract/policy.ts). */
  readonly plan: string;
  /** The name given to the key. */
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly revoked: boolean;
  /** From this time on the key is refused: milliseconds since 1970. Absent: it does not expire. */
  readonly expires?: number;
  /** It was replaced by another key, and works until it expires. For owners: nobody needs to be told of its end. */
  readonly replaced?: boolean;
}

/** The path of a key's record, from the root of the output. */
export function keyPath(sha256: string): string {
  return `keys/${sha256}.json`;
}

const isTexts = listOf(isText);
const isExpiry = absentOr(isNumber);
const isReplaced = absentOr((value): value is boolean => typeof value === 'boolean');

/** @throws SyntaxError if the text is not a key record */
export function parseKeyRecord(text: string): KeyRecord {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new SyntaxError('not a key record');
  const { account, plan, name, prefix, scopes, revoked, expires, replaced } = value;
  if (
    typeof account !== 'string' ||
    typeof plan !== 'string' ||
    typeof name !== 'string' ||
    typeof prefix !== 'string' ||
    typeof revoked !== 'boolean' ||
    !isTexts(scopes) ||
    !isExpiry(expires) ||
    !isReplaced(replaced)
  ) {
    throw new SyntaxError('not a key record');
  }
  const record = { account, plan, name, prefix, scopes: scopes.filter(isScope), revoked };
  return {
    ...record,
    ...(expires === undefined ? {} : { expires }),
    ...(replaced === undefined ? {} : { replaced }),
  };
}
