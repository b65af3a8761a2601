import { absentOr, isNumber, isText, listOf, nullOr, oneOf, recordOf } from '../../contract/json.ts';

/** What an importer gives for one post of any format. */
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
  /** From when it is not public any more, in the same form, where its source says so. */
  readonly expiresAt?: string | null;
  /** Its own address where its source names one: absolute, or a path on the site. */
  readonly url: string | null;
  /** Null: keep what the database has, 0 for a new post. */
  readonly views: number | null;
}

/** Whether a post of this status is public, now or once its date has come. */
export function isPublished(status: ImportedPost['status']): boolean {
  return status === 'published' || status === 'scheduled';
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

const isTerm = recordOf<Term>({ slug: isText, name: isText });

export const isImportedPost = recordOf<ImportedPost>({
  source: isText,
  slug: isText,
  language: nullOr(isText),
  title: isText,
  body: isText,
  description: nullOr(isText),
  cover: nullOr(isText),
  metaTitle: nullOr(isText),
  metaDescription: nullOr(isText),
  category: nullOr(isTerm),
  tags: listOf(isTerm),
  author: nullOr(recordOf<ImportedAuthor>({ username: isText, name: isText, avatar: nullOr(isText) })),
  status: oneOf(['draft', 'scheduled', 'published', 'archived']),
  publishedAt: nullOr(isText),
  expiresAt: absentOr(nullOr(isText)),
  url: nullOr(isText),
  views: nullOr(isNumber),
});

/** Something of the source that is no post in the database, and why. */
export interface Skipped {
  /** As in ImportedPost, or the file's path. */
  readonly source: string;
  readonly reason: string;
  /** How many things of the source it stands for; one where it is not said. */
  readonly count?: number;
  /** It is no post in its own blog either: a page, an image, what belongs to the site. */
  readonly noPost?: true;
}

/** A part of a post that is not as its own blog shows it. */
export interface Loss {
  /** The kind, the same for all losses alike: `shortcode img-right`. */
  readonly what: string;
  /** Where: as in ImportedPost, or the file's path. */
  readonly source: string;
  /** What is to be known of this one. */
  readonly detail?: string;
  /** How many times; once where it is not said. */
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
  /** It shows what is public to everybody alone: drafts in the database are not gone for not being in it. */
  readonly showsOnlyPublic?: boolean;
  /** What `source` begins with for its posts and no others, where there is such a text. */
  readonly owns?: string;
  /** What the source says of the public site. */
  readonly site?: { readonly name?: string | null; readonly url?: string | null };
}

/** What an importer hands over, one at a time, so that no format needs its whole input in memory. */
export type ImportedItem =
  /** What follows is of this blog. */
  | { readonly kind: 'blog'; readonly blog: ImportedBlog }
  | { readonly kind: 'post'; readonly post: ImportedPost }
  /** A post, by its `source`, that is as it was at the last import, and was not read again. */
  | { readonly kind: 'unchanged'; readonly source: string }
  | {
      readonly kind: 'skipped';
      readonly skipped: Skipped;
      /**
       * It may be a post, which stays as it is then: the `source` of one post, of a folder of posts, or empty
       * where it is unknown which posts are missing.
       */
      readonly stays?: string;
      /** The `source` of a post that is none any more, as the blog itself says. */
      readonly ended?: string;
    }
  | { readonly kind: 'loss'; readonly loss: Loss }
  /** A path on the site that leads to one of its posts, so that links to it are right. */
  | { readonly kind: 'alias'; readonly path: string }
  /** For the person at the command line: which engine it was, what to do. */
  | { readonly kind: 'note'; readonly text: string }
  /** What the format wants to be told at the next import of this blog, once this one is written. */
  | { readonly kind: 'state'; readonly text: string };
