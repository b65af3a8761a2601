import * as v from 'valibot';
import type { FrontMatter } from '../front-matter/front-matter.ts';

/** What every exporter writes about a page. Of pages that cannot be posts, only their file and address. */
export const PAGE_FACTS = {
  /** An absolute path; empty for a page without a file. */
  file: v.string(),
  /** Its permalink. */
  url: v.string(),
  /** Empty if it has none. */
  title: v.nullish(v.string(), ''),
  /** As the engine writes dates; null if it has none. */
  date: v.nullish(v.string(), null),
  expires: v.nullish(v.string(), null),
  updated: v.nullish(v.string(), null),
  /** Whether the engine treats it as a draft, or as not to be published. */
  isDraft: v.optional(v.boolean(), true),
  /** Whether any list of its site contains it. */
  isListed: v.optional(v.boolean(), false),
  /** HTML: the part that the author marked as the excerpt; empty: none. */
  lead: v.nullish(v.string(), ''),
  /** The files of its bundle, by name. */
  files: v.nullish(v.array(v.string()), []),
};

const PageFacts = v.object(PAGE_FACTS);
export type PageFacts = v.InferOutput<typeof PageFacts>;

/** A page, rendered by its site's own engine. */
export interface RenderedPage extends Omit<PageFacts, 'file'> {
  /** `markdown:posts/hello.md`, the same as in plain Markdown; see source.ts. */
  readonly source: string;
  /** Why it is not a post; null: it is one. */
  readonly noPost: string | null;
  /** Why the engine could not read it; null: it could. */
  readonly fault: string | null;
  /** As in ImportedPost. */
  readonly language: string | null;
  /** Its front matter, with inherited values, without the engine's own keys for status and address. */
  readonly frontMatter: FrontMatter;
  readonly body: () => Promise<string>;
}

/** The site, as reported by its engine. */
export interface RenderedSite {
  readonly name: string | null;
  readonly url: string | null;
  /** What themes put before a path from the root, as `/blog`; empty: nothing. */
  readonly base: string;
  /** The author of posts that name none. */
  readonly author: FrontMatter[string] | undefined;
  /** The keys of its taxonomies in front matter. */
  readonly taxonomies: readonly string[];
}

/**
 * What an engine renders, in this order: public posts; also drafts and expired posts; scheduled posts, without drafts.
 */
export const SCOPES = ['public', 'all', 'scheduled'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Rendering {
  /** `hugo 0.111.3`. */
  readonly by: string;
  readonly site: RenderedSite;
  /** Pages of earlier scopes may be missing. */
  readonly pages: readonly RenderedPage[];
}

/** An engine, ready to render a site. */
export interface Engine {
  /** `hugo`, for messages. */
  readonly name: string;
  readonly render: (scope: Scope) => Promise<Rendering>;
}
