import { PostUnreadable } from '../../../common/content/errors.ts';
import { momentIn } from '../../../common/content/moment.ts';
import { field, textField, wordsOf } from '../fields.ts';
import {
  asTable,
  isList,
  parseToml,
  parseYaml,
  splitPage,
  type FrontMatter,
  type FrontValue,
} from '../front-matter.ts';
import { servedAt } from '../permalink/site-path.ts';
import { placeOf } from '../place.ts';
import { dateIn } from '../post-date.ts';
import type { Site } from '../site.ts';
import { statusOf } from '../status.ts';

/** The data of a Jekyll site that templates can access. */
export interface LiquidSite {
  /** Path below `_includes/` → its text. */
  readonly includes: ReadonlyMap<string, string>;
  /** `_data`, by folder and file name. */
  readonly data: FrontMatter;
  /** Newest first, as in `site.posts`. */
  readonly posts: readonly LiquidPage[];
}

/** A page, as templates see it. */
export interface LiquidPage {
  /** Relative to the site's root. */
  readonly path: string;
  readonly url: string;
  readonly title: string;
  readonly date: string | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly frontMatter: FrontMatter;
}

const MAX_INCLUDES = 5_000_000;
const INCLUDE = /^_includes\/(.+)$/s;
const DATA = /^_data\/(.+)\.(ya?ml|json|toml)$/s;
const POST = /^(?:[^_][^/]*\/)*_posts\/.+\.(?:md|markdown|mkdn?|mdown|html?)$/s;

export interface LiquidReading {
  readonly frontMatterOf: (path: string, own: FrontMatter | null) => FrontMatter | null;
  /** Reads the text of a file; unreadable files are skipped. */
  readonly read: (path: string) => Promise<string>;
  /** Tells which posts are scheduled. */
  readonly now: Date;
}

/** @returns only published posts: a public text may list them all */
export async function readLiquidSite(
  paths: readonly string[],
  site: Site,
  { frontMatterOf, read, now }: LiquidReading,
): Promise<LiquidSite> {
  const includes = new Map<string, string>();
  const data: Record<string, FrontValue> = { __proto__: null };
  const posts: LiquidPage[] = [];
  let size = 0;
  for (const full of paths) {
    if (!full.startsWith(site.root)) continue;
    const path = full.slice(site.root.length);
    const include = INCLUDE.exec(path)?.[1];
    const [, entry, kind] = DATA.exec(path) ?? [];
    if (include === undefined && entry === undefined && !POST.test(path)) continue;
    try {
      const text = await read(full);
      if (include !== undefined) {
        size += text.length;
        if (size <= MAX_INCLUDES) includes.set(include, text);
      } else if (entry !== undefined) {
        setAt(data, entry.split('/'), kind === 'toml' ? parseToml(text) : parseYaml(text));
      } else {
        const page = splitPage(text);
        const frontMatter = frontMatterOf(full, page.frontMatter) ?? {};
        const post = liquidPage(full, page.source, frontMatter, site);
        if (statusOf(frontMatter, full.split('/'), post.date, now, site.zone) === 'published')
          posts.push(post);
      }
    } catch (error) {
      // If it is a post, it is reported by itself.
      if (!(error instanceof PostUnreadable)) throw error;
    }
  }
  return { includes, data, posts: posts.sort((a, b) => ((a.date ?? '') < (b.date ?? '') ? 1 : -1)) };
}

export function liquidPage(full: string, source: string, frontMatter: FrontMatter, site: Site): LiquidPage {
  const place = placeOf(full, () => false);
  const date = dateIn(source, frontMatter, place, null, site);
  const path = full.slice(site.root.length);
  const [folders = ''] = path.split('_posts/');
  return {
    path,
    url: servedAt(full, frontMatter, date, site)?.url ?? '',
    title: textField(frontMatter, 'title') ?? place.name,
    date: date === null ? null : momentIn(site.zone, date),
    categories: unique([
      ...folders.split('/').filter(Boolean),
      ...words(field(frontMatter, 'categories')),
      ...words(field(frontMatter, 'category'), false),
    ]),
    tags: words(field(frontMatter, 'tags') ?? field(frontMatter, 'tag')),
    frontMatter,
  };
}

/** The items of a list; for a text, its words, or the whole text. */
function words(value: FrontValue | undefined, split = true): string[] {
  if (isList(value)) return value.flatMap((item) => words(item, false));
  const text = wordsOf(value);
  return split ? text.split(/\s+/).filter(Boolean) : [text].filter(Boolean);
}

function unique(terms: readonly string[]): string[] {
  return [...new Set(terms)];
}

function setAt(table: Record<string, FrontValue>, [key = '', ...keys]: string[], value: FrontValue): void {
  if (keys.length === 0) {
    table[key] = value;
    return;
  }
  const inner: Record<string, FrontValue> = { __proto__: null, ...asTable(table[key] ?? null) };
  setAt(inner, keys, value);
  table[key] = inner;
}
