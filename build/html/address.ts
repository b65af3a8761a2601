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
  if (address.startsWith('#') || /^https?:\/\//i.test(address)) return address;
  const made = URL.parse(address, base)?.href ?? '';
  return /^data:(?!image\/)/i.test(made) ? '' : made;
}

/** Whether a frame's address leads to one of these hosts, and to nothing else that listens there. */
export function isEmbed(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address);
  return url !== null && hosts.some((host) => url.href.startsWith(`https://${host}/`));
}
