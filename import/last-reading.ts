import { hash } from 'node:crypto';
import { isNumber, isText, mapOf, parseJson, recordOf } from '../contract/json.ts';

/** What a format keeps of a blog from one import to the next: its `state`. */
export interface LastReading {
  /** Changes when all posts may have changed. A hash. */
  readonly basis: string;
  /** Tags, authors and the like by id, as hashes. */
  readonly terms: Readonly<Record<string, string>>;
  /** The version of each post, by id or source, as a hash. */
  readonly posts: Readonly<Record<string, string>>;
}

const FORMAT = 1;

const isState = recordOf<LastReading & { readonly format: number }>({
  format: isNumber,
  basis: isText,
  terms: mapOf(isText),
  posts: mapOf(isText),
});

/** Null if there is none, or if another version wrote it. */
export function stateFrom(text: string | null): LastReading | null {
  if (text === null) return null;
  try {
    const state = parseJson(text, isState, "a blog's state");
    return state.format === FORMAT ? state : null;
  } catch {
    return null;
  }
}

export function stateText(state: LastReading): string {
  return JSON.stringify({ format: FORMAT, ...state });
}

export function hashOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}
