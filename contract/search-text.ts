/**
 * What search compares (design, "Filtering and searching"): texts and terms in Unicode NFKC, then full
 * lower case. The build normalises texts with this, the gateway terms, so the two cannot differ.
 */

/** Characters and terms a search may have. */
export const MAX_QUERY_CHARACTERS = 100;
export const MAX_QUERY_TERMS = 8;

const WHITE_SPACE = /\s+/u;
const OTHER_THAN_SPACE = /[^\S ]/u;
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** A text as search compares it. ASCII is in NFKC already. */
export function normalise(text: string): string {
  return (BEYOND_ASCII.test(text) ? text.normalize('NFKC') : text).toLowerCase();
}

/**
 * The words of a text, normalised: what stands between white space. Normalising comes first, since
 * NFKC makes spaces of some characters.
 *
 * A term holds no white space, so it occurs in a text exactly when it occurs inside one of its words.
 */
export function wordsOf(text: string): string[] {
  const normalised = normalise(text);
  const words = normalised.split(OTHER_THAN_SPACE.test(normalised) ? WHITE_SPACE : ' ');
  return words.includes('') ? words.filter((word) => word !== '') : words;
}

/** The distinct terms of a search, each of which must occur. A term inside another says nothing more. */
export function termsOf(query: string): string[] {
  const terms = [...new Set(wordsOf(query))];
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)));
}
