/**
 * Normalisation for search: Unicode NFKC, then full lower case. The build applies
 * it to texts and the gateway to terms, so the two cannot differ.
 */
import { isText, listOf, nullOr, parseJson, recordOf } from '../json.ts';

/** Limits of a search. */
export const MAX_QUERY_CHARACTERS = 100;
export const MAX_QUERY_TERMS = 8;

const WHITE_SPACE = /\s+/u;
const OTHER_THAN_SPACE = /[^\S ]/u;
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** A text, normalised for search. ASCII is always in NFKC. */
export function normalise(text: string): string {
  return (BEYOND_ASCII.test(text) ? text.normalize('NFKC') : text).toLowerCase();
}

/**
 * The words of a text, normalised and split at white space. It is normalised first, because NFKC turns some characters
 * into spaces.
 *
 * A term contains no white space, so it occurs in a text exactly when it occurs inside one of its words.
 */
export function splitWords(text: string): string[] {
  const normalised = normalise(text);
  const words = normalised.split(OTHER_THAN_SPACE.test(normalised) ? WHITE_SPACE : ' ');
  return words.includes('') ? words.filter((word) => word !== '') : words;
}

/** The distinct terms of a search, all required. A term inside another one is redundant and left out. */
export function parseTerms(query: string): string[] {
  const terms = [...new Set(splitWords(query))];
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)));
}

/** What search covers of an article. */
export interface Searched {
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
}

const isSearched = recordOf<Searched>({ title: isText, description: nullOr(isText), tags: listOf(isText) });

/** The same from its record in lists. @throws SyntaxError */
export function searchedIn(summary: string): Searched {
  return parseJson(summary, isSearched, 'the summary of an article');
}

/** The words that search covers. */
export function searchedWords({ title, description, tags }: Searched): string[] {
  return [title, description ?? '', ...tags].flatMap(splitWords);
}

/** The same as one text. A term has no space, so it never spans two of the joined texts. */
export function searchedText({ title, description, tags }: Searched): string {
  return [title, description ?? '', ...tags].map(normalise).join(' ');
}
