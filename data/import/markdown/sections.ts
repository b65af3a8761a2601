import { field, textField } from './fields.ts';
import { hugoFile } from './permalink/hugo.ts';
import type { Site } from './site.ts';

/** Why a file of a whole site is not one of its posts; null where it may be one. */
export type WhyOutside = (path: string) => string | null;

const PAGE_FILE = /\.(?:md|markdown|html?)$/i;

/**
 * What a whole site of Jekyll or Hugo has for posts: Jekyll `_posts` and `_drafts`, Hugo its main sections. A folder
 * of content alone has no such rule.
 */
export function outsidePosts(paths: readonly string[], site: Site): WhyOutside {
  if (site.generator === 'jekyll') return outsideJekyll(paths, site);
  return site.generator === 'hugo' ? outsideHugo(paths, site) : () => null;
}

function outsideJekyll(paths: readonly string[], { root }: Site): WhyOutside {
  const isPost = (path: string): boolean =>
    path.startsWith(root) && /(?:^|\/)_(?:posts|drafts)\//.test(path.slice(root.length));
  if (!paths.some(isPost)) return () => null;
  return (path) => {
    if (isPost(path)) return null;
    const collection = path.startsWith(root) ? /^_([^/]+)\//.exec(path.slice(root.length))?.[1] : undefined;
    return collection === undefined ? 'is a page, not a post' : `is in ${`_${collection}`}, not in _posts`;
  };
}

/** As Hugo, the section with the most pages, where the site does not name any. */
function outsideHugo(paths: readonly string[], { root, config }: Site): WhyOutside {
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
    names.some((name) => counts.has(name))
      ? names
      : [...counts.keys()].filter((name) => counts.get(name) === most),
  );
  return (path) => {
    const section = sectionOf(path);
    if (section === null) return 'is not in the content of its site';
    return main.has(section) ? null : `is in the section "${section || '/'}", not among the posts`;
  };
}
