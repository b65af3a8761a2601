import { FILTER_NAMES, FILTERS, type FilterTable } from './filters.ts';
import { absentOr, isNumber, isRecord, isText, listOf, oneOf, pairOf, parseJson, recordOf } from './json.ts';
import { isObjectHash, type ObjectHash } from './object-hash.ts';
import { isNameTable, type NameTable } from './name-table.ts';
import { isPolicy, type Policy } from './policy.ts';
import { indexedPosts } from './search/suffix-tree.ts';
import { FORMAT, READABLE_FORMATS, type ReadableFormat } from './snapshot.ts';

/** The names of the blog and of its service. */
export interface SiteNames {
  readonly name: string;
  /**
   * The public address of the service, before the interface's prefix: scheme, host and perhaps a path, without a slash
   * at the end. Absent: any address.
   */
  readonly api_url?: string;
}

/** A file served outside the interface: the documentation page, the description, and their assets. */
export interface SiteFile {
  /** From the root of the service: `/openapi.json`. Never below the interface's prefix. */
  readonly path: string;
  /** The value of `Content-Type`. */
  readonly type: string;
  /** The object `file` with its bytes. */
  readonly hash: ObjectHash;
}

/** The object that names all others of a snapshot. Its hash is the snapshot's id. */
export interface Directory {
  readonly format: ReadableFormat;
  /** Published posts. */
  readonly posts: number;
  /** Posts with a view count above 0. */
  readonly viewed: number;
  /** Authors with a published post. */
  readonly authors: number;
  readonly policy: Policy;
  /** For descriptions of the interface. */
  readonly site: SiteNames;

  readonly overview: ObjectHash;
  readonly categories: ObjectHash;
  readonly tags: ObjectHash;
  /** By path, without duplicates. Empty in snapshots of versions before 0.2. */
  readonly files: readonly SiteFile[];

  /** Summaries by position, PAGE_SIZE each, oldest first. */
  readonly pages: readonly ObjectHash[];
  /** Publication time of the first article of each page, in Unix seconds. Absent in snapshots of version 0.1. */
  readonly page_times?: readonly number[];
  /** The objects `post` by position, POST_HASHES_SIZE each. Absent in snapshots of version 0.1. */
  readonly post_hashes?: readonly ObjectHash[];
  /** Authors in the order they are listed, PAGE_SIZE each. */
  readonly author_pages: readonly ObjectHash[];
  /** View counts by position, COLUMN_SIZE each. */
  readonly views: readonly ObjectHash[];
  /** Positions of viewed posts by views, then newest, likewise. */
  readonly popular: readonly ObjectHash[];
  /**
   * The search index: its objects, each with the text of its first entry, ascending by code point (search/suffix-tree.ts). It
   * covers the first posts (indexedIn).
   */
  readonly suffixes: readonly (readonly [first: string, hash: ObjectHash])[];
  /** Parts of the search index of formats 1 and 2. Not read; earlier versions of the gateway use them. */
  readonly search?: readonly (readonly ObjectHash[])[];

  readonly names: {
    /** Slug → `post`. */
    readonly post: NameTable;
    /** Username → `author`. */
    readonly author: NameTable;
  } & FilterTables;
}

/** How many posts, from the first on, the search index covers. The others are searched in their summaries. */
export function indexedIn({ suffixes, posts }: Pick<Directory, 'suffixes' | 'posts'>): number {
  return suffixes.length === 0 ? 0 : indexedPosts(posts);
}

/** The key of a filter's value → `set`. Snapshots older than a filter lack its table. */
export type FilterTables = { readonly [Table in FilterTable]?: NameTable };

export type NameTableName = keyof Directory['names'];

/** @throws SyntaxError if the text is not a directory of a readable format */
export function parseDirectory(text: string): Directory {
  const { site, files, suffixes, ...directory } = parseJson(
    text,
    isStored,
    `a directory of format ${FORMAT}`,
  );
  // Snapshots without a site or without files (before version 0.2), or of format 2, are still served.
  return { ...directory, site: site ?? { name: 'Blog' }, files: files ?? [], suffixes: suffixes ?? [] };
}

/** A directory as stored in its object. */
type Stored = Omit<Directory, Added> & Partial<Pick<Directory, Added>>;
type Added = 'site' | 'files' | 'suffixes';

const isHashes = listOf(isText);

export const isSiteFile = recordOf<SiteFile>({ path: isText, type: isText, hash: isText });

const isStored = recordOf<Stored>({
  format: oneOf(READABLE_FORMATS),
  posts: isNumber,
  viewed: isNumber,
  authors: isNumber,
  policy: isPolicy,
  site: absentOr(recordOf<SiteNames>({ name: isText, api_url: absentOr(isText) })),
  overview: isObjectHash,
  categories: isText,
  tags: isText,
  files: absentOr(listOf(isSiteFile)),
  pages: isHashes,
  page_times: absentOr(listOf(isNumber)),
  post_hashes: absentOr(isHashes),
  author_pages: isHashes,
  views: isHashes,
  popular: isHashes,
  suffixes: absentOr(listOf(pairOf(isText, isText))),
  search: absentOr(listOf(isHashes)),
  names: hasNameTables,
});

function hasNameTables(value: unknown): value is Directory['names'] {
  const isFilterTable = absentOr(isNameTable);
  return (
    isRecord(value) &&
    isNameTable(value['post']) &&
    isNameTable(value['author']) &&
    FILTER_NAMES.every((name) => isFilterTable(value[FILTERS[name].table]))
  );
}
