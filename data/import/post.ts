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

/** The blog that posts come from, as far as its format tells. */
export interface ImportedBlog {
  readonly format: string;
  /** Tells it from others of its format: the folder, the site's address, Ghost's id of the database; null: unknown. */
  readonly key: string | null;
  /** For people; another blog may have it already. */
  readonly name: string;
  /**
   * Whether all of its posts are here, so that one that is not here is gone. An export of WordPress may be of a
   * date or a category alone, and does not say so.
   */
  readonly isWhole: boolean;
  /** What `source` begins with for its posts and no others, where there is such a text. */
  readonly owns?: string;
}

/** What an importer hands over, one at a time, so that no format needs its whole input in memory. */
export type ImportedItem =
  /** What follows is of this blog. */
  | { readonly kind: 'blog'; readonly blog: ImportedBlog }
  | { readonly kind: 'post'; readonly post: ImportedPost }
  | {
      readonly kind: 'skipped';
      readonly skipped: Skipped;
      /**
       * It may be a post, which stays as it is then: the `source` of one post, of a folder of posts, or empty
       * where nobody knows which posts are missing.
       */
      readonly stays?: string;
      /** The `source` of a post that is none any more, as the blog itself says. */
      readonly ended?: string;
    };

/** A post that the database has. */
export interface KnownPost {
  readonly source: string;
  readonly slug: string;
}

/** The answer of the command `import`, and its `--json`. */
export interface ImportReport {
  /** The blogs that it was, by the names that `--name` takes. */
  readonly origins: readonly { readonly format: string; readonly name: string; readonly new: boolean }[];
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
  /** Posts that are at another place of their blog now. */
  readonly moved: readonly { readonly from: string; readonly to: string; readonly slug: string }[];
  /** Posts that are not in their blog any more: archived by this import. */
  readonly gone: readonly KnownPost[];
  /** Published posts that are not in this import and stay published. */
  readonly absent: readonly KnownPost[];
  /** Posts that the blog publishes and that stay archived, because they were withdrawn. */
  readonly withdrawn: readonly KnownPost[];
  readonly skipped: readonly Skipped[];
}
