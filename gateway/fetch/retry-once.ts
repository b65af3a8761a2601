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
