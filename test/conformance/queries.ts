import fc from 'fast-check';
import { z } from 'zod';
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
  const wanted = oracle.strings(ONE_POST).map((text) => about.parse(JSON.parse(text)));
  return fc
    .constantFrom(NO_POST, ...wanted)
    .chain((post) => {
      // Without an article that has most values, nearly all lists would be empty.
      const [category, author] = [shortEnough(post.categories), shortEnough(post.authors)];
      const [slugs, names] = [shortEnough(post.tags), shortEnough(post.names)];
      return fc.record(
        {
          category: seldom(nameOf(categories, category)),
          tag: seldom(nameOf(tags, names).chain((name) => fc.oneof(fc.constant(name), changeCase(name)))),
          author: seldom(nameOf(usernames, author)),
          'tag.any': seldom(listOf(tags, slugs)),
          'tag.all': seldom(fc.oneof(listOf(slugs, slugs), listOf(tags, slugs))),
          'tag.not': seldom(listOf(tags)),
          'category.any': seldom(listOf(categories, category)),
          'category.not': seldom(listOf(categories)),
          'author.any': seldom(listOf(usernames, author)),
          'author.not': seldom(listOf(usernames)),
          range: seldom(ranges(oracle)),
          q: fc.option(searches(oracle), { nil: undefined, freq: 3 }),
          sort: fc.constantFrom('new', 'old', 'popular'),
          ...pageFields,
        },
        { requiredKeys: [] },
      );
    })
    .map(({ range, ...query }) => withoutUndefined({ ...query, ...range }))
    .filter((query) => countListed(query) <= 10);
}

/** The values of one article. */
const NAMES = z.array(z.string());
const about = z.object({ categories: NAMES, authors: NAMES, tags: NAMES, names: NAMES });
const NO_POST: z.output<typeof about> = { categories: [], authors: [], tags: [], names: [] };
const ONE_POST = `
  SELECT json_object(
    'categories', json((SELECT json_group_array(slug) FROM categories WHERE id = category_id)),
    'authors', json((SELECT json_group_array(username) FROM authors WHERE id = author_id)),
    'tags', json((SELECT json_group_array(t.slug) FROM post_tags JOIN tags t ON t.id = tag_id WHERE post_id = shown.id)),
    'names', json((SELECT json_group_array(t.name) FROM post_tags JOIN tags t ON t.id = tag_id WHERE post_id = shown.id)))
  FROM shown`;

/** One to three values, mostly one of `wanted` among them. Those with a comma cannot be named. */
function listOf(names: readonly string[], wanted: readonly string[] = []): fc.Arbitrary<string> {
  const nameable = (all: readonly string[]) => all.filter((name) => name !== '' && !name.includes(','));
  const value = nameOf(nameable(names), nameable(wanted));
  return fc.array(value, { minLength: 1, maxLength: 3 }).map((values) => values.join(','));
}

function countListed(query: PostsQuery): number {
  const lists = Object.entries(query).filter(([name]) => name.includes('.'));
  return lists.reduce((sum, [, text]) => sum + String(text).split(',').length, 0);
}

/** Ranges whose ends are close to articles' times, written as dates, in UTC or with an offset. */
function ranges(oracle: Oracle): fc.Arbitrary<Pick<PostsQuery, 'from' | 'until'>> {
  const moments = oracle
    .strings('SELECT moment FROM shown WHERE moment BETWEEN 0 AND 4102444800')
    .map(Number);
  const near = fc
    .tuple(fc.constantFrom(0, ...moments), fc.constantFrom(-86_400, -1, 0, 1, 0.5))
    .map(([moment, shift]) => Math.max(86_400, moment + shift));
  const written = (seconds: number, form: number, toDay: (days: number) => number) => {
    const iso = (at: number) => new Date(at * 1000).toISOString();
    const day = toDay(seconds / 86_400) * 86_400;
    return [
      iso(seconds),
      iso(seconds).slice(0, -1),
      iso(day).slice(0, 10),
      iso(seconds + 5400).replace('Z', '+01:30'),
      iso(seconds - 7200).replace(/\.\d+Z/, '') + `.${seconds % 1 === 0 ? '0' : '5'}-02:00`,
    ][form];
  };
  return fc
    .record({ ends: fc.tuple(near, near), forms: fc.tuple(fc.nat(4), fc.nat(4)), only: fc.nat(3) })
    .map(({ ends, forms, only }) => {
      const [first, last] = [Math.min(...ends), Math.max(...ends)];
      return {
        ...(only === 1 ? {} : { from: written(first, forms[0], Math.floor) ?? '' }),
        ...(only === 2 ? {} : { until: written(last, forms[1], Math.ceil) ?? '' }),
      };
    });
}

const pageFields = {
  page: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }) },
    fc.integer({ min: 1, max: 1_000_000 }),
  ),
  per_page: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(1, 2, 15, 49, 50)),
};

/** Random pages of a list. */
export const pageQueries: fc.Arbitrary<PageQuery> = fc.record(pageFields, { requiredKeys: [] });

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

/** One of some names, mostly one of `wanted`. */
function nameOf(names: readonly string[], wanted: readonly string[] = []): fc.Arbitrary<string> {
  const any = fc.constantFrom('nothing-like-it', ...names);
  return wanted.length === 0 ? any : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...wanted) }, any);
}

const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, arbitrary);

/** Searches with control characters are refused, so they become spaces. */
const withoutControls = (text: string) => text.replace(/\p{Cc}/gu, ' ');

function withoutUndefined(query: {
  readonly [K in keyof PostsQuery]?: PostsQuery[K] | undefined;
}): PostsQuery {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}
