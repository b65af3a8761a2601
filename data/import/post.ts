/** What an importer gives for one post, whatever the format it came from. */
export interface ImportedPost {
  /** Where it came from, unique in its blog and the same at each import: `markdown:posts/hello.md`. */
  readonly source: string;
  /** The slug it would like; another post may have it already (see write-post.ts). */
  readonly slug: string;
  /**
   * `es`, `zh-cn`: the language of a translation, in lower case; null for the blog's own language. The
   * original keeps a slug that both ask for, and the translation takes `slug-es`.
   */
  readonly language: string | null;
  readonly title: string;
  /** HTML as written, not yet sanitised: that is the build's task. */
  readonly body: string;
  /** Plain text. */
  readonly description: string | null;
  /** URL of an image, absolute or a path on the site. */
  readonly cover: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly category: Term | null;
  /** In the order they are shown. */
  readonly tags: readonly Term[];
  readonly author: ImportedAuthor | null;
  readonly status: 'draft' | 'scheduled' | 'published' | 'archived';
  /** `2026-05-01T09:30:00+02:00`; null for a draft without a date. */
  readonly publishedAt: string | null;
  /** Its own address where its source names one: absolute, or a path on the site. */
  readonly url: string | null;
  /** Null: keep what the database has, 0 for a new post. */
  readonly views: number | null;
}

export interface Term {
  readonly slug: string;
  readonly name: string;
}

export interface ImportedAuthor {
  readonly username: string;
  /** The same as `username` where the source gives no better one. */
  readonly name: string;
  readonly avatar: string | null;
}

/** Something of the source that did not come through, and why. */
export interface Skipped {
  /** As in ImportedPost, or the file's path. */
  readonly source: string;
  readonly reason: string;
  /** How many things of the source it stands for; one where it is not said. */
  readonly count?: number;
}

/** What an importer hands over, one at a time, so that no format needs its whole input in memory. */
export type ImportedItem =
  | { readonly kind: 'post'; readonly post: ImportedPost }
  | { readonly kind: 'skipped'; readonly skipped: Skipped };

/** The answer of the command `import`, and its `--json`. */
export interface ImportReport {
  /** New or changed in the database by this import. */
  readonly imported: {
    readonly posts: number;
    readonly categories: number;
    readonly tags: number;
    readonly authors: number;
  };
  /** Posts that the database already had, just so. */
  readonly unchanged: number;
  /** Posts that had to take another slug than they asked for, because an earlier post has it. */
  readonly renamed: readonly { readonly source: string; readonly slug: string; readonly wanted: string }[];
  readonly skipped: readonly Skipped[];
}
