const MEAN_WAIT_MS = 50;

/**
 * Retries failed work once, after a short random delay. No second retry: the client waits.
 *
 * @param mayRetry false for errors after which a retry does harm
 */
export async function retryOnce<T>(
  work: () => Promise<T>,
  mayRetry: (error: unknown) => boolean = () => true,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!mayRetry(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, MEAN_WAIT_MS * (0.5 + Math.random())));
    return work();
  }
}

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
    const timer = setTimeout(() => reject(late()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
