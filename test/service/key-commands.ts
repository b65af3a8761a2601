import { z } from 'zod';
import type { Environment } from './command.ts';
import { answerOf, offprintInProcess } from './in-process.ts';
import type { CreatedKey, KeyWish } from './home.ts';

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

/** `accounts set`. */
export async function setPlan(
  files: readonly string[],
  account: string,
  plan: string,
  environment?: Environment,
): Promise<void> {
  await answerOf(['accounts', 'set', account, '--plan', plan, ...files], environment);
}

/** `keys rotate`. */
export async function rotateKey(
  files: readonly string[],
  prefix: string,
  environment?: Environment,
): Promise<CreatedKey> {
  return createdKeySchema.parse(await answerOf(['keys', 'rotate', prefix, ...files], environment));
}

/**
 * `keys revoke`.
 *
 * @throws Error if the command fails
 */
export async function revokeKey(
  files: readonly string[],
  prefix: string,
  environment?: Environment,
): Promise<void> {
  const { code, stderr } = await offprintInProcess(['keys', 'revoke', prefix, ...files], environment);
  if (code !== 0) throw new Error(`keys revoke ended with ${code}: ${stderr}`);
}
