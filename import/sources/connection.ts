import { errors } from 'undici';

/** Identifies this program to servers. */
export const USER_AGENT = 'offprint (blog importer)';

/** Why a request failed: an error code like `ECONNREFUSED`, or undici's message. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return 'it takes too long';
  if (cause instanceof errors.UndiciError) return cause.message;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
