/** Something did not answer in time. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded';
}

/**
 * Waits for work with a deadline. A later result is ignored.
 *
 * @throws the error that `late` returns
 */
export function withDeadline<T>(ms: number, work: Promise<T>, late: () => DeadlineExceeded): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), Math.max(0, ms));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
