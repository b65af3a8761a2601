import { stripVTControlCharacters } from 'node:util';

/** A line of a Ruby trace that only names a place: `from /usr/lib/ruby/a.rb:12:in 'block in run'`. */
const FRAME = /^\s*(?:from )?\S.*:\d+:in [`'][^`']*'\s*$|^\s*\.\.\. \d+ levels\.\.\.\s*$/;
/** Longer lines are no frames, and would take long to test. */
const MAX_FRAME = 1_000;

/** What an engine printed, without colours and without the places of a Ruby trace: the lines that say what is wrong. */
export function complaintIn(printed: string): string {
  return stripVTControlCharacters(printed)
    .split(/\r\n|\r|\n/)
    .filter((line) => line.length > MAX_FRAME || !FRAME.test(line))
    .join('\n')
    .trim();
}
