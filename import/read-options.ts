import type { Progress } from '../common/progress.ts';
import type { KnownBlog } from './imported-item.ts';

/** Options of formats, besides the path. */
export interface FormatOptions {
  /** Jekyll's collections whose documents are posts, besides `posts`. */
  readonly collection?: readonly string[] | undefined;
  /** Hugo's sections whose pages are posts. */
  readonly section?: readonly string[] | undefined;
  /** Only posts of this language, as the site names it; default: all. */
  readonly language?: string | undefined;
  /** The program that renders the site: a path or a name. */
  readonly engine?: string | undefined;
  /** The key of a running Ghost's Content API. */
  readonly key?: string | undefined;
  /** Reads the files of a site of Hugo or Jekyll as plain Markdown. */
  readonly plain?: boolean | undefined;
  /** The file of SQL views over another program's database. */
  readonly views?: string | undefined;
  /** Reads everything again, ignoring the state of the last import. */
  readonly all?: boolean | undefined;
}

export interface ReadOptions extends FormatOptions {
  /** Tells which posts are scheduled. */
  readonly now: Date;
  /** The public site's address, if known. */
  readonly site?: string | null;
  /** The pattern of posts' paths on it (common/site-paths.ts). */
  readonly postPath?: string | undefined;
  /** The input is the whole blog, even if its format cannot say so. */
  readonly complete?: boolean | undefined;
  /** Receives the progress of long reads. */
  readonly progress?: Progress;
  /** A private folder for the time of an import, for the copy of a database. */
  readonly workFolder?: string | undefined;
  /** Waits a number of milliseconds before a retry; tests do not wait. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  /** The database's state of a blog; null: it was never imported. */
  readonly known?: (format: string, key: string) => KnownBlog | null;
}
