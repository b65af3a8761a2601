import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { PostUnreadable } from '../../common/content/errors.ts';
import { foldedKey } from '../front-matter/fields.ts';
import { asTable, parseToml, parseYaml } from '../front-matter/front-matter.ts';

/** A site, and the generator that renders it. */
export interface GeneratedSite {
  readonly generator: 'Hugo' | 'Jekyll' | 'Hexo' | 'Zola' | (typeof BY_FILE)[number][0];
  readonly folder: string;
}

/** Generators with a configuration file of a name of their own. */
const BY_FILE = [
  ['Eleventy', /^(?:\.eleventy\.c?js|eleventy\.config\.[cm]?[jt]s)$/],
  ['Astro', /^astro\.config\.[cm]?[jt]s$/],
  ['Docusaurus', /^docusaurus\.config\.[cm]?[jt]s$/],
  ['Next.js', /^next\.config\.[cm]?[jt]s$/],
  ['Gatsby', /^gatsby-config\.[cm]?[jt]s$/],
] as const;

/** Generators that need no configuration file. */
const BY_PACKAGE = [
  ['Hexo', /"hexo"\s*:/],
  ['Eleventy', /"@11ty\/eleventy"\s*:/],
  ['Next.js', /"next"\s*:/],
] as const;

const JEKYLL_CONFIG = /^_config\.(?:ya?ml|toml)$/;
const JEKYLL_SETTINGS = /\b(?:jekyll|github-pages|kramdown)\b|^(?:baseurl|collections(?:_dir)?)[ \t]*[:=]/m;
const JEKYLL_FOLDER = /^_(?:posts|drafts|layouts|includes|sass)$/;
const HUGO_KEYS = ['baseurl', 'theme', 'languagecode', 'defaultcontentlanguage'];
const HUGO_FOLDER = /^(?:content|archetypes|layouts)$/;

/**
 * The site that contains a folder: the nearest one whose configuration says which generator it is for, at most in the
 * root of the repository, and never in the home folder. Null: none is certain.
 *
 * @param folder a real path
 */
export async function siteAround(folder: string): Promise<GeneratedSite | null> {
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder && (at === homedir() || at === dirname(at))) return null;
    const names: string[] = await readdir(at).catch(() => []);
    const [generator] = await generatorsOf(at, names, relative(at, folder).split(sep));
    if (generator !== undefined) return { generator, folder: at };
    if (names.includes('.git') || at === dirname(at)) return null;
  }
}

/** The generators that a site is configured for: a site that moved to another may still have the files of the first. */
export async function generatorsAt(site: string): Promise<readonly GeneratedSite['generator'][]> {
  return generatorsOf(site, await readdir(site), []);
}

/** The one that renders the site comes first. */
async function generatorsOf(
  folder: string,
  names: readonly string[],
  below: readonly string[],
): Promise<readonly GeneratedSite['generator'][]> {
  const [byFile] = BY_FILE.find(([, name]) => names.some((one) => name.test(one))) ?? [];
  const found = [await byConfig(folder, names), byFile ?? null, await byFolders(folder, names, below)];
  return found.filter((generator) => generator !== null);
}

async function byConfig(folder: string, names: readonly string[]): Promise<'Hugo' | 'Zola' | null> {
  const has = (name: RegExp): boolean => names.some((one) => name.test(one));
  if (has(/^hugo\.(?:toml|ya?ml|json)$/)) return 'Hugo';
  if ((await namesIn(join(folder, 'config/_default'))).some((name) => /\.(?:toml|ya?ml|json)$/.test(name)))
    return 'Hugo';
  const config = names.find((name) => /^config\.(?:toml|ya?ml|json)$/.test(name));
  if (config !== undefined && has(HUGO_FOLDER)) {
    const keys = keysIn(config, await textOf(join(folder, config)));
    if (keys.includes('base_url')) return 'Zola';
    if (keys.some((key) => HUGO_KEYS.includes(foldedKey(key)))) return 'Hugo';
  }
  return has(/^zola\.toml$/) && has(/^content$/) ? 'Zola' : null;
}

async function byFolders(
  folder: string,
  names: readonly string[],
  below: readonly string[],
): Promise<GeneratedSite['generator'] | null> {
  const has = (name: RegExp): boolean => names.some((one) => name.test(one));
  const jekyll = names.find((name) => JEKYLL_CONFIG.test(name));
  const packages = await textOf(join(folder, 'package.json'));
  const isJekyll = /\b(?:jekyll|github-pages)\b/.test(await textOf(join(folder, 'Gemfile')));
  if (jekyll === undefined) {
    if (isJekyll && has(/^_posts$/)) return 'Jekyll';
    return BY_PACKAGE.find(([, name]) => name.test(packages))?.[0] ?? null;
  }
  if (/"hexo"\s*:/.test(packages) || (await namesIn(join(folder, 'source'))).includes('_posts'))
    return 'Hexo';
  if (has(JEKYLL_FOLDER) || below.some((name) => JEKYLL_FOLDER.test(name))) return 'Jekyll';
  const inFolders = await Promise.all(names.map((name) => namesIn(join(folder, name)))); // `news/_posts`
  if (inFolders.flat().includes('_posts')) return 'Jekyll';
  return isJekyll || JEKYLL_SETTINGS.test(await textOf(join(folder, jekyll))) ? 'Jekyll' : null;
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function textOf(path: string): Promise<string> {
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
