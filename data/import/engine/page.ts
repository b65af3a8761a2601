import type { FrontMatter } from '../markdown/front-matter.ts';

/** A page as its site's own engine rendered it. */
export interface RenderedPage {
  /** `markdown:posts/hello.md`, as the reader without the engine names it; see source.ts. */
  readonly source: string;
  /** Why it is no post; null where it is one. */
  readonly noPost: string | null;
  /** Why the engine could not read it; null where it could. */
  readonly fault: string | null;
  /** Its permalink. */
  readonly url: string;
  /** Empty where it has none. */
  readonly title: string;
  /** As engines write dates; null where it has none. */
  readonly date: string | null;
  readonly expires: string | null;
  /** Whether the engine calls it a draft, or not to be published. */
  readonly isDraft: boolean;
  /** Whether it is in any list of its site. */
  readonly isListed: boolean;
  /** As in ImportedPost. */
  readonly language: string | null;
  /** HTML: what its author marked as its beginning. */
  readonly lead: string | null;
  /** What its front matter says, with what it inherits, but for the engine's own keys of status and address. */
  readonly frontMatter: FrontMatter;
  /** The files of its bundle, by their names. */
  readonly files: readonly string[];
  readonly body: () => Promise<string>;
}

/** The site itself, as its engine knows it. */
export interface RenderedSite {
  readonly name: string | null;
  readonly url: string | null;
  /** The author of all posts that name none. */
  readonly author: FrontMatter[string] | undefined;
}

/**
 * What an engine renders, in this order: what is public now; also drafts, and what has expired; what is scheduled, but
 * no drafts.
 */
export const SCOPES = ['public', 'all', 'scheduled'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Rendering {
  /** `hugo 0.111.3`. */
  readonly by: string;
  readonly site: RenderedSite;
  /** Pages of scopes before may be left out. */
  readonly pages: readonly RenderedPage[];
}

/** An engine that is ready to render a site. */
export interface Engine {
  /** `hugo`, for people. */
  readonly name: string;
  readonly render: (scope: Scope) => Promise<Rendering>;
}
