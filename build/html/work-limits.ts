/**
 * The most that a body may hold for it to be sanitised. The parser looks through the elements that are open at
 * each tag, so without a bound on them its work would grow with the square of the body.
 *
 * In real blogs, bodies nest 13 deep and hold 6,200 elements at most.
 */
export const WORK_LIMITS = { nesting: 200, elements: 100_000 } as const;

/** A body that is not sanitised, since that would take too much work; its article is left out. */
export class ArticleTooComplex extends Error {
  override name = 'ArticleTooComplex';
}

/** Counts the elements of one body. */
export class Work {
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
