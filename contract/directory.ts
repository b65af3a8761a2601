import type { FilterTable } from './filters.ts';
import { isObjectHash, type ObjectHash } from './object-name.ts';
import type { NameTable } from './name-table.ts';
import type { Policy } from './policy.ts';
import { FORMAT } from './snapshot.ts';

/** The blog and its service, by name. */
export interface SiteNames {
  readonly name: string;
  /**
   * The public address of the service, below which the interface's prefix stands: scheme, host and perhaps a path,
   * without a slash at the end. Absent: any under which it is called.
   */
  readonly api_url?: string;
}

/** The object that names all others of a snapshot. Its hash is the snapshot's id. */
export interface Directory {
  readonly format: typeof FORMAT;
  /** Published posts. */
  readonly posts: number;
  /** Posts with a view count above 0. */
  readonly viewed: number;
  /** Authors with a published post. */
  readonly authors: number;
  readonly policy: Policy;
  /** The blog, as descriptions of the interface name it. */
  readonly site: SiteNames;

  readonly overview: ObjectHash;
  readonly categories: ObjectHash;
  readonly tags: ObjectHash;

  /** Summaries by position, PAGE_SIZE each, oldest first. */
  readonly pages: readonly ObjectHash[];
  /** Authors in the order they are listed, PAGE_SIZE each. */
  readonly author_pages: readonly ObjectHash[];
  /** As viewsCuts cuts them. */
  readonly views: readonly ObjectHash[];
  /** Positions of viewed posts by views, then newest, COLUMN_SIZE each. */
  readonly popular: readonly ObjectHash[];
  /** For each segment (searchCuts) its parts. */
  readonly search: readonly (readonly ObjectHash[])[];

  readonly names: {
    /** Slug → `post`. */
    readonly post: NameTable;
    /** Username → `author`. */
    readonly author: NameTable;
  } & FilterTables;
}

/** The key of a filter's value → `set`. A snapshot of before there was the filter has no such table. */
export type FilterTables = { readonly [Table in FilterTable]?: NameTable };

export type NameTableName = keyof Directory['names'];

/** @throws SyntaxError where the text is no directory of this format */
export function parseDirectory(text: string): Directory {
  const directory: Omit<Directory, 'site'> & Partial<Pick<Directory, 'site'>> = JSON.parse(text);
  if (directory.format !== FORMAT || !isObjectHash(directory.overview)) {
    throw new SyntaxError(`not a directory of format ${FORMAT}`);
  }
  // Snapshots of before directories had a site are served on.
  return { ...directory, site: directory.site ?? { name: 'Blog' } };
}
