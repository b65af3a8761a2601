import { directoryOf, namesOf, positionsIn, readLines, readObject } from './output.ts';
import type { NameTable } from '../../contract/name-table.ts';

/** The content of a blog, read from a snapshot or from the database in plain SQL. */
export interface BlogContent {
  /** Summaries with their view counts, oldest first. */
  readonly summaries: readonly unknown[];
  /** In the same order. */
  readonly details: readonly unknown[];
  /** Slugs of the posts with views, most viewed first. */
  readonly popular: readonly string[];
  readonly categories: readonly unknown[];
  readonly tags: readonly unknown[];
  readonly authors: readonly unknown[];
  /** Slug or username → slugs of posts, oldest first. */
  readonly inCategory: Readonly<Record<string, readonly string[]>>;
  readonly byAuthor: Readonly<Record<string, readonly string[]>>;
  /** Former slug → current slug. */
  readonly moved: Readonly<Record<string, string>>;
}

/** The content of the published snapshot in `out`. */
export function readPublished(out: string): BlogContent {
  const directory = directoryOf(out);
  const numbersIn = (hash: string): number[] => JSON.parse(readObject(out, 'numbers', hash));
  const views = directory.views.flatMap(numbersIn);
  const summaries = directory.pages
    .flatMap((hash) => readLines(out, hash).records)
    .map((text, position) => {
      const summary: { slug: string; views: number } = JSON.parse(text);
      return { ...summary, views: views[position] };
    });
  const slugs = summaries.map(({ slug }) => slug);
  const detailOf = new Map(namesOf(out, directory.names.post).map(([slug, hash]) => [slug, hash]));
  const slugAt = (position: number) => slugs[position] ?? `no post at ${position}`;
  const sets = (table: NameTable | undefined) =>
    Object.fromEntries(
      namesOf(out, table ?? { inline: [] }).map(([name, hash]) => [name, positionsIn(out, hash).map(slugAt)]),
    );

  return {
    summaries,
    details: slugs.map((slug) => dataOf(readObject(out, 'body', detailOf.get(slug) ?? ''))),
    popular: directory.popular.flatMap((hash) => numbersIn(hash).map(slugAt)),
    categories: listOf(readObject(out, 'body', directory.categories)),
    tags: listOf(readObject(out, 'body', directory.tags)),
    authors: directory.author_pages
      .flatMap((hash) => readLines(out, hash).records)
      .map((text): unknown => JSON.parse(text)),
    inCategory: sets(directory.names.in_category),
    byAuthor: sets(directory.names.by_author),
    moved: Object.fromEntries(namesOf(out, directory.names.moved ?? { inline: [] })),
  };
}

function dataOf(answer: string): unknown {
  const { data }: { data: unknown } = JSON.parse(answer);
  return data;
}

function listOf(answer: string): unknown[] {
  const { data }: { data: unknown[] } = JSON.parse(answer);
  return data;
}

/** The first few differences in each part; empty: none. */
export function disagreements(actual: BlogContent, expected: BlogContent): string[] {
  return Object.keys(expected).flatMap((part) => {
    const [mine, theirs] = [linesOf(actual, part), linesOf(expected, part)];
    const places = [...theirs.keys(), ...mine.keys()].filter((key) => mine.get(key) !== theirs.get(key));
    return [...new Set(places)]
      .slice(0, 3)
      .map((key) => `${part} ${key}: ${mine.get(key)} instead of ${theirs.get(key)}`);
  });
}

function linesOf(content: BlogContent, part: string): Map<string, string> {
  const value = content[part as keyof BlogContent];
  return new Map(Object.entries(value).map(([key, record]) => [key, canonical(record)]));
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}
