import fc from 'fast-check';
import type { Oracle, PageQuery, PostsQuery } from '../oracle/oracle.ts';

/**
 * Random queries for lists of a blog's posts. Values come from the blog or its texts, so most queries find
 * something.
 */
export function postsQueries(oracle: Oracle): fc.Arbitrary<PostsQuery> {
  const shortEnough = (names: readonly string[]) => names.filter((name) => [...name].length <= 200);
  const categories = shortEnough(oracle.strings('SELECT slug FROM categories ORDER BY slug'));
  const usernames = shortEnough(oracle.strings('SELECT username FROM authors ORDER BY username'));
  const tags = shortEnough(
    oracle.strings('SELECT slug FROM tags UNION SELECT name FROM tags UNION SELECT replace(name, \' \', \'-\') FROM tags'), // prettier-ignore
  );
  return fc
    .record(
      {
        category: sometimes(nameOf(categories)),
        tag: sometimes(fc.oneof(nameOf(tags), nameOf(tags).chain(changeCase))),
        author: sometimes(nameOf(usernames)),
        q: fc.option(searches(oracle), { nil: undefined, freq: 2 }),
        sort: fc.constantFrom('new', 'old', 'popular'),
        ...pageFields,
      },
      { requiredKeys: [] },
    )
    .map(withoutUndefined);
}

/** Random pages of a list. */
export const pageQueries: fc.Arbitrary<PageQuery> = fc.record(
  {
    page: fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }) },
      fc.integer({ min: 1, max: 1_000_000 }),
    ),
    per_page: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(1, 2, 15, 49, 50)),
  },
  { requiredKeys: [] },
);

const pageFields = {
  page: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.integer({ min: 1, max: 200 })),
  per_page: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(1, 2, 15, 49, 50)),
};

/** Searches of up to three substrings of the blog's texts, some in another case, some from two texts. */
function searches(oracle: Oracle): fc.Arbitrary<string> {
  const texts = oracle.strings(`
    SELECT title FROM posts UNION SELECT description FROM posts WHERE description <> ''
    UNION SELECT excerpt(body) FROM posts WHERE description IS NULL AND excerpt(body) <> ''
    UNION SELECT name FROM tags`);
  const text = fc.constantFrom('e', ...texts.map(withoutControls).filter((text) => text.trim() !== ''));
  const ofOneText = text.chain((text) => fc.array(pieceOf(text), { minLength: 1, maxLength: 3 }));
  const ofAnyTexts = fc.array(text.chain(pieceOf), { minLength: 1, maxLength: 3 });
  return fc
    .oneof({ weight: 4, arbitrary: ofOneText }, ofAnyTexts)
    .map((pieces) => pieces.join(' '))
    .chain((q) => fc.oneof(fc.constant(q), changeCase(q)))
    .filter((q) => [...q].length <= 100 && termsIn(q) <= 8);
}

/** NFKC turns some letters into spaces: U+FDFA alone gives four terms. */
const termsIn = (q: string) => q.normalize('NFKC').trim().split(/\s+/u).length;

/** A substring of one to twelve characters. */
function pieceOf(text: string): fc.Arbitrary<string> {
  const letters = [...text];
  return fc
    .record({ start: fc.nat({ max: letters.length - 1 }), length: fc.integer({ min: 1, max: 12 }) })
    .map(({ start, length }) => letters.slice(start, start + length).join(''));
}

function changeCase(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(
    text.toUpperCase(),
    text.toLowerCase(),
    text.normalize('NFD'),
    [...text].map((letter, index) => (index % 2 === 0 ? letter.toUpperCase() : letter)).join(''),
  );
}

const nameOf = (names: readonly string[]) => fc.constantFrom('nothing-like-it', ...names);

const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });

/** Searches with control characters are refused, so they become spaces. */
const withoutControls = (text: string) => text.replace(/\p{Cc}/gu, ' ');

function withoutUndefined(query: {
  readonly [K in keyof PostsQuery]?: PostsQuery[K] | undefined;
}): PostsQuery {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}
