import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBlog } from '../../import/formats.ts';
import type { ReadOptions } from '../../import/read-options.ts';
import type { ImportedPost } from '../../import/imported-item.ts';
import { decodePercent } from '../../common/content/slug.ts';
import { shownText, withAsciiPunctuation } from './shown-text.ts';

/** A post that the Markdown reader gives differently from the site's engine. */
export interface Difference {
  readonly source: string;
  readonly field: 'missing' | 'URL' | 'date' | 'text' | 'signs';
  /** Where the two texts differ, or why the post is missing. */
  readonly engine: string;
  readonly reader: string;
  /** The losses of this post in the reader's report. */
  readonly losses: readonly string[];
}

/** A site, read by its own engine and by the Markdown reader. */
export interface Comparison {
  readonly engine: 'hugo' | 'jekyll';
  /** Number of files that the reader found. */
  readonly found: number;
  /** Number of posts that the engine publishes. */
  readonly published: number;
  /** Of these, how many the reader gives identically. */
  readonly equal: Readonly<Record<'URL' | 'date' | 'text' | 'signs', number>>;
  /** Posts that only the reader has. */
  readonly extra: readonly string[];
  /** Kind of loss → how many. */
  readonly losses: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
}

/** @throws ImportError if the engine cannot render the site */
export async function compareSite(folder: string, options: ReadOptions): Promise<Comparison> {
  const engine = existsSync(join(folder, '_config.yml')) ? 'jekyll' : 'hugo';
  const rendered = await itemsOf(readBlog(engine, [folder], options));
  const read = await itemsOf(readBlog('markdown', [folder], { now: options.now }));
  const isPublished = ({ status }: ImportedPost): boolean => status === 'published';
  const published = [...rendered.posts.values()].filter(isPublished);
  const equal = { URL: 0, date: 0, text: 0, signs: 0 };
  const differences: Difference[] = [];
  for (const post of published) {
    const { source } = post;
    const losses = read.losses.get(source) ?? [];
    const own = read.posts.get(source);
    if (own?.status !== 'published') {
      const reason = read.skipped.get(source.replace(/^markdown:/, '')) ?? `is ${own?.status ?? 'not found'}`;
      differences.push({ source, field: 'missing', engine: 'published', reader: reason, losses });
      continue;
    }
    for (const [field, shown] of Object.entries(FIELDS) as [keyof typeof FIELDS, (typeof FIELDS)['URL']][]) {
      const [a, b] = [shown(post), shown(own)];
      if (a === b) equal[field] += 1;
      // If the text differs, so do its quotes and dashes.
      else if (field !== 'signs' || withAsciiPunctuation(a) === withAsciiPunctuation(b))
        differences.push({ source, field, ...firstDifference(a, b), losses });
    }
  }
  const counts = new Map<string, number>();
  for (const what of [...read.losses.values()].flat()) counts.set(what, (counts.get(what) ?? 0) + 1);
  const sources = new Set(published.map(({ source }) => source));
  return {
    engine,
    found: read.posts.size + read.skipped.size,
    published: published.length,
    equal,
    extra: [...read.posts.values()]
      .filter(isPublished)
      .flatMap(({ source }) => (sources.has(source) ? [] : source)),
    losses: counts,
    differences,
  };
}

/** The compared fields, as text. */
const FIELDS = {
  URL: ({ url }: ImportedPost) => decodePercent(URL.parse(url ?? '', 'https://x')?.pathname ?? ''),
  date: ({ publishedAt }: ImportedPost) => String(Date.parse(publishedAt ?? '')),
  text: ({ body }: ImportedPost) => withAsciiPunctuation(shownText(body)),
  signs: ({ body }: ImportedPost) => shownText(body),
};

interface Items {
  /** Posts by source. */
  readonly posts: ReadonlyMap<string, ImportedPost>;
  /** Path → reason. */
  readonly skipped: ReadonlyMap<string, string>;
  readonly losses: ReadonlyMap<string, readonly string[]>;
}

async function itemsOf(items: ReturnType<typeof readBlog>): Promise<Items> {
  const posts = new Map<string, ImportedPost>();
  const skipped = new Map<string, string>();
  const losses = new Map<string, string[]>();
  for await (const item of items) {
    if (item.kind === 'post') posts.set(item.post.source, item.post);
    else if (item.kind === 'skipped') skipped.set(item.skipped.source, item.skipped.reason);
    else if (item.kind === 'loss') {
      const { source, what } = item.loss;
      losses.set(source, [...(losses.get(source) ?? []), what]);
    }
  }
  return { posts, skipped, losses };
}

/** An excerpt of both texts around the first difference. */
function firstDifference(a: string, b: string): { engine: string; reader: string } {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const part = (text: string): string => text.slice(Math.max(0, at - 20), at + 40);
  return { engine: part(a), reader: part(b) };
}
