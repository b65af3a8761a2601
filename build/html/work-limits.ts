/**
 * Limits of a body. At each tag the parser searches the open elements, so without a limit its work would be quadratic
 * in the size of the body.
 *
 * In real blogs, bodies have at most 13 levels and 6,200 elements.
 */
const WORK_LIMITS = { nesting: 200, elements: 100_000, attributes: 4_000_000 } as const;

/** The body would take too long to sanitise; its article is left out. */
export class ArticleTooComplex extends Error {
  override name = 'ArticleTooComplex';
}

/** Counts the elements of one body. */
export class ElementCounter {
  #elements = 0;
  #attributes = 0;
  #open: number;

  /** @param open of elements that do not count, negative */
  constructor(open = 0) {
    this.#open = open;
  }

  /** @throws ArticleTooComplex */
  enter(): void {
    this.#elements += 1;
    this.#open += 1;
    if (this.#open > WORK_LIMITS.nesting)
      throw new ArticleTooComplex(
        `its body has more than ${WORK_LIMITS.nesting} levels of nested elements: close elements that are left open`,
      );
    if (this.#elements > WORK_LIMITS.elements)
      throw new ArticleTooComplex(
        `its body has more than ${WORK_LIMITS.elements} elements: split the article`,
      );
  }

  /**
   * Browsers open elements again that are left open at the end of a paragraph, each time with all its attributes.
   *
   * @param characters of an element's attributes
   * @throws ArticleTooComplex
   */
  addAttributes(characters: number): void {
    this.#attributes += characters;
    if (this.#attributes > WORK_LIMITS.attributes)
      throw new ArticleTooComplex(
        `its attributes have more than ${WORK_LIMITS.attributes} characters as browsers read it: close elements that are left open`,
      );
  }

  leave(): void {
    this.#open -= 1;
  }
}
