/**
 * Whether the client has the current version (RFC 9110, 13.1.2): If-None-Match is `*`, or a list of
 * entity tags of which one is ours. The comparison is weak: `W/` is left aside.
 *
 * @param ifNoneMatch the header's value
 * @param etag ours, strong and quoted
 */
export function isUnmodified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(ENTITY_TAG) ?? []).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** RFC 9110, 8.8.3: a comma may stand inside the quotes. */
const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
