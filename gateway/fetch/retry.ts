const MEAN_WAIT_MS = 50;

/**
 * Tries what failed once more, after a short and random wait. Whoever fails twice is not asked again: the
 * client would wait for it.
 *
 * @param mayTryAgain false for errors that say that asking again does harm
 */
export async function twice<T>(
  work: () => Promise<T>,
  mayTryAgain: (error: unknown) => boolean = () => true,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!mayTryAgain(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, MEAN_WAIT_MS * (0.5 + Math.random())));
    return work();
  }
}

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
