import { stripVTControlCharacters } from 'node:util';

/** A line of a Ruby trace that only has a location: `from /usr/lib/ruby/a.rb:12:in 'block in run'`. */
const FRAME = /^\s*(?:from )?\S.*:\d+:in [`'][^`']*'\s*$|^\s*\.\.\. \d+ levels\.\.\.\s*$/;
/** Longer lines are not frames and would be slow to test. */
const MAX_FRAME = 1_000;

/** An engine's output without colours and locations of a Ruby trace: the lines that say what is wrong. */
export function complaintIn(printed: string): string {
  return stripVTControlCharacters(printed)
    .split(/\r\n|\r|\n/)
    .filter((line) => line.length > MAX_FRAME || !FRAME.test(line))
    .join('\n')
    .trim();
}
