import { languages, type CharacterForm, type Language, type SyllableForm } from './languages.ts';
import { Random } from './random.ts';
import { Weighted, zipfWeights } from './weighted.ts';

/**
 * Word frequencies in two regimes, after Gerlach and Altmann (Physical Review X 3, 021006, 2013). A finite core
 * vocabulary follows Zipf's law with exponent 1; beyond it, frequencies fall faster. With independent draws, the
 * vocabulary grows like text^(1 / 1.77), as in natural text (Heaps' law).
 */
const CORE = 7873;
const TAIL_EXPONENT = 1.77;

const core = new Weighted(zipfWeights(CORE, 0, 1));
// The total weight of all ranks beyond the core, as an integral from the end of the core.
const tailTotal = 1 / (TAIL_EXPONENT - 1);
const tailShare = tailTotal / (core.total + tailTotal);

/** The rank of a word of running text: 0 is the most frequent. There is no highest rank. */
function drawWordRank(random: Random): number {
  if (!random.chance(tailShare)) return core.draw(random);
  return Math.floor(CORE * (1 - random.fraction()) ** (-1 / (TAIL_EXPONENT - 1)));
}

/** Words with a rank below this are stems, from which others are derived. */
const STEMS = 20_000;
const BORROWED = 0.015;
const NUMBERS = 0.015;

/** A language's words, by frequency. The same in every blog, whatever its seed. */
export class Vocabulary {
  readonly language: Language;
  readonly #words = new Map<number, string>();

  constructor(language: Language) {
    this.language = language;
  }

  /** The word of a rank, from 0. Two ranks can have the same word. */
  word(rank: number): string {
    const common = this.language.common[rank];
    if (common !== undefined) return common;
    let word = this.#words.get(rank);
    if (word === undefined) {
      word = this.#form(rank);
      this.#words.set(rank, word);
    }
    return word;
  }

  /** A word of running text; sometimes a borrowed word or a number. */
  draw(random: Random): string {
    const kind = random.fraction();
    if (kind < NUMBERS)
      return String(random.chance(0.4) ? random.between(1990, 2026) : random.between(2, 100));
    if (kind < NUMBERS + BORROWED) {
      const lender = vocabularyOf(random.pick(this.language.borrowsFrom));
      return lender.word(60 + random.below(3000));
    }
    return this.word(drawWordRank(random));
  }

  #form(rank: number): string {
    const { form } = this.language;
    const random = this.#random(rank);
    if (form.kind === 'characters') return ofCharacters(form, random);
    const derived = rank > 1000 && random.chance(0.55);
    const word = derived
      ? this.#stem(form, random.below(Math.min(STEMS, rank))) + random.pick(form.endings)
      : this.#stem(form, rank);
    // Greek sigma has another form at the end of a word.
    return word.replace(/σ$/u, 'ς');
  }

  #stem(form: SyllableForm, rank: number): string {
    // A separate key, so that a rank's stem is the same whether it is used alone or derived from.
    const random = this.#random(rank, 1);
    return ofSyllables(form, random, syllableCount(rank, random));
  }

  #random(...key: readonly number[]): Random {
    return new Random(this.language.code.charCodeAt(0), this.language.code.charCodeAt(1), ...key);
  }
}

/** Rarer words are longer. */
function syllableCount(rank: number, random: Random): number {
  const place = random.fraction();
  if (rank < 400) return place < 0.5 ? 1 : 2;
  if (rank < 5000) return place < 0.2 ? 1 : place < 0.8 ? 2 : 3;
  return place < 0.5 ? 2 : place < 0.93 ? 3 : 4;
}

function ofSyllables(form: SyllableForm, random: Random, count: number): string {
  let word = '';
  for (let syllable = 0; syllable < count; syllable += 1) {
    word += random.pick(form.onsets) + random.pick(form.nuclei);
    // Codas are rare inside a word; otherwise consonants would pile up.
    if (syllable === count - 1 || random.chance(0.3)) word += random.pick(form.codas);
  }
  return word.length > 1 ? word : word + random.pick(form.endings);
}

function ofCharacters(form: CharacterForm, random: Random): string {
  const { characters, longest } = random.pick(form.alphabets);
  const length = Math.min(longest, random.chance(0.65) ? 2 : random.between(3, 4));
  let word = '';
  for (let at = 0; at < length; at += 1) {
    word += characters.charAt(Math.floor(characters.length * random.fraction() ** 1.7));
  }
  return word;
}

const vocabularies = new Map(languages.map((language) => [language.code, new Vocabulary(language)]));

/** The vocabulary of a language in languages.ts. */
export function vocabularyOf(code: string): Vocabulary {
  const vocabulary = vocabularies.get(code);
  if (vocabulary === undefined) throw new RangeError(`languages.ts has no language "${code}".`);
  return vocabulary;
}
