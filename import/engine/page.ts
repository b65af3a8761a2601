import * as v from 'valibot';
import { PostUnreadable } from '../../common/content/errors.ts';
import { type FrontMatter, type FrontValue, frontValue } from '../front-matter/front-matter.ts';

/** What both engines' records say about a page. Of pages that cannot be posts, only their file and address. */
export const PAGE_FACTS = {
  /** An absolute path; empty for a page without a file. */
  file: v.string(),
  /** Its permalink. */
  url: v.string(),
  /** Its own name in addresses, which they may not end with; empty: unknown. */
  slug: v.nullish(v.string(), ''),
  /** Empty if it has none. */
  title: v.nullish(v.string(), ''),
  /** As the engine writes dates; null if it has none. */
  date: v.nullish(v.string(), null),
  expires: v.nullish(v.string(), null),
  updated: v.nullish(v.string(), null),
  /** HTML: the part that the author marked as the excerpt; empty: none. */
  lead: v.nullish(v.string(), ''),
  /** The files of its bundle, by name. */
  files: v.nullish(v.array(v.string()), []),
};

/** What they say about the site. */
export const SITE_FACTS = { title: v.nullable(v.string()), url: v.string(), author: v.unknown() };

const PageFacts = v.object(PAGE_FACTS);
const SiteFacts = v.object(SITE_FACTS);

/** A page, rendered by its site's own engine. */
export interface RenderedPage extends v.InferOutput<typeof PageFacts> {
  /** Why it is not a post; null: it is one. */
  readonly noPost: string | null;
  /** Why the engine could not read it; null: it could. */
  readonly fault: string | null;
  /** As in ImportedPost. */
  readonly language: string | null;
  /** With inherited values, without the engine's own keys for status and address. */
  readonly frontMatter: FrontMatter;
  readonly body: string;
}

/** The site, as reported by its engine. */
export interface RenderedSite {
  readonly name: string | null;
  readonly url: string | null;
  /** What themes put before a path from the root, as `/blog`; empty: nothing. */
  readonly base: string;
  /** The author of posts that name none. */
  readonly author: FrontValue | undefined;
  /** Its own, in lower case; null: it does not say. */
  readonly language: string | null;
  /** The keys of its taxonomies in front matter. */
  readonly taxonomies: readonly string[];
}

/** A site, as its engine publishes it now. */
export interface Rendering {
  /** `hugo 0.111.3`. */
  readonly by: string;
  readonly site: RenderedSite;
  readonly pages: readonly RenderedPage[];
}

/** @param own what else the engine knows */
export function renderedSite(
  facts: v.InferOutput<typeof SiteFacts> | undefined,
  own: Pick<RenderedSite, 'language'> & Partial<Pick<RenderedSite, 'base' | 'taxonomies'>>,
): RenderedSite {
  const { title = null, url = null, author = null } = facts ?? {};
  return {
    name: title,
    url: url || null,
    author: valueFrom(author) ?? undefined,
    base: '',
    taxonomies: [],
    ...own,
  };
}

/** @param ownKeys keys that the engine itself reads and reports as other facts */
export function frontMatterFrom(
  data: Readonly<Record<string, unknown>>,
  ownKeys: ReadonlySet<string>,
): FrontMatter {
  const kept = Object.entries(data).filter(([key]) => !ownKeys.has(key.toLowerCase()));
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
