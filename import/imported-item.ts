/** The border of `import/`: what formats return, and what `data/imported/` writes to the database. */
import type { PathKind } from '../common/site-paths.ts';

/** A post, as importers of all formats return it. */
export interface ImportedPost {
  /** Its origin, unique in its blog and stable across imports: `markdown:posts/hello.md`. */
  readonly source: string;
  /** The preferred slug; another post may already have it (data/imported/write-post.ts). */
  readonly slug: string;
  /**
   * `es`, `zh-cn`: the language of a translation, in lower case; null for the blog's own language. If both want the
   * same slug, the original gets it, and the translation gets `slug-es`.
   */
  readonly language: string | null;
  readonly title: string;
  /** HTML as written; the build sanitises it. */
  readonly body: string;
  /** Plain text. */
  readonly description: string | null;
  /** URL of an image: absolute, or a path on the site. */
  readonly cover: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly category: Term | null;
  /** In display order. */
  readonly tags: readonly Term[];
  readonly author: ImportedAuthor | null;
  /** The names of its other authors. The API shows one, so they are a loss. */
  readonly coAuthors?: readonly string[];
  /** Public now, or from its date on: import/formats.ts tells by the clock. Others are `hidden`. */
  readonly status: 'scheduled' | 'published';
  /** `2026-05-01T09:30:00+02:00` */
  readonly publishedAt: string;
  /** When it stops being public, in the same form, if its source says so. */
  readonly expiresAt?: string | null;
  /** When it was changed last, in the same form, if its source says so. */
  readonly updatedAt?: string | null;
  /** Its own address, if its source names one: absolute, or a path on the site. */
  readonly url: string | null;
  /** Null: keep the database's value, 0 for a new post. */
  readonly views: number | null;
}

export interface Term {
  readonly slug: string;
  readonly name: string;
}

export interface ImportedAuthor {
  readonly username: string;
  /** The same as `username` if the source has nothing better. */
  readonly name: string;
  readonly avatar: string | null;
}

/** An item of the source that did not become a post, and why. */
export interface Skipped {
  /** As in ImportedPost, or the file's path. */
  readonly source: string;
  readonly reason: string;
  /** How many items it stands for; default: one. */
  readonly count?: number;
  /** It is not a post in its own blog either: a page, an image, a part of the site. */
  readonly noPost?: true;
}

/** Why a blog does not show one of its posts to everybody. */
export const HIDDEN_REASONS = [
  'draft',
  'private',
  'password',
  'members',
  'trashed',
  'archived',
  'expired',
] as const;

/** A post that its blog does not show to everybody. Nothing of it is stored; if it was imported before, it is archived. */
export interface Hidden {
  /** As in ImportedPost. */
  readonly source: string;
  readonly reason: (typeof HIDDEN_REASONS)[number];
}

/** A part of a post that differs from its own blog. */
export interface Loss {
  /** The kind, the same for equal losses: `shortcode img-right`. */
  readonly what: string;
  /** Where: as in ImportedPost, or the file's path. */
  readonly source: string;
  /** Details of this one. */
  readonly detail?: string;
  /** How many times; default: once. */
  readonly count?: number;
}

/** The blog that posts come from, as far as its format knows. */
export interface ImportedBlog {
  readonly format: string;
  /** Identifies it within its format: the folder, the site's URL, Ghost's database id; null: unknown. */
  readonly key: string | null;
  /** For messages; may not be unique. */
  readonly name: string;
  /**
   * Whether all its posts are here, so that missing ones were removed. A WordPress export may be of one date or category,
   * without saying so.
   */
  readonly isComplete: boolean;
  /** The public site, according to the source. */
  readonly site?: {
    readonly name?: string | null;
    readonly url?: string | null;
    /** Patterns of its paths (common/site-paths.ts). */
    readonly paths?: Readonly<Record<PathKind, string | null>>;
  };
}

/** A blog that was imported before. */
export interface KnownBlog {
  /** The state that its format left at the last import; null: none. */
  readonly state: string | null;
  /** Its own address, if it is not the site's (`site` of ReadOptions). */
  readonly home: string | null;
  /** Whether the database has the post with this `source`. */
  readonly has: (source: string) => boolean;
}

/** An importer's output, one item at a time, so that no format needs its whole input in memory. */
export type ImportedItem =
  /** The following items are of this blog. */
  | { readonly kind: 'blog'; readonly blog: ImportedBlog }
  /** A term of the blog, with or without posts. Its name here counts, not what posts call it. */
  | { readonly kind: 'category'; readonly term: Term }
  | { readonly kind: 'tag'; readonly term: Term }
  | { readonly kind: 'author'; readonly author: ImportedAuthor }
  | { readonly kind: 'post'; readonly post: ImportedPost }
  | { readonly kind: 'hidden'; readonly hidden: Hidden }
  /** All posts of the blog were read, which its `blog` item could not know yet: it is complete. */
  | { readonly kind: 'complete' }
  /** A post, by `source`, that is unchanged since the last import and was not read again. */
  | { readonly kind: 'unchanged'; readonly source: string }
  | {
      readonly kind: 'skipped';
      readonly skipped: Skipped;
      /**
       * It may be a post, which then stays unchanged: the `source` of one post, of a folder of posts, or empty if it is
       * unknown which posts are missing.
       */
      readonly kept?: string;
      /** The `source` of a post that the blog itself reports as removed. */
      readonly removed?: string;
    }
  | { readonly kind: 'loss'; readonly loss: Loss }
  /** For the command line: which engine was used, what to do. */
  | { readonly kind: 'note'; readonly text: string }
  /** The format's state for the next import of this blog, stored when this one is written. */
  | { readonly kind: 'state'; readonly text: string };

/** A post as a format reads it, whose dates say when it is public. */
export type ReadPost = Omit<ImportedPost, 'status'>;

/** What a format yields. */
export type ReadItem =
  Exclude<ImportedItem, { readonly kind: 'post' }> | { readonly kind: 'post'; readonly post: ReadPost };
