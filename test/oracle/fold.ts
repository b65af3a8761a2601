/** Ignoring case: Unicode NFKC, then full lower case. The one rule of search that SQLite lacks. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * The terms of a search, folded: what stands between white space. Folding comes first, since it makes
 * spaces of some letters, and a term has none. Not folded again: doing so twice is not doing so once.
 */
export function termsOf(q: string): string[] {
  return fold(q)
    .split(/\s+/u)
    .filter((term) => term !== '');
}
