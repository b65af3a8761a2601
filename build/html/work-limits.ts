/**
 * Limits of a body. At each tag the parser searches the open elements, so without a limit its work would be quadratic
 * in the size of the body.
 *
 * In real blogs, bodies have at most 13 levels and 6,200 elements.
 */
export const WORK_LIMITS = { nesting: 200, elements: 100_000 } as const;

/** The body would take too long to sanitise; its article is left out. */
export class ArticleTooComplex extends Error {
  override name = 'ArticleTooComplex';
}

/** Counts the elements of one body. */
export class ElementCounter {
  #elements = 0;
  #open = 0;

  /** @throws ArticleTooComplex */
  opened(): void {
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

  closed(): void {
    this.#open -= 1;
  }
}
