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
  readonly growth: number;
  /** Objects that a cold request may read, in addition to the summary pages of its result (`per_page` at most). */
  readonly objects: number;
  /** Maximum in milliseconds, if there is one. */
  readonly ms?: number;
}

export const PER_PAGE = 15;

/** The measured requests. Names and pages come from the blog itself. */
export function requestClasses(db: BlogDatabase): RequestClass[] {
  const names = (sql: string) => db.prepare<[], string>(sql).pluck().all();
  const total = Number(db.prepare("SELECT count(*) FROM posts WHERE status = 'published'").pluck().get());
  const [category = ''] = names(`${MOST_USED_CATEGORY} LIMIT 1`);
  const [tag = ''] = names(`${MOST_USED_TAG} LIMIT 1`);
  const [author = ''] = names(`${MOST_USED_AUTHOR} LIMIT 1`);
  const [lesser = ''] = names(`${MOST_USED_CATEGORY} LIMIT 1 OFFSET 4`);
  const filter = { category: query({ category }), tag: query({ tag }), author: query({ author }) };
  const sorts = (parameters: string) => SORTS.map((sort) => `${parameters}&sort=${sort}`);
  const last = Math.floor(total / PER_PAGE);
  const pages = (parameters: string, list: readonly number[]) =>
    list.map((page) => `${parameters}&page=${page}`);
  const words = (...list: string[]) => list.map((q) => query({ q }));
  const list = { keepsMatching: true, growth: 1.3, objects: 4 };
  const search = { keepsMatching: false };

  return [
    { name: 'first page', queries: sorts('per_page=15'), ...list },
    {
      name: 'deep page',
      queries: sorts('').flatMap((sort) =>
        pages(sort, [Math.floor(last / 3), Math.floor(last / 2), last - 2]),
      ),
      ...list,
    },
    { name: 'one category', queries: sorts(filter.category), ...list },
    { name: 'one tag', queries: sorts(filter.tag), ...list },
    { name: 'one author', queries: sorts(filter.author), ...list },
    {
      name: 'category + tag + author',
      queries: [query({ category, tag, author }), query({ category: lesser, tag, author })],
      ...{ keepsMatching: false, growth: 2, objects: 6 },
    },
    { name: 'q: one rare word', queries: words(ONCE, TEN_TIMES), ...search, growth: 4, objects: 40 },
    {
      name: 'q: a word in one post of three',
      queries: words(plantedWords.common.word),
      ...{ ...search, growth: 12, objects: 70, ms: 8 },
    },
    {
      name: 'q: two words',
      queries: words(
        `${plantedWords.harbour.word} ${plantedWords.lantern.word}`,
        `${plantedWords.oxbow.word} ${plantedWords.quartz.word}`,
        `${plantedWords.common.word} ${plantedWords.harbour.word}`,
      ),
      ...{ ...search, growth: 12, objects: 70, ms: 8 },
    },
    {
      name: 'q: one letter',
      queries: words('e', 'a', 'т', '灯', '1'),
      ...{ ...search, growth: 12, objects: 70, ms: 8 },
    },
    {
      name: 'q: eight letters (the worst)',
      queries: words('a e i o n r s t'),
      ...{ ...search, growth: Infinity, objects: 70 },
    },
  ];
}

/** The searches that are compared with SQL. */
export const searches: readonly string[] = [
  ONCE,
  TEN_TIMES,
  ...Object.values(plantedWords).map(({ word }) => word),
  `${plantedWords.harbour.word} ${plantedWords.lantern.word}`,
  `${plantedWords.oxbow.word} ${plantedWords.quartz.word}`,
  `${plantedWords.common.word} ${plantedWords.harbour.word}`,
  plantedWords.common.word.slice(1, -1),
  'zyzzyva',
  'th',
  'e',
  '\u706f',
];

const SORTS = ['new', 'old', 'popular'];
const COUNTED = "JOIN posts ON posts.status = 'published'";
const MOST_USED_CATEGORY = `SELECT categories.slug FROM categories ${COUNTED} AND category_id = categories.id GROUP BY categories.id ORDER BY count(*) DESC`;
const MOST_USED_AUTHOR = `SELECT username FROM authors ${COUNTED} AND author_id = authors.id GROUP BY authors.id ORDER BY count(*) DESC`;
const MOST_USED_TAG = `SELECT tags.slug FROM tags JOIN post_tags ON tag_id = tags.id ${COUNTED} AND post_id = posts.id GROUP BY tags.id ORDER BY count(*) DESC`;

function query(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString();
}
