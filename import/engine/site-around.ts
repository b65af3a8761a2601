import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { PostUnreadable } from '../../common/content/errors.ts';
import { asTable, parseToml, parseYaml } from '../front-matter/front-matter.ts';
import { foldersUp } from '../sources/files.ts';

export type SiteEngine = 'Hugo' | 'Jekyll';

const JEKYLL_CONFIG = /^_config\.(?:ya?ml|toml)$/;
const JEKYLL_SETTINGS = /\b(?:jekyll|github-pages|kramdown)\b|^(?:baseurl|collections(?:_dir)?)[ \t]*[:=]/m;
const JEKYLL_FOLDER = /^_(?:posts|drafts|layouts|includes|sass)$/;
const HUGO_KEYS = ['baseurl', 'theme', 'languagecode', 'defaultcontentlanguage'];
const HUGO_FOLDER = /^(?:content|archetypes|layouts)$/;

/**
 * The site of Hugo or Jekyll that contains a folder: the nearest one whose configuration says so, at most in the root of
 * the repository, and never in the home folder. Null: none is certain.
 *
 * @param folder a real path
 */
export async function siteAround(
  folder: string,
): Promise<{ readonly engine: SiteEngine; readonly folder: string } | null> {
  for (const at of foldersUp(folder)) {
    const names: string[] = await readdir(at).catch(() => []);
    const [engine] = await findEngines(at, names, relative(at, folder).split(sep));
    if (engine !== undefined) return { engine, folder: at };
  }
  return null;
}

/** The engines that a site is configured for: one that moved to Hugo may still have the files of Jekyll. */
export async function enginesAt(site: string): Promise<readonly SiteEngine[]> {
  return findEngines(site, await readdir(site), []);
}

/** The one that renders the site comes first. */
async function findEngines(
  folder: string,
  names: readonly string[],
  below: readonly string[],
): Promise<readonly SiteEngine[]> {
  return [
    ...((await isHugo(folder, names)) ? ['Hugo' as const] : []),
    ...((await isJekyll(folder, names, below)) ? ['Jekyll' as const] : []),
  ];
}

async function isHugo(folder: string, names: readonly string[]): Promise<boolean> {
  const has = (name: RegExp): boolean => names.some((one) => name.test(one));
  if (has(/^hugo\.(?:toml|ya?ml|json)$/)) return true;
  if ((await namesIn(join(folder, 'config/_default'))).some((name) => /\.(?:toml|ya?ml|json)$/.test(name)))
    return true;
  const config = names.find((name) => /^config\.(?:toml|ya?ml|json)$/.test(name));
  if (config === undefined || !has(HUGO_FOLDER)) return false;
  const keys = keysIn(config, await readText(join(folder, config)));
  // Zola's has "base_url".
  return !keys.includes('base_url') && keys.some((key) => HUGO_KEYS.includes(key.toLowerCase()));
}

async function isJekyll(
  folder: string,
  names: readonly string[],
  below: readonly string[],
): Promise<boolean> {
  const has = (name: RegExp): boolean => names.some((one) => name.test(one));
  // Hexo has a file _config.yml too, and its posts there.
  if ((await namesIn(join(folder, 'source'))).includes('_posts')) return false;
  const config = names.find((name) => JEKYLL_CONFIG.test(name));
  const isNamed = /\b(?:jekyll|github-pages)\b/.test(await readText(join(folder, 'Gemfile')));
  if (config === undefined) return isNamed && has(/^_posts$/);
  if (isNamed || has(JEKYLL_FOLDER) || below.some((name) => JEKYLL_FOLDER.test(name))) return true;
  const inFolders = await Promise.all(names.map((name) => namesIn(join(folder, name)))); // `news/_posts`
  return inFolders.flat().includes('_posts') || JEKYLL_SETTINGS.test(await readText(join(folder, config)));
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** The names of the settings at the top of a configuration; none if it cannot be read. */
function keysIn(name: string, text: string): string[] {
  try {
    return Object.keys(asTable(name.endsWith('.toml') ? parseToml(text) : parseYaml(text)) ?? {});
  } catch (error) {
    if (error instanceof PostUnreadable) return [];
    throw error;
  }
}
