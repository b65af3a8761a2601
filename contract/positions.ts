/**
 * An object of kind `set`: an ascending list of positions, as the JSON array of the gaps between them
 * (the first counts from -1). The gaps of a set that holds every third post are one digit each, where
 * its positions at 100,000 posts would be five.
 */

import { isList, parseJson } from './json.ts';

/** @param positions ascending, without repeats */
export function encodeSet(positions: readonly number[]): string {
  let text = '[';
  let last = -1;
  for (const position of positions) {
    text += last === -1 ? position - last : `,${position - last}`;
    last = position;
  }
  return `${text}]`;
}

/**
 * @returns positions, ascending
 * @throws SyntaxError where the text is no set
 */
export function decodeSet(text: string): Uint32Array {
  const gaps = parseJson(text, isList, 'a set');
  const positions = new Uint32Array(gaps.length);
  let last = -1;
  for (let i = 0; i < gaps.length; i++) {
    const gap = gaps[i];
    if (typeof gap !== 'number') throw new SyntaxError('not a set');
    last += gap;
    positions[i] = last;
  }
  return positions;
}
