import * as v from 'valibot';
import type { Skipped } from '../imported-item.ts';
import { tidyLine } from '../../common/content/text.ts';
import type { Document } from './export.ts';

/** Fields differ between Ghost's versions; an unexpected value counts as absent. */
const text = v.optional(
  v.fallback(v.nullable(v.union([v.string(), v.pipe(v.number(), v.transform(String))])), null),
  null,
);
const number = v.optional(v.fallback(v.pipe(v.unknown(), v.transform(Number), v.number()), 0), 0);
const anything = v.optional(v.unknown());

const postRow = v.object({
  id: text,
  uuid: text,
  title: text,
  slug: text,
  html: text,
  lexical: anything,
  mobiledoc: anything,
  markdown: text,
  status: text,
  /** A value that is not text is unknown, and so not `public`. */
  visibility: anything,
  /** `post` or `page`, since 3.0. */
  type: text,
  /** 1 or true for a page, before. */
  page: anything,
  feature_image: text,
  /** The cover, before 1.0. */
  image: text,
  custom_excerpt: text,
  canonical_url: text,
  /** Moved to `posts_meta` with 3.0. */
  meta_title: text,
  meta_description: text,
  author_id: text,
  published_at: text,
  created_at: text,
  updated_at: text,
});
const userRow = v.object({ id: text, name: text, slug: text, profile_image: text, image: text });
const tagRow = v.object({ id: text, name: text, slug: text, visibility: text, hidden: anything });
const tagLink = v.object({ post_id: text, tag_id: text, sort_order: number });
const authorLink = v.object({ post_id: text, author_id: text, sort_order: number });
const metaRow = v.object({ post_id: text, meta_title: text, meta_description: text, email_only: anything });
const settingRow = v.object({
  key: text,
  value: v.union([v.pipe(v.boolean(), v.transform(String)), text]),
});

export type PostRow = v.InferOutput<typeof postRow> & {
  /** Its index in the table, from 0. */
  readonly index: number;
};
export type UserRow = v.InferOutput<typeof userRow>;
export type TagRow = v.InferOutput<typeof tagRow>;
export type MetaRow = v.InferOutput<typeof metaRow>;

/** The tables of an export that an import needs. Ids become text. */
export interface Tables {
  readonly posts: readonly PostRow[];
  readonly users: ReadonlyMap<string, UserRow>;
  readonly tags: ReadonlyMap<string, TagRow>;
  /** Ids of a post's tags and authors, in order. */
  readonly tagsOf: ReadonlyMap<string, readonly string[]>;
  readonly authorsOf: ReadonlyMap<string, readonly string[]>;
  readonly metaOf: ReadonlyMap<string, MetaRow>;
  readonly settings: ReadonlyMap<string, string>;
  /** Entries that are not rows. */
  readonly faults: readonly Skipped[];
}

/** How many entries that are not rows are named by themselves, for each table. */
const MAX_NAMED = 100;

export function tablesFrom(document: Document): Tables {
  const faults: Skipped[] = [];
  const rows = <T>(name: string, schema: v.GenericSchema<unknown, T>): (T & { index: number })[] => {
    const table = document[name];
    let count = 0;
    const read = (Array.isArray(table) ? table : []).flatMap((row: unknown, index) => {
      const parsed = v.safeParse(schema, row);
      if (parsed.success) return { ...parsed.output, index };
      const shown = row === null ? 'null' : Array.isArray(row) ? 'a list' : 'a plain value';
      count += 1;
      if (count <= MAX_NAMED)
        faults.push({ source: `${name}[${index}]`, reason: `is ${shown} instead of a row` });
      return [];
    });
    const others = count - MAX_NAMED;
    if (others > 0) faults.push({ source: `${name}[]`, reason: 'are no rows either', count: others });
    return read;
  };
  return {
    posts: rows('posts', postRow),
    users: byId(rows('users', userRow), ({ id }) => id),
    tags: byId(rows('tags', tagRow), ({ id }) => id),
    tagsOf: linksOf(rows('posts_tags', tagLink), ({ tag_id }) => tag_id),
    authorsOf: linksOf(rows('posts_authors', authorLink), ({ author_id }) => author_id),
    metaOf: byId(rows('posts_meta', metaRow), ({ post_id }) => post_id),
    settings: new Map(rows('settings', settingRow).map(({ key, value }) => [key ?? '', value ?? ''])),
    faults,
  };
}

/** A post's name in reports: `posts[12] "about"`. */
export function labelOf({ index, slug, title }: PostRow): string {
  const name = tidyLine(slug ?? '') || tidyLine(title ?? '');
  return name === '' ? `posts[${index}]` : `posts[${index}] "${name}"`;
}

/** If two rows share an id, the first wins, as in Ghost's own import. */
function byId<T>(rows: readonly T[], idOf: (row: T) => string | null): Map<string, T> {
  const named = rows.filter((row) => idOf(row) !== null);
  return new Map(named.reverse().map((row) => [idOf(row) ?? '', row]));
}

function linksOf<T extends { post_id: string | null; sort_order: number }>(
  rows: readonly T[],
  idOf: (row: T) => string | null,
): Map<string, string[]> {
  const linked = rows.filter(({ post_id }) => post_id !== null);
  linked.sort((a, b) => a.sort_order - b.sort_order);
  const links = Map.groupBy(linked, ({ post_id }) => post_id ?? '');
  const idsOf = (own: readonly T[]): string[] => own.map(idOf).filter((id) => id !== null);
  return new Map([...links].map(([post, own]) => [post, [...new Set(idsOf(own))]]));
}
