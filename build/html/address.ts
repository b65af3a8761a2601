/**
 * An address of an article's HTML, made absolute; empty where it cannot be. Fragments stay as they are:
 * they lead to a place within the article, wherever it is shown.
 *
 * @param base the article's own URL
 */
export function absolute(address: string, base: string): string {
  if (address.startsWith('#') || /^https?:\/\//i.test(address)) return address;
  return URL.parse(address, base)?.href ?? '';
}
