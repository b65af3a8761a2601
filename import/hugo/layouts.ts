import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix, relative } from 'node:path';
import { programFile } from '../../common/program-files.ts';
import { withSlashes } from '../../common/slashes.ts';

/** A part of a site (the project itself, a theme, a module), as `hugo config mounts` prints it. */
export interface SiteModule {
  readonly dir: string;
  /** Empty for the project. */
  readonly owner: string;
  readonly mounts: readonly { readonly source: string; readonly target: string }[];
}

/** Layouts that bodies need: shortcodes, partials, and render hooks for links, images and code. */
const SUPPORT = /(?:^|\/)(?:_?partials|_?shortcodes|_markup)\//;

/** `{{ .Render "card" }}` renders a page with the layout of this name. */
const VIEW = /\.Render\s+\(?\s*["`]([^"`]+)["`]/g;

/** Layouts to write for every site, so that Hugo's built-in ones are not rendered. */
const ALWAYS = [
  ...['_default/single.html', '_default/list.html', 'index.html', '404.html'],
  ...['_default/rss.xml', '_default/sitemap.xml', '_default/sitemapindex.xml', '_default/robots.txt'],
];

interface Layout {
  /** Relative to `layouts/`. */
  readonly path: string;
  readonly file: string;
  readonly isOwn: boolean;
}

/**
 * Writes layouts to use instead of the site's: layouts of whole pages are replaced by a record of the page; those that
 * bodies need are the site's own. So a page's menu, scripts and images cost no time and cannot fail.
 */
export async function writeLayouts(
  modules: readonly SiteModule[],
  folder: string,
  mark: string,
): Promise<void> {
  const page = (await readFile(ownFile('page.template'), 'utf8')).replaceAll('MARK', mark);
  const layouts = (await Promise.all(modules.map(findLayouts))).flat();
  const views = await viewsIn(layouts.filter(isSupport));
  const written = new Set<string>();
  const write = async (path: string, put: (target: string) => Promise<void>): Promise<void> => {
    if (written.has(path)) return; // The first is the one that Hugo would use.
    written.add(path);
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await put(target);
  };
  const replace = (path: string): Promise<void> =>
    write(path, (target) => writeFile(target, path.endsWith('.html') ? page : ''));

  for (const layout of layouts) {
    const { path, file, isOwn } = layout;
    const [name = ''] = posix.basename(path).split('.');
    const isKept = isSupport(layout) || views.has(name) || name === 'alias';
    if (!isKept) await replace(path);
    else if (isOwn) await write(path, (target) => copyFile(file, target));
  }
  for (const path of ALWAYS) await replace(path);
  await write(`partials/${mark}/listed.html`, (target) => copyFile(ownFile('listed.template'), target));
}

function isSupport({ path }: Layout): boolean {
  return SUPPORT.test(path);
}

async function viewsIn(layouts: readonly Layout[]): Promise<ReadonlySet<string>> {
  const views = new Set<string>();
  for (const { file } of layouts) {
    for (const [, name = ''] of (await readFile(file, 'utf8')).matchAll(VIEW))
      views.add(posix.basename(name));
  }
  return views;
}

async function findLayouts({ dir, owner, mounts }: SiteModule): Promise<Layout[]> {
  const found: Layout[] = [];
  for (const { source, target } of mounts) {
    const [first, ...below] = target.split('/');
    if (first !== 'layouts') continue;
    const folder = isAbsolute(source) ? source : join(dir, source);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
      if (entry.isDirectory()) continue;
      const file = join(entry.parentPath, entry.name);
      found.push({
        path: posix.join(...below, withSlashes(relative(folder, file))),
        file,
        isOwn: owner === '',
      });
    }
  }
  return found;
}

function ownFile(name: string): string {
  return programFile(`import/hugo/${name}`);
}
