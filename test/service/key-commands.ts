import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type KeyRecord, keyPath, parseKeyRecord } from '../../contract/key-record.ts';
import type { Environment } from './command.ts';
import { answerOf } from './in-process.ts';
import type { CreatedKey, KeyWish, Service } from './home.ts';

/** The answer of `keys create` and `keys rotate`, with `--json`. */
export const createdKeySchema = z.strictObject({
  key: z.string(),
  prefix: z.string(),
  account: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
});

/** `keys create`; `files` are the options for database and folder. */
export async function createKey(
  files: readonly string[],
  wish: KeyWish,
  environment?: Environment,
): Promise<CreatedKey> {
  const args = ['keys', 'create', ...files, '--account', wish.account, '--name', wish.name];
  if (wish.scopes !== undefined) args.push('--scopes', wish.scopes.join(','));
  if (wish.plan !== undefined) args.push('--plan', wish.plan);
  if (wish.expires !== undefined) args.push('--expires', wish.expires);
  return createdKeySchema.parse(await answerOf(args, environment));
}

/** The commands that change keys and accounts. @param files the options for database and folder */
export function keyCommands(
  files: readonly string[],
  environment?: Environment,
): Pick<Service, 'createKey' | 'setPlan' | 'revokeKey' | 'rotateKey'> {
  const answer = (...args: readonly string[]) => answerOf([...args, ...files], environment);
  return {
    createKey: (wish) => createKey(files, wish, environment),
    setPlan: async (account, plan) => void (await answer('accounts', 'set', account, '--plan', plan)),
    rotateKey: async (prefix) => createdKeySchema.parse(await answer('keys', 'rotate', prefix)),
    revokeKey: async (prefix) => void (await answer('keys', 'revoke', prefix)),
  };
}

/** What the gateway of an output reads about a key. */
export function recordOf(out: string, key: string): KeyRecord {
  const sha256 = createHash('sha256').update(key).digest('hex');
  return parseKeyRecord(readFileSync(join(out, keyPath(sha256)), 'utf8'));
}
