import { field, textField } from './fields.ts';
import { hugoFile } from './permalink/hugo.ts';
import type { Site } from './site.ts';

/** Why a file of a whole site is not one of its posts; null: it may be one. */
export type WhyOutside = (path: string) => string | null;

const PAGE_FILE = /\.(?:md|markdown|html?)$/i;

/** The posts that the owner wants, as in FormatOptions. */
export interface Wanted {
  readonly section?: readonly string[] | undefined;
  readonly collection?: readonly string[] | undefined;
}

/**
 * Which files of a whole site are posts: for Jekyll `_posts`, `_drafts` and the wanted collections; for Hugo its main
 * sections, or the wanted ones. There is no rule for a folder with only content.
 */
export function outsidePosts(paths: readonly string[], site: Site, wanted: Wanted = {}): WhyOutside {
  if (site.generator === 'jekyll') return outsideJekyll(paths, site, wanted.collection ?? []);
  return site.generator === 'hugo' ? outsideHugo(paths, site, wanted.section) : () => null;
}

function outsideJekyll(
  paths: readonly string[],
  { root, config }: Site,
  collections: readonly string[],
): WhyOutside {
  // Collections may share a parent folder.
  const folder = (textField(config, 'collections_dir') ?? '').replace(/^\/+|\/*$/g, '');
  const starts = collections.map((name) => `${root}${folder === '' ? '' : `${folder}/`}_${name}/`);
  const isPost = (path: string): boolean =>
    starts.some((start) => path.startsWith(start)) ||
    (path.startsWith(root) && /(?:^|\/)_(?:posts|drafts)\//.test(path.slice(root.length)));
  if (!paths.some(isPost)) return () => null;
  return (path) => {
    if (isPost(path)) return null;
    const collection = path.startsWith(root) ? /^_([^/]+)\//.exec(path.slice(root.length))?.[1] : undefined;
    return collection === undefined ? 'is a page, not a post' : `is in ${`_${collection}`}, not in _posts`;
  };
}

/** Like Hugo: the section with the most pages, unless the site names its sections. */
function outsideHugo(
  paths: readonly string[],
  { root, config }: Site,
  wanted: readonly string[] | undefined,
): WhyOutside {
  const sectionOf = (path: string): string | null => {
    const file = path.startsWith(root) ? hugoFile(path.slice(root.length), config) : null;
    return file === null ? null : (file.folders[0] ?? '').toLowerCase();
  };
  const counts = new Map<string, number>();
  for (const path of paths) {
    const section = PAGE_FILE.test(path) && !/(?:^|\/)_index\./.test(path) ? sectionOf(path) : null;
    if (section !== null) counts.set(section, (counts.get(section) ?? 0) + 1);
  }
  if (counts.size === 0) return () => null;
  const named = field(config, 'params.mainSections') ?? field(config, 'mainSections');
  const names = (Array.isArray(named) ? named : [textField({ named: named ?? null }, 'named')]).flatMap(
    (name) => (typeof name === 'string' ? [name.toLowerCase()] : []),
  );
  const most = Math.max(...counts.values());
  const main = new Set(
    wanted?.map((name) => name.toLowerCase()) ??
      (names.some((name) => counts.has(name))
        ? names
        : [...counts.keys()].filter((name) => counts.get(name) === most)),
  );
  return (path) => {
    const section = sectionOf(path);
    if (section === null) return 'is not in the content of its site';
    return main.has(section) ? null : `is in the section "${section || '/'}", not among the posts`;
  };
}
