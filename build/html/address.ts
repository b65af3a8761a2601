/**
 * An address of an article's HTML, made absolute; empty where it cannot be. Fragments stay as they are:
 * they lead to a place within the article, wherever it is shown. Frames are asked for with https alone:
 * what comes without may be anyone's. Of data, only pictures.
 *
 * @param tag the element that has it
 * @param base the article's own URL
 */
export function absolute(tag: string, address: string, base: string): string {
  if (tag === 'iframe') return (URL.parse(address, base)?.href ?? '').replace(/^http:/, 'https:');
  // The library would search an address for comments, again and again.
  if (address.includes('<')) return absolute(tag, address.replaceAll('<', '%3C'), base);
  if (address.startsWith('#') || /^https?:\/\//i.test(address)) return address;
  const made = URL.parse(address, base)?.href ?? '';
  return /^data:(?!image\/)/i.test(made) ? '' : made;
}

/** What a server may read as the way to another folder, after the URL parser has resolved all that is standard. */
const PATH_TRICK = /\/\/|\/\.\.|%(?:2e|2f|5c|25|00)|\\/i;

/**
 * Whether a frame's address leads to one of these players, and to nothing else on their hosts.
 *
 * @param players `host`, or `host/path` where the path begins so; `*` is one name in a path
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
