/**
 * Searches in one text from positions that mostly rise. A result is cached until the position has passed it, so all
 * searches for one thing read the text once: unclosed openings cost no more than other text.
 */
export class TextSearch {
  readonly #text: string;
  readonly #found = new Map<string | RegExp, { from: number; at: number; match: RegExpExecArray | null }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Like `text.indexOf(wanted, from)`, but null if there is none. */
  indexOf(wanted: string, from: number): number | null {
    const known = this.#known(wanted, from);
    if (known !== undefined) return known.at === Infinity ? null : known.at;
    const at = this.#text.indexOf(wanted, from);
    this.#found.set(wanted, { from, at: at === -1 ? Infinity : at, match: null });
    return at === -1 ? null : at;
  }

  /** The first match at or after `from`. `pattern` is global; reuse the same object for the same pattern. */
  match(pattern: RegExp, from: number): RegExpExecArray | null {
    const known = this.#known(pattern, from);
    if (known !== undefined) return known.match;
    pattern.lastIndex = from;
    const match = pattern.exec(this.#text);
    this.#found.set(pattern, { from, at: match?.index ?? Infinity, match });
    return match;
  }

  #known(wanted: string | RegExp, from: number) {
    const known = this.#found.get(wanted);
    return known !== undefined && known.from <= from && from <= known.at ? known : undefined;
  }
}
