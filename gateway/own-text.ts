const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A copy of a text from a request. A substring keeps its whole text in memory, such as a header of 60 kB for a key, so
 * caches keep copies.
 */
export function ownText(text: string): string {
  return decoder.decode(encoder.encode(text));
}
