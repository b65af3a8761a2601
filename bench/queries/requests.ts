import type { BlogDatabase } from '../../data/database.ts';
import { plantedWords, ONCE, TEN_TIMES } from '../generate/planted.ts';

/** One kind of request, with bounds on how its cost may grow. */
export interface RequestClass {
  readonly name: string;
  /** Queries of `GET /posts`, without the question mark, measured one after another. */
  readonly queries: readonly string[];
  /** Whether results of filters stay cached between requests, as between the pages of a list. */
  readonly keepsMatching: boolean;
  /** Maximum of: time at 100,000 posts ÷ time at 1,000. */
  readonly growth?: number;
  /** Objects that a cold request may read, in addition to the summary pages of its result (`per_page` at most). */
  readonly objects?: number;
  /** Maximum in milliseconds, if there is one. */
  readonly ms?: number;
}

export const PER_PAGE = 15;

const { common, harbour, lantern, oxbow, quartz } = plantedWords;
const COMMON = ['release', 'harbour', 'lantern', 'oxbow', 'quartz', 'page', 'first', 'the'];

/** Searches of each kind, from ordinary ones to the most expensive ones. */
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  'one rare word': [ONCE, TEN_TIMES],
  'a word in one post of three': [common.word],
  'a part of a word': ['arbou', 'uotab', 'eleas', 'ntern'],
  'one letter': ['e', 'a', 'т', '灯', '1'],
  'two letters': ['th', 'er', 'qu', 'zz', 'ле', 'x-'],
  'a word that is nowhere': ['zyzzyva', 'harbourmastership', 'qqqqq', 'thexyz', 'releasenot'],
  'Chinese, without spaces': ['灯台', '台守', '灯台守の', '的灯台守', '一二三四'],
  'two words': [
    `${harbour.word} ${lantern.word}`,
    `${oxbow.word} ${quartz.word}`,
    `${common.word} ${harbour.word}`,
  ],
  'eight common words': [COMMON.join(' ')],
  'eight letters': ['a e i o n r s t', 't h s l d c m p'],
  'eight rare parts': ['uixot quinox tabl rdinar zlin kwor vrab xylo'],
  'made to hurt': ['e, a, s, t. n. o. r. d', 'aa ee ii oo uu ss tt rr', 'in er on an re at or es'],
};

const BOUNDS: Readonly<Record<string, Partial<RequestClass>>> = {
  'one rare word': { growth: 4, objects: 40 },
  'a word in one post of three': { growth: 12, objects: 70, ms: 8 },
  'two words': { growth: 12, objects: 70, ms: 8 },
  'one letter': { growth: 12, objects: 70, ms: 8 },
  'eight letters': { objects: 70 },
};

/** The measured requests. Names and pages come from the blog itself. */
export function requestClasses(db: BlogDatabase): RequestClass[] {
  const total = Number(db.prepare("SELECT count(*) FROM posts WHERE status = 'published'").pluck().get());
  const [category, lesser] = [mostUsed(db, 'category'), mostUsed(db, 'category', 4)];
  const [tag, author] = [mostUsed(db, 'tag'), mostUsed(db, 'author')];
  const sorts = (parameters: string) => SORTS.map((sort) => `${parameters}&sort=${sort}`);
  const last = Math.floor(total / PER_PAGE);
  const deep = [Math.floor(last / 3), Math.floor(last / 2), last - 2];
  const list = { keepsMatching: true, growth: 1.3, objects: 4 };
  return [
    { name: 'first page', queries: sorts('per_page=15'), ...list },
    { name: 'deep page', queries: deep.flatMap((page) => sorts(`page=${page}`)), ...list },
    { name: 'one category', queries: sorts(query({ category })), ...list },
    { name: 'one tag', queries: sorts(query({ tag })), ...list },
    { name: 'one author', queries: sorts(query({ author })), ...list },
    {
      name: 'category + tag + author',
      queries: [query({ category, tag, author }), query({ category: lesser, tag, author })],
      ...{ keepsMatching: false, growth: 2, objects: 6 },
    },
    ...Object.entries(SEARCHES).map(([name, searches]) => ({
      name: `q: ${name}`,
      queries: searches.map((q) => query({ q })),
      ...{ keepsMatching: false, ...BOUNDS[name] },
    })),
  ];
}

const SORTS = ['new', 'old', 'popular'];
const COUNTED = "JOIN posts ON posts.status = 'published'";
const VALUES = {
  category: `SELECT categories.slug FROM categories ${COUNTED} AND category_id = categories.id GROUP BY categories.id`,
  author: `SELECT username FROM authors ${COUNTED} AND author_id = authors.id GROUP BY authors.id`,
  tag: `SELECT tags.slug FROM tags JOIN post_tags ON tag_id = tags.id ${COUNTED} AND post_id = posts.id GROUP BY tags.id`,
} as const;

/** The value of a filter that most published posts have. @param place a later place in this order, from 0 */
export function mostUsed(db: BlogDatabase, filter: keyof typeof VALUES, place = 0): string {
  const sql = `${VALUES[filter]} ORDER BY count(*) DESC LIMIT 1 OFFSET ?`;
  return db.prepare<[number], string>(sql).pluck().get(place) ?? '';
}

function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString();
}
