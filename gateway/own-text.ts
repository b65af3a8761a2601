const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A copy of a text that came with a request. A part of a text keeps the whole in memory, such as a key a header of 60 kB, so
 * caches keep copies.
 */
export function ownText(text: string): string {
  return decoder.decode(encoder.encode(text));
}
