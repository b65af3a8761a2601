import type { BlogDatabase } from '../../data/database.ts';
import { Random } from '../generate/random.ts';

type Parameters = Readonly<Record<string, string>>;

const SORTS = ['new', 'old', 'popular'];
const FILTERS = ['category', 'tag', 'author'] as const;
/** Of each page, half to one and a half times the default. */
const [LEAST_ITEMS, MOST_ITEMS] = [8, 22];
/** People rarely turn to later pages. */
const PAGES = 20;
const CHANCE = 0.4;
/** Draws for each list that is wanted, before a small blog has no more. */
const TRIES = 3;

/**
 * Lists of many kinds, none twice: in any order, of any combination of filters, each with a chance of 0.4 and the value of
 * a random post, and one of the first 20 pages. No list is empty.
 *
 * @returns at most `count` queries
 */
export function mixedLists(db: BlogDatabase, count: number): Parameters[] {
  const posts = valuesOf(db);
  const totals = countCombinations(posts);
  const random = new Random(1, 603);
  const lists = new Map<string, Parameters>();
  for (let i = 0; i < count * TRIES && lists.size < count; i++) {
    const { category, tags, author } = random.pick(posts);
    const values = { category, tag: tags.length > 0 ? random.pick(tags) : null, author };
    const filters = Object.fromEntries(
      FILTERS.flatMap((name) => {
        const value = values[name];
        return value !== null && random.chance(CHANCE) ? [[name, value]] : [];
      }),
    );
    const perPage = random.between(LEAST_ITEMS, MOST_ITEMS);
    const pages = Math.ceil((totals.get(keyOf(filters)) ?? 0) / perPage);
    const page = random.between(1, Math.min(PAGES, pages));
    const list = { ...filters, sort: random.pick(SORTS), per_page: String(perPage), page: String(page) };
    lists.set(JSON.stringify(list), list);
  }
  return [...lists.values()];
}

interface Values {
  readonly category: string | null;
  readonly author: string | null;
  /** Slugs. */
  readonly tags: readonly string[];
}

function valuesOf(db: BlogDatabase): Values[] {
  return db
    .prepare<[], { category: string | null; author: string | null; tags: string | null }>(
      `SELECT c.slug AS category, username AS author, (SELECT group_concat(tags.slug, char(10))
         FROM post_tags JOIN tags ON tags.id = tag_id WHERE post_id = p.id) AS tags
       FROM posts p LEFT JOIN categories c ON c.id = category_id LEFT JOIN authors a ON a.id = author_id
       WHERE status = 'published' AND published_unix <= unixepoch() ORDER BY p.id`,
    )
    .all()
    .map(({ tags, ...row }) => ({ ...row, tags: tags?.split('\n') ?? [] }));
}

/** The number of posts of each combination of filters. */
function countCombinations(posts: readonly Values[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const { category, author, tags } of posts) {
    const combinations = [null, ...tags].flatMap((tag) =>
      [null, category].flatMap((c) => [null, author].map((a) => ({ category: c, tag, author: a }))),
    );
    for (const key of new Set(combinations.map(keyOf))) totals.set(key, (totals.get(key) ?? 0) + 1);
  }
  return totals;
}

function keyOf({ category, tag, author }: Partial<Record<(typeof FILTERS)[number], string | null>>): string {
  return JSON.stringify([category ?? null, tag ?? null, author ?? null]);
}
