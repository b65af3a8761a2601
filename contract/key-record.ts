import { isScope, type Scope } from './api.ts';
import { absentOr, isFlag, isNumber, isText, listOf, parseJson, recordOf } from './json.ts';

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
  /** It was replaced by another key, and works until it expires. Owners are not warned of its expiry. */
  readonly replaced?: boolean;
}

/** The path of a key's record, from the root of the output. */
export function keyPath(sha256: string): string {
  return `keys/${sha256}.json`;
}

/** Permissions of a newer version are ignored. */
const isStored = recordOf<Omit<KeyRecord, 'scopes'> & { readonly scopes: readonly string[] }>({
  account: isText,
  plan: isText,
  name: isText,
  prefix: isText,
  revoked: isFlag,
  scopes: listOf(isText),
  expires: absentOr(isNumber),
  replaced: absentOr(isFlag),
});

/** @throws SyntaxError if the text is not a key record */
export function parseKeyRecord(text: string): KeyRecord {
  const record = parseJson(text, isStored, 'a key record');
  return { ...record, scopes: record.scopes.filter(isScope) };
}
