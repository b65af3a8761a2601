/**
 * Makes an address in an article's HTML absolute; empty if that is impossible. Fragments do not change: they point into
 * the article, wherever it is shown. Frames load only over https, since plain http can be forged. `data:` is allowed
 * only for images.
 *
 * @param tag the element with the address
 * @param base the article's own URL
 */
export function absolute(tag: string, address: string, base: string): string {
  if (tag === 'iframe') return (URL.parse(address, base)?.href ?? '').replace(/^http:/, 'https:');
  // The library would search the address for comments, in quadratic time.
  if (address.includes('<')) return absolute(tag, address.replaceAll('<', '%3C'), base);
  if (address.startsWith('#') || /^https?:\/\//i.test(address)) return address;
  const made = URL.parse(address, base)?.href ?? '';
  return /^data:(?!image\/)/i.test(made) ? '' : made;
}

/** Paths that a server may resolve to another folder, after the URL parser has resolved the standard forms. */
const PATH_TRICK = /\/\/|\/\.\.|%(?:2e|2f|5c|25|00)|\\/i;

/**
 * Whether a frame's address is that of an allowed player, and of nothing else on the player's host.
 *
 * @param players `host`, or `host/path` with the beginning of the path; `*` matches one segment
 */
export function isEmbed(address: string, players: readonly string[]): boolean {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.port !== '')
    return false;
  if (PATH_TRICK.test(url.pathname)) return false;
  const names = url.pathname.slice(1).split('/');
  return players.some((player) => {
    const [host, ...begin] = player.split('/');
    // Something must follow the last slash of `/embed/`.
    return (
      url.hostname === host &&
      begin.every((name, at) => (name === '*' || name === '' ? (names[at] ?? '') !== '' : name === names[at]))
    );
  });
}
