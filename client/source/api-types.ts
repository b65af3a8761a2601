/** Made by test/client/client-types.ts from the description of the API. */

/** Endpoints, permissions and limits of the API. */
export interface Overview {
  /** The name of the API. */
  name: string;
  version: 'v1';
  /** The blog. */
  site: {
    /** Its name. */
    name: string;
    /** The absolute URL of its public site. */
    url: string;
  };
  /** Method and path, below the prefix. */
  endpoints: string[];
  /** All permissions. */
  permissions: {
    name: 'blog:read' | 'taxonomy:read' | 'authors:read';
    /** What it opens. */
    opens: string;
    /** The endpoints it opens. */
    endpoints: string[];
  }[];
  /** The limits in force. 2147483647: no limit. */
  limits: {
    /** Requests per UTC day, by kind of caller. */
    daily: {
      /** Without a key, for one IP address. */
      address: number;
      /** With a key, for its account. */
      user: number;
      /** With a key of an administrator. */
      admin: number;
    };
    /** Requests in any 60 seconds: for every caller, or by kind. */
    per_minute: number | {
      /** Without a key, for one IP address. */
      address: number;
      /** With a key, for its account. */
      user: number;
      /** With a key of an administrator. */
      admin: number;
    };
    /** Values of `per_page`. */
    per_page: {
      default: number;
      max: number;
    };
  };
}

/** The caller’s key and today’s quota. */
export interface Me {
  /** Null without a key. */
  key: {
    /** The name given to the key. */
    name: string;
    /** Its leading characters. */
    prefix: string;
    /** The permissions it carries. */
    scopes: ('blog:read' | 'taxonomy:read' | 'authors:read')[];
  } | null;
  /** Of the account, or of the IP address without a key. */
  quota: {
    /** Requests per day. */
    limit: number;
    /** Used today, including this request. */
    used: number;
    /** Left today. */
    remaining: number;
  };
}

/** An article in a list. */
export interface PostSummary {
  /** Identifies the article in paths. */
  slug: string;
  /** Plain text. */
  title: string;
  /** A few sentences of plain text: its description, or the beginning of its text. */
  description: string | null;
  /** The absolute URL of a picture. */
  cover: string | null;
  /** How often it was viewed on the site. */
  views: number;
  /** The names of its tags. */
  tags: string[];
  /** Null if it has none. */
  category: {
    /** Display name. */
    name: string;
    /** Identifies the category in filters and paths. */
    slug: string;
  } | null;
  /** Null if it has none. */
  author: {
    /** Display name. */
    name: string;
    /** Identifies the author in filters and paths. */
    username: string;
  } | null;
  /** The absolute URL of the article on the public site. */
  url: string;
  /** ISO 8601, with the offset from UTC that the author wrote. */
  published_at: string;
  /** When it was last changed; null if its source does not say. */
  updated_at?: string | null;
}

/** An article with its full text. */
export interface Post {
  /** Identifies the article in paths. */
  slug: string;
  /** Plain text. */
  title: string;
  /** Sanitised HTML; all URLs in it are absolute. */
  content: string;
  /** The names of its tags. */
  tags: string[];
  /** Title and description for search engines. */
  seo: {
    /** A title. */
    meta_title: string | null;
    /** A description. */
    meta_description: string | null;
  };
  /** ISO 8601, with the offset from UTC that the author wrote. */
  published_at: string;
  /** When it was last changed; null if its source does not say. */
  updated_at?: string | null;
  /** The article published before it; null if it is the first. Only with `include=neighbours`. */
  previous?: {
    /** Identifies the article in paths. */
    slug: string;
    /** Plain text. */
    title: string;
    /** The absolute URL of the article on the public site. */
    url: string;
  } | null;
  /** The article published after it; null if it is the last. Only with `include=neighbours`. */
  next?: {
    /** Identifies the article in paths. */
    slug: string;
    /** Plain text. */
    title: string;
    /** The absolute URL of the article on the public site. */
    url: string;
  } | null;
}

/** An article with its full text and the fields that it has in lists. */
export interface WholePost extends PostSummary, Post {}

/** An article for a copy of the blog. */
export interface ChangedPost extends PostSummary {
  /** Sanitised HTML; all URLs in it are absolute. */
  content: string;
  /** Title and description for search engines. */
  seo: {
    /** A title. */
    meta_title: string | null;
    /** A description. */
    meta_description: string | null;
  };
  /** When it was last changed; null if its source does not say. */
  updated_at: string | null;
  /** Slugs that it had earlier. Another article may use one of them now. */
  former_slugs: string[];
}

/** A page of all articles, or of changes. */
export interface Changes {
  /** Articles that are new to the copy, or changed. */
  items: ChangedPost[];
  /** Slugs of removed articles. */
  removed: string[];
  /** Which lists to read again. */
  lists: {
    /** Whether `/categories` changed. */
    categories: boolean;
    /** Whether `/tags` changed. */
    tags: boolean;
    /** Whether `/authors` changed. */
    authors: boolean;
  };
  /** To send for the next page; null on the last. */
  cursor: string | null;
  /** To send as `since` next time; null except on the last page. */
  token: string | null;
  /** Whether these pages are the whole blog. If so, articles that they do not give do not exist. */
  whole: boolean;
}

/** A category. */
export interface Category {
  /** Display name. */
  name: string;
  /** Used in URLs and filters. */
  slug: string;
  /** Published articles in it. */
  posts_count: number;
  /** The absolute URL of its page on the public site. */
  url: string;
}

/** A tag. */
export interface Tag {
  /** Display name. */
  name: string;
  /** Used in URLs and filters. */
  slug: string;
  /** Published articles that carry it. */
  posts_count: number;
  /** The absolute URL of its page on the public site. */
  url: string;
}

/** The public details of an author. */
export interface Author {
  /** Display name. */
  name: string;
  /** Identifies the author in paths. */
  username: string;
  /** The absolute URL of a picture. */
  avatar: string | null;
  /** Their published articles. */
  posts_count: number;
}

/** The position in a paged list. */
export interface PageMeta {
  /** This page. */
  page: number;
  /** Records per page. */
  per_page: number;
  /** The last page; 1 if the list is empty. */
  last_page: number;
  /** Total number of records. */
  total: number;
}

/** What went wrong. */
export interface ErrorResponse {
  success: false;
  /** What is wrong, and what to do. */
  message: string;
}

/** What is wrong with each parameter. */
export interface ValidationErrorResponse extends ErrorResponse {
  /** Reasons, by parameter name. */
  errors: Record<string, string[]>;
}

export interface PostsQuery {
  /** A search. Each term must occur in the title, the description or a tag, even inside a word; case does not matter. At most 100 characters and 8 terms, separated by white space; no control characters. Empty values are ignored. */
  q?: string | undefined;
  /** The order: newest first, oldest first, or most viewed first (then newest). */
  sort?: 'new' | 'old' | 'popular' | undefined;
  /** Articles by their slugs, separated by commas, in this order. Unknown slugs are left out. Can be combined only with `include`. At most 4000 characters and 50 items, separated by commas; no control characters. Empty values are ignored. */
  slug?: string | undefined;
  /** The page, counted from 1. */
  page?: number | undefined;
  /** How many records a page holds. */
  per_page?: number | undefined;
}

export interface AuthorsQuery {
  /** The page, counted from 1. */
  page?: number | undefined;
  /** How many records a page holds. */
  per_page?: number | undefined;
}

export interface ChangesQuery {
  /** The `token` of an earlier answer. Without it, all articles. */
  since?: string | undefined;
  /** The `cursor` of the previous answer, for the next page. `since` is then ignored. */
  cursor?: string | undefined;
  /** How many records a page holds. */
  per_page?: number | undefined;
}
