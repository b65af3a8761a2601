/**
 * Case folding: Unicode NFKC, then full lower case. The only rule of search that SQLite lacks.
 */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * The terms of a search, folded and split at white space. Folding comes first, because it turns some letters into
 * spaces. Terms are not folded again, because folding is not idempotent.
 */
export function termsOf(q: string): string[] {
  return fold(q)
    .split(/\s+/u)
    .filter((term) => term !== '');
}
