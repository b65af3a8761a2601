import { runningText } from './running-text.ts';

/** The least and the most characters (code points) of a text that is cut. */
const LEAST = 160;
const MOST = 200;

/**
 * The description of an article that has none of its own: the beginning of its running text. Up to 200 characters are
 * taken whole; of a longer text, its first 160 to 200, with `…` at the end.
 *
 * @param html the article's body, sanitised
 * @returns null: it has no text
 */
export function excerptOf(html: string): string | null {
  const text = runningText(html);
  if (text === '') return null;
  const characters = [...text.slice(0, 2 * MOST + 2)];
  if (characters.length <= MOST) return text;
  // Room for ` …`.
  const most = characters.slice(0, MOST - 2).join('').length;
  const least = characters.slice(0, LEAST).join('').length;
  return withEllipsis(text.slice(0, cutPlace(text, least, most)));
}

/** Marks after which a text that is written without spaces is best cut. */
const WIDE_MARKS = /[。．！？；：，、」』）】》〉]/g;

/** Where to cut: after a mark or a word, from `least` up to `most` code units. */
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

// Of a fixed locale, since the default is the machine's. Made when first needed: that takes milliseconds.
let wordSegmenter: Intl.Segmenter | undefined;
let graphemeSegmenter: Intl.Segmenter | undefined;
const words = () => (wordSegmenter ??= new Intl.Segmenter('en', { granularity: 'word' }));
const graphemes = () => (graphemeSegmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** What should not stand before `…`: spaces, commas, dashes, opening brackets, other dots. */
const LOOSE_END = /(?:[\s\p{Ps}\p{Pi}\p{Pd},;:，、；：·…]|\.{2,})+$/u;

function withEllipsis(text: string): string {
  const cut = text.replace(LOOSE_END, '');
  return /[.!?؟۔।]["')\]\p{Pf}]*$/u.test(cut) ? `${cut} …` : `${cut}…`;
}
