import { languages } from '../../bench/generate/languages.ts';
import { ONCE, type PlantedWord, plantedWords, TEN_TIMES } from '../../bench/generate/planted.ts';

/** A search with a known number of results. */
export interface Probe {
  /** The value of `q`: terms separated by spaces. */
  readonly q: string;
  /** Published posts that have all terms in title, description or a tag's name. */
  readonly posts: number;
  /** Whether `posts` is exact, or an estimate for a large blog. */
  readonly exact: boolean;
}

/** Drafts and archived posts are not found. */
const PUBLISHED = 0.987;

/** The searches for a generated blog of `posts` posts, with the number of results of each. */
export function probes(posts: number) {
  const exact = (q: string, count: number): Probe => ({ q, posts: count, exact: true });
  const share = (q: string, part: number): Probe => ({
    q,
    posts: Math.round(posts * PUBLISHED * part),
    exact: false,
  });
  const plantedWord = (name: keyof typeof plantedWords) =>
    share(plantedWords[name].word, rateOf(plantedWords[name]));
  const { harbour, lantern, oxbow, quartz, common } = plantedWords;

  return {
    none: exact('zyzzyva', 0),
    once: exact(ONCE, 1),
    ten: exact(TEN_TIMES, Math.min(10, posts)),
    common: plantedWord('common'),
    medium: plantedWord('harbour'),
    accented: plantedWord('accented'),
    cyrillic: plantedWord('cyrillic'),
    greek: plantedWord('greek'),
    arabic: plantedWord('arabic'),
    cjk: plantedWord('cjk'),
    /** A substring from the middle of a word. */
    substring: share(common.word.slice(1, -1), rateOf(common)),
    pair: share(`${harbour.word} ${lantern.word}`, rateOf(harbour) * lantern.rate),
    /** Each term is in a few percent of the posts; no post has both. */
    disjointPair: exact(`${oxbow.word} ${quartz.word}`, 0),
    /** Measured, because it depends on the vocabulary of each language. */
    oneLetter: share('e', 0.955),
    eightLetters: share('a e i o n r s t', 0.8),
    /** The name of the most used tag. */
    tag: share('field notes', 0.185),
  } satisfies Record<string, Probe>;
}

/** The share of all posts with a planted word, including drafts and archived posts. */
function rateOf({ scripts, rate, parity }: PlantedWord): number {
  const share = languages.reduce(
    (sum, { script, share }) => (scripts.includes(script) ? sum + share : sum),
    0,
  );
  return share * rate * (parity === undefined ? 1 : 0.5);
}
