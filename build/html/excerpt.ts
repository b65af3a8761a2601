import { runningText } from './running-text.ts';

/** Minimum and maximum length of a cut text, in characters (code points). */
const MIN_LENGTH = 160;
const MAX_LENGTH = 200;

/**
 * The description of an article without one: the beginning of its running text. A text of up to 200 characters is used
 * in full; a longer one is cut to 160 to 200 characters, with `…` at the end.
 *
 * @param html the article's body, sanitised
 * @returns null: it has no text
 */
export function extractExcerpt(html: string): string | null {
  const text = runningText(html);
  if (text === '') return null;
  const characters = [...text.slice(0, 2 * MAX_LENGTH + 2)];
  if (characters.length <= MAX_LENGTH) return text;
  // Room for ` …`.
  const most = characters.slice(0, MAX_LENGTH - 2).join('').length;
  const least = characters.slice(0, MIN_LENGTH).join('').length;
  return withEllipsis(text.slice(0, cutPlace(text, least, most)));
}

/** Punctuation after which to cut a text without spaces. */
const WIDE_MARKS = /[。．！？；：，、」』）】》〉]/g;

/** Where to cut: after punctuation or a word, from `least` up to `most` code units. */
function cutPlace(text: string, least: number, most: number): number {
  const mark = [...text.slice(least, most).matchAll(WIDE_MARKS)].at(-1);
  if (mark) return least + mark.index + 1;
  const space = text.lastIndexOf(' ', most);
  if (space >= least) return space;
  for (const segmenter of [words(), graphemes()]) {
    const place = lastBoundary(segmenter, text, most);
    if (place >= least) return place;
  }
  return most;
}

function lastBoundary(segmenter: Intl.Segmenter, text: string, most: number): number {
  let last = 0;
  for (const { index } of segmenter.segment(text)) {
    if (index > most) break;
    last = index;
  }
  return last;
}

// A fixed locale: the default depends on the machine. Created on first use, which takes milliseconds.
let wordSegmenter: Intl.Segmenter | undefined;
let graphemeSegmenter: Intl.Segmenter | undefined;
const words = () => (wordSegmenter ??= new Intl.Segmenter('en', { granularity: 'word' }));
const graphemes = () => (graphemeSegmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Characters to remove before `…`: spaces, commas, dashes, opening brackets, other dots. */
const LOOSE_END = /(?:[\s\p{Ps}\p{Pi}\p{Pd},;:，、；：·…]|\.{2,})+$/u;

function withEllipsis(text: string): string {
  const cut = text.replace(LOOSE_END, '');
  return /[.!?؟۔।]["')\]\p{Pf}]*$/u.test(cut) ? `${cut} …` : `${cut}…`;
}
