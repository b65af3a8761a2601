/**
 * Called for a part that failed: its name, and the reason in one line.
 */
export type OnFailure = (failure: string) => void;

/**
 * Runs one part of a long measurement. If it fails, that is reported and the fallback returned, so other results
 * are kept.
 *
 * @param what names the part, such as `10,000 posts, requests`
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
