/** Something did not answer in time. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded';
}

/**
 * Waits for work with a deadline. A later result is ignored.
 *
 * @param message of the error, if it is late
 * @throws DeadlineExceeded
 */
export function withDeadline<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineExceeded(message)), Math.max(0, ms));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
