/**
 * Conditional requests (RFC 9110, 13). There is no Last-Modified, so If-Modified-Since and If-Unmodified-Since are
 * ignored, as 13.1.3 and 13.1.4 ask.
 *
 * Lists are not parsed: our tag is quoted, and no tag contains a quote (8.8.3). So a long header costs only a search.
 */

/**
 * Whether If-Match fails (13.1.1): it is neither `*` nor contains our tag. The comparison is strong: weak tags never
 * match.
 *
 * @param ifMatch the header's value
 * @param etag ours, strong and quoted; null: none, so only `*` matches
 */
export function failsIfMatch(ifMatch: string | undefined, etag: string | null): boolean {
  const wanted = ifMatch?.trim() ?? '';
  if (wanted === '' || wanted === '*') return false; // Some platforms drop empty headers.
  return etag === null || !wanted.replaceAll(`W/${etag}`, '').includes(etag);
}

/**
 * Whether the client has the current version (13.1.2): If-None-Match is `*` or contains our tag. The comparison is weak: `W/` is ignored.
 *
 * @param ifNoneMatch the header's value
 * @param etag ours, strong and quoted
 */
export function isUnmodified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag);
}
