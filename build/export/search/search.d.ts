/** Reads a file of the folder `search/` of an export, such as `index.json`. */
export type ReadFile = (path: string) => Promise<Uint8Array>;

/** A post as lists of the API show it, without its view count. */
export interface Summary {
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly url: string;
}

/** The file `index.json`: see docs/contributors/search-index.md. */
export interface Index {
  readonly posts: number;
  readonly pages: readonly string[];
  readonly suffixes: readonly (readonly [first: string, hash: string])[];
}

/** The posts of a term. `open`: each may lack it. `unread`: all have it, or none. */
export interface Found {
  readonly positions: number[];
  readonly state: 'sure' | 'open' | 'unread';
}

export class Search {
  /** Opens the exported blog. @param read by default, fetches files next to this script */
  static open(read?: ReadFile): Promise<Search>;

  /** One page of the posts in which every term of `q` occurs, newest first. */
  query(
    q: string,
    paging?: { readonly page?: number; readonly perPage?: number },
  ): Promise<{ readonly total: number; readonly items: readonly Summary[] }>;

  /** The positions of all these posts, oldest first. */
  find(q: string): Promise<number[]>;

  /** The post at a position. */
  summary(position: number): Promise<Summary>;
}
