import { PREFIX } from '../../contract/api.ts';
import type { BlogDatabase } from '../../data/database.ts';
import { plantedWords, ONCE } from '../generate/planted.ts';
import { mostUsed } from '../queries/requests.ts';
import { coldQueries } from './cold-queries.ts';

/** Whose key a request has. */
export type Asker = 'reader' | 'exhausted' | 'unknown';

/** One kind of measured requests. */
export interface RequestClass {
  readonly id: ClassId;
  readonly name: string;
  readonly status: 200 | 401 | 429;
  readonly asker: Asker;
  /** Path and query. Each class has its own, so that a server of constants can tell them apart. */
  readonly target: string;
  /** Targets that are used once each, instead of the single target. */
  readonly cold?: readonly string[];
}

export type ClassId =
  | 'newest'
  | 'page20'
  | 'category'
  | 'tagCategory'
  | 'article'
  | 'rare'
  | 'common'
  | 'rareCold'
  | 'commonCold'
  | 'me'
  | 'refused'
  | 'unknown';

/** The requests that are measured on a blog. Names come from the blog itself. */
export function requestClasses(db: BlogDatabase): RequestClass[] {
  const [category, tag] = [mostUsed(db, 'category'), mostUsed(db, 'tag')];
  // One of average length, to represent all.
  const average = `SELECT slug FROM posts WHERE status = 'published' AND published_unix <= unixepoch()
    ORDER BY octet_length(body), id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM posts WHERE status = 'published')`;
  const slug = db.prepare<[], string>(average).pluck().get() ?? '';
  const list = (parameters: Readonly<Record<string, string>>) =>
    `${PREFIX}/posts?${new URLSearchParams(parameters).toString()}`;
  const search = (q: string) => list({ q });
  const reader = { status: 200, asker: 'reader' } as const;
  const cold = coldQueries(db);

  return [
    { id: 'newest', name: 'newest list', ...reader, target: `${PREFIX}/posts` },
    // Next to the class that it is compared with, because other load on the machine changes with time.
    {
      ...{ id: 'refused', name: 'refused (429)', status: 429, asker: 'exhausted' },
      target: list({ per_page: '15' }),
    },
    { id: 'page20', name: 'page 20', ...reader, target: list({ page: '20' }) },
    { id: 'category', name: 'a category', ...reader, target: list({ category }) },
    { id: 'tagCategory', name: 'tag + category', ...reader, target: list({ tag, category }) },
    {
      ...{ id: 'article', name: 'article', ...reader },
      target: `${PREFIX}/posts/${encodeURIComponent(slug)}`,
    },
    { id: 'rare', name: 'search, rare word', ...reader, target: search(ONCE) },
    { id: 'common', name: 'search, common word', ...reader, target: search(plantedWords.common.word) },
    {
      ...{ id: 'rareCold', name: 'search, rare, each new', ...reader, target: search(cold.rare[0] ?? '') },
      cold: cold.rare.map(search),
    },
    {
      ...{ id: 'commonCold', name: 'search, common, each new', ...reader },
      target: search(cold.common[0] ?? ''),
      cold: cold.common.map(search),
    },
    { id: 'me', name: '/me', ...reader, target: `${PREFIX}/me` },
    {
      ...{ id: 'unknown', name: 'unknown key (401)', status: 401, asker: 'unknown' },
      target: list({ page: '1' }),
    },
  ];
}
