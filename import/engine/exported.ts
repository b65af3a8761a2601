import * as v from 'valibot';
import { PostUnreadable } from '../../common/content/errors.ts';
import { type FrontMatter, type FrontValue, frontValue } from '../front-matter/front-matter.ts';
import type { PageFacts, RenderedPage, RenderedSite } from './page.ts';
import type { PageRecord } from './records.ts';
import { sourcesOf } from './source.ts';

/** What every exporter writes about the site. */
export const SITE_FACTS = { title: v.nullable(v.string()), url: v.string(), author: v.unknown() };

const SiteFacts = v.object(SITE_FACTS);

/** A page that an engine wrote, or that it lists but did not write. */
export interface ExportedPage<Facts extends PageFacts = PageFacts> {
  /** An absolute path; null for a page without a file. */
  readonly file: string | null;
  readonly url: string;
  /** Null: the blog's default. */
  readonly language: string | null;
  readonly facts: Facts;
  /** Its front matter, as the engine parsed it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Null: the engine did not write it. */
  readonly record: PageRecord | null;
}

/** An exporter's decisions about pages. */
export interface PageRules<Facts extends PageFacts> {
  /** The site's folder. */
  readonly root: string;
  /** As in RenderedPage. */
  readonly noPost: (page: ExportedPage<Facts>) => string | null;
  readonly fault: (page: ExportedPage<Facts>) => string | null;
  /** Keys of front matter that the engine itself reads and reports as other facts. */
  readonly ownKeys: ReadonlySet<string>;
  /** As in sourcesOf. */
  readonly makesPages?: (file: string) => boolean;
}

export function renderedPages<Facts extends PageFacts>(
  pages: readonly ExportedPage<Facts>[],
  { root, noPost, fault, ownKeys, makesPages }: PageRules<Facts>,
): RenderedPage[] {
  const sources = sourcesOf(pages, root, makesPages);
  return pages.map((page) => {
    const { data, record, url, language } = page;
    const { file: _, ...facts } = page.facts;
    return {
      ...facts,
      ...{ source: sources.get(page) ?? '', noPost: noPost(page), fault: fault(page), url, language },
      frontMatter: frontMatterFrom(data, ownKeys),
      body: record === null ? () => Promise.resolve('') : record.body,
    };
  });
}

/** @param own what else the engine knows */
export function renderedSite(
  facts: v.InferOutput<typeof SiteFacts> | undefined,
  own: Partial<Pick<RenderedSite, 'base' | 'taxonomies'>> = {},
): RenderedSite {
  const { title = null, url = null, author = null } = facts ?? {};
  return {
    name: title,
    url: url || null,
    author: valueFrom(author) ?? undefined,
    base: own.base ?? '',
    taxonomies: own.taxonomies ?? [],
  };
}

function frontMatterFrom(data: ExportedPage['data'], without: ReadonlySet<string>): FrontMatter {
  const kept = Object.entries(data).filter(([key]) => !without.has(key.toLowerCase()));
  return Object.fromEntries(kept.map(([key, value]) => [key, valueFrom(value)]));
}

/** A value that nests too deeply is dropped: nobody writes one. */
function valueFrom(value: unknown): FrontValue {
  try {
    return frontValue(value);
  } catch (error) {
    if (!(error instanceof PostUnreadable)) throw error;
    return null;
  }
}
