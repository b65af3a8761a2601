import type { Language } from './languages.ts';
import type { Random } from './random.ts';
import { vocabularyOf } from './vocabulary.ts';

/** A title of 3 to 12 words that include `planted`. It is longer only with more than 12 planted words. */
export function title(language: Language, random: Random, planted: readonly string[] = []): string {
  const words = drawWords(language, random, 3 + random.below(5) + random.below(6), planted);
  if (language.space === '') return joinUnspaced(language, random, words);
  const style = random.fraction();
  // English headlines often capitalise each word; all languages sometimes have a colon or an &.
  const shown =
    language.code === 'en' && style < 0.35 ? words.map((word) => capitalised(language, word)) : words;
  const early = shown.length > 5 && random.chance(0.2) ? random.between(1, 3) : -1;
  const separator = random.chance(0.9) ? ': ' : ' & ';
  const text = shown.map((word, index) => (index === early ? word + separator : word + ' ')).join('');
  return capitalised(language, text.trim()) + (random.chance(0.08) ? '?' : '');
}

/** Sentences of 10 to 40 words in all that include `planted`. */
export function description(language: Language, random: Random, planted: readonly string[] = []): string {
  const words = drawWords(language, random, 10 + random.below(16) + random.below(16), planted);
  const sentences: string[] = [];
  for (let start = 0; start < words.length;) {
    const left = words.length - start;
    // If only a few words would remain for the last sentence, they join this one.
    const wanted = random.between(6, 16);
    const length = left - wanted < 4 ? left : wanted;
    sentences.push(sentence(language, random, words.slice(start, start + length)));
    start += length;
  }
  return sentences.join(language.space);
}

/** A sentence of the given words, with the capital, commas and full stop of the language. */
export function sentence(language: Language, random: Random, words: readonly string[]): string {
  const stop = random.pick(language.stops);
  if (language.space === '') return joinUnspaced(language, random, words) + stop;
  const last = words.length - 1;
  const text = words
    .map((word, index) => (index < last && random.chance(0.07) ? word + language.comma : word))
    .join(language.space);
  return capitalised(language, text) + stop;
}

/** `count` words of running text, or more if more are planted. Planted words are at random places. */
export function drawWords(
  language: Language,
  random: Random,
  count: number,
  planted: readonly string[] = [],
): string[] {
  const vocabulary = vocabularyOf(language.code);
  const words = [...planted];
  while (words.length < count) words.push(vocabulary.draw(random));
  for (let from = 0; from < planted.length; from += 1) {
    const to = random.below(words.length);
    const [a, b] = [words[from] ?? '', words[to] ?? ''];
    words[from] = b;
    words[to] = a;
  }
  return words;
}

/** Capitalises the first letter if the script has capitals. Turkish i becomes İ. */
export function capitalised(language: Language, text: string): string {
  return text.charAt(0).toLocaleUpperCase(language.code) + text.slice(1);
}

function joinUnspaced(language: Language, random: Random, words: readonly string[]): string {
  const last = words.length - 1;
  return words
    .map((word, index) => (index < last && random.chance(0.08) ? word + language.comma : word))
    .join('');
}
