import { isScope, type Scope } from './api.ts';
import { isRecord, isText, listOf } from './json.ts';

/** What the gateway knows about a key: the file `keys/<sha256>.json`, next to the snapshot. */
export interface KeyRecord {
  /** The account's name: the daily limit belongs to it, not to the key. */
  readonly account: string;
  readonly role: 'user' | 'admin';
  /** The name given to the key. */
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly revoked: boolean;
}

/** The path of a key's record, from the root of the output. */
export function keyPath(sha256: string): string {
  return `keys/${sha256}.json`;
}

const isTexts = listOf(isText);

/** @throws SyntaxError if the text is not a key record */
export function parseKeyRecord(text: string): KeyRecord {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new SyntaxError('not a key record');
  const { account, role, name, prefix, scopes, revoked } = value;
  if (
    typeof account !== 'string' ||
    (role !== 'user' && role !== 'admin') ||
    typeof name !== 'string' ||
    typeof prefix !== 'string' ||
    typeof revoked !== 'boolean' ||
    !isTexts(scopes)
  ) {
    throw new SyntaxError('not a key record');
  }
  return { account, role, name, prefix, scopes: scopes.filter(isScope), revoked };
}
