/**
 * Waits for work, but not for ever. What comes of it later is left aside.
 *
 * @param late makes the error that is thrown then
 */
export function withDeadline<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
