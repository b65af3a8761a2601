import { errors } from 'undici';
import { reasonOf } from '../../common/thrown.ts';

/** Identifies this program to servers. */
export const USER_AGENT = 'offprint (blog importer)';

/** Why a request failed: an error code like `ECONNREFUSED`, or undici's message. */
export function failureOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'it takes too long';
  return cause instanceof errors.UndiciError ? cause.message : reasonOf(cause);
}
