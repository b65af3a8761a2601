/** Who hears of a part that failed: what it was, and why in one line. */
export type OnFailure = (failure: string) => void;

/**
 * Runs one part of a long measurement. One that fails is told of and leaves what it gives instead, so that what
 * the others measured is kept.
 *
 * @param what names the part, as `10,000 posts, requests`
 */
export async function attempt<T>(
  what: string,
  part: () => T | Promise<T>,
  instead: T,
  onFailure: OnFailure,
): Promise<T> {
  try {
    return await part();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    onFailure(`${what}: not measured, since it failed: ${reason.replace(/\s+/g, ' ').trim()}`);
    return instead;
  }
}
