import { PREFIX } from '../../contract/api.ts';
import type { BlogDatabase } from '../../data/database.ts';
import { Random } from '../generate/random.ts';
import { Weighted, zipfWeights } from '../generate/weighted.ts';
import { mostUsed } from '../queries/requests.ts';
import { coldQueries } from './cold-queries.ts';
import { mixedLists } from './mixed-lists.ts';

/** Whose key a request has. */
export type Asker = 'reader' | 'exhausted' | 'unknown';

/** One kind of measured requests. */
export interface RequestClass {
  readonly id: ClassId;
  readonly name: string;
  readonly status: 200 | 401 | 429;
  readonly asker: Asker;
  /** Path and query. */
  readonly target: string;
  /** Targets that are used one after another, instead of the single target. */
  readonly targets?: readonly string[];
  /** Whether no target is repeated, so that no cache of answers helps. */
  readonly isNew?: boolean;
}

/** Classes that are compared are close together, because other load on the machine changes with time. */
export const CLASS_IDS = [
  ...(['newest', 'refused', 'unknown', 'popular', 'tagCategory', 'article', 'articles', 'zipf'] as const),
  ...(['mixed', 'rareCold', 'commonCold', 'me'] as const),
];

export type ClassId = (typeof CLASS_IDS)[number];

/** What depends on the size of a blog. */
export const LARGE_IDS: readonly ClassId[] = ['article', 'articles', 'mixed'];

/** The articles of a class have several times the bytes of Offprint's cache of objects. */
const ARTICLE_BYTES = 160 * 2 ** 20;
/** More than a contestant is asked in a round. */
const DRAWS = 100_000;

/** The requests that are measured on a blog, in order. Names come from the blog itself. */
export function requestClasses(db: BlogDatabase, ids: readonly ClassId[] = CLASS_IDS): RequestClass[] {
  const list = (parameters: Readonly<Record<string, string>>) =>
    `${PREFIX}/posts?${new URLSearchParams(parameters).toString()}`;
  const article = (slug: string) => `${PREFIX}/posts/${encodeURIComponent(slug)}`;
  const one = (target: string) => ({ target, status: 200, asker: 'reader' }) as const;
  const many = (targets: readonly string[]) => ({ ...one(targets[0] ?? ''), targets });
  const searches = ids.includes('rareCold') ? coldQueries(db) : { rare: [], common: [] };
  const search = (queries: readonly string[]) => many(queries.map((q) => list({ q })));
  const slugs = articlesOf(db);
  const random = new Random(1, 602);
  const drawn = (weights: readonly number[]) => {
    const weighted = new Weighted(weights);
    return many(Array.from({ length: DRAWS }, () => article(slugs[weighted.draw(random)] ?? '')));
  };
  const classes: Readonly<Record<ClassId, () => Omit<RequestClass, 'id'>>> = {
    newest: () => ({ name: 'newest list', ...one(`${PREFIX}/posts`) }),
    refused: () => ({
      ...{ name: 'refused (429)', status: 429, asker: 'exhausted' },
      target: list({ per_page: '15' }),
    }),
    unknown: () => ({
      ...{ name: 'unknown key (401)', status: 401, asker: 'unknown' },
      target: list({ page: '1' }),
    }),
    popular: () => ({ name: 'popular', ...one(list({ sort: 'popular' })) }),
    tagCategory: () => ({
      name: 'tag + category',
      ...one(list({ tag: mostUsed(db, 'tag'), category: mostUsed(db, 'category') })),
    }),
    article: () => ({ name: 'one article', ...one(article(averageArticle(db))) }),
    articles: () => ({ name: 'articles at random', ...drawn(slugs.map(() => 1)) }),
    zipf: () => ({ name: 'articles, by Zipf', ...drawn(zipfWeights(slugs.length, 0, 1)) }),
    mixed: () => ({
      name: 'mixed lists, each new',
      ...many(mixedLists(db, DRAWS).map(list)),
      isNew: true,
    }),
    rareCold: () => ({ name: 'search, rare, each new', ...search(searches.rare), isNew: true }),
    commonCold: () => ({ name: 'search, common, each new', ...search(searches.common), isNew: true }),
    me: () => ({ name: '/me', ...one(`${PREFIX}/me`) }),
  };
  return ids.map((id) => ({ id, ...classes[id]() }));
}

const PUBLISHED = "status = 'published' AND published_unix <= unixepoch()";

/** The slug of an article of average length, to represent all. */
function averageArticle(db: BlogDatabase): string {
  const sql = `SELECT slug FROM posts WHERE ${PUBLISHED} ORDER BY octet_length(body), id
    LIMIT 1 OFFSET (SELECT count(*) / 2 FROM posts WHERE ${PUBLISHED})`;
  return db.prepare<[], string>(sql).pluck().get() ?? '';
}

/** Slugs of articles of at most ARTICLE_BYTES, in random order. */
function articlesOf(db: BlogDatabase): string[] {
  const sql = `SELECT slug, octet_length(body) AS bytes FROM posts WHERE ${PUBLISHED} ORDER BY id * 7919 % 10007, id`;
  let left = ARTICLE_BYTES;
  return db
    .prepare<[], { slug: string; bytes: number }>(sql)
    .all()
    .filter(({ bytes }) => (left -= bytes) > 0)
    .map(({ slug }) => slug);
}
