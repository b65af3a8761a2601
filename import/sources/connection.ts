import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
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

/** Addresses of this machine and its networks, by their ranges in ipaddr.js. */
const PRIVATE = /^(?:unspecified|loopback|linkLocal|private|uniqueLocal|carrierGradeNat)$/;

/** For each IP address of a URL's host, whether it is private. @throws errors of DNS */
export async function arePrivate(url: string): Promise<readonly boolean[]> {
  const found = await lookup(new URL(url).hostname.replace(/^\[|\]$/g, ''), { all: true });
  return found.map(({ address }) => PRIVATE.test(ipaddr.process(address.replace(/%.*$/, '')).range()));
}
