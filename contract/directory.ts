import { FILTER_NAMES, type FilterTable, filterTables } from './filters.ts';
import {
  absentOr,
  isNumber,
  isRecord,
  isText,
  listOf,
  nullOr,
  oneOf,
  pairOf,
  parseJson,
  recordOf,
} from './json.ts';
import { isObjectHash, type ObjectHash } from './object-hash.ts';
import { isNameTable, type NameTable } from './name-table.ts';
import { isPageStart, type PageStart } from './pages.ts';
import { isPolicy, type Policy } from './policy.ts';
import { FORMAT } from './snapshot.ts';

/** The names of the blog and of its service. */
interface SiteNames {
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
  /** The body with its bytes. */
  readonly hash: ObjectHash;
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
  /** For descriptions of the interface. */
  readonly site: SiteNames;

  readonly overview: ObjectHash;
  readonly categories: ObjectHash;
  readonly tags: ObjectHash;
  /** By path, without duplicates. */
  readonly files: readonly SiteFile[];

  /** Summaries by position, PAGE_SIZE each, oldest first. */
  readonly pages: readonly ObjectHash[];
  /** Where each page begins. */
  readonly page_times: readonly PageStart[];
  /** Authors in the order they are listed, PAGE_SIZE each. */
  readonly author_pages: readonly ObjectHash[];
  /** View counts by position, COLUMN_SIZE each. */
  readonly views: readonly ObjectHash[];
  /** Positions of viewed posts by views, then newest, likewise. */
  readonly popular: readonly ObjectHash[];
  /** The first of them with their summaries (popularity.ts); null: the blog is too small. */
  readonly most_viewed: ObjectHash | null;
  /**
   * The search index: its objects, each with the text of its first entry, ascending by code point (search/suffix-tree.ts). It
   * covers the first posts (indexedPosts).
   */
  readonly suffixes: readonly (readonly [first: string, hash: ObjectHash])[];

  readonly names: {
    /** Slug → the article's body. */
    readonly post: NameTable;
    /** Username → the author's body. */
    readonly author: NameTable;
    /** Former slug → the article's current slug. Absent: no article has former slugs. */
    readonly moved?: NameTable;
  } & FilterTables;
}

/** The key of a filter's value → its set. Snapshots older than a filter lack its table, and most have no exact one. */
export type FilterTables = { readonly [Table in FilterTable]?: NameTable };

export type NameTableName = keyof Directory['names'];

/** @throws SyntaxError if the text is not a directory of this format */
export function parseDirectory(text: string): Directory {
  return parseJson(text, isDirectory, `a directory of format ${FORMAT}`);
}

const isHashes = listOf(isText);

export const isSiteFile = recordOf<SiteFile>({ path: isText, type: isText, hash: isText });

const isDirectory = recordOf<Directory>({
  format: oneOf([FORMAT]),
  posts: isNumber,
  viewed: isNumber,
  authors: isNumber,
  policy: isPolicy,
  site: recordOf<SiteNames>({ name: isText, api_url: absentOr(isText) }),
  overview: isObjectHash,
  categories: isText,
  tags: isText,
  files: listOf(isSiteFile),
  pages: isHashes,
  page_times: listOf(isPageStart),
  author_pages: isHashes,
  views: isHashes,
  popular: isHashes,
  most_viewed: nullOr(isText),
  suffixes: listOf(pairOf(isText, isText)),
  names: hasNameTables,
});

function hasNameTables(value: unknown): value is Directory['names'] {
  const isOptionalTable = absentOr(isNameTable);
  return (
    isRecord(value) &&
    isNameTable(value['post']) &&
    isNameTable(value['author']) &&
    isOptionalTable(value['moved']) &&
    FILTER_NAMES.flatMap(filterTables).every((table) => isOptionalTable(value[table]))
  );
}
