import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PostUnreadable } from '../../content/errors.ts';
import type { ImportedAuthor } from '../post.ts';
import { zoneNamed } from '../../content/moment.ts';
import { tidyText } from '../../content/text.ts';
import { addAuthors, AUTHORS_FILE, type AuthorDirectory } from './author.ts';
import { field, textField } from './fields.ts';
import {
  asTable,
  isTable,
  parseToml,
  parseYaml,
  splitPage,
  type FrontMatter,
  type FrontValue,
} from './front-matter.ts';

/** What the posts of a blog have in common. */
export interface Site {
  /** Files read for it: each path, and what it gave. They are not posts. */
  readonly used: ReadonlyMap<string, string>;
  /** The folder of the whole site, with a slash at its end; empty where that is the imported one. */
  readonly root: string;
  /** Its configuration; empty when there is none, or none that can be read. */
  readonly config: FrontMatter;
  /** Its title and address, as the configuration has them. */
  readonly name: string | null;
  readonly url: string | null;
  /** Hugo and Zola do not know Liquid: there, `{{ x }}` is text. Unknown without a configuration. */
  readonly generator: 'jekyll' | 'hugo' | 'zola' | null;
  /** The time zone of dates that name none; null is UTC. */
  readonly zone: string | null;
  /** The language of files without a language suffix, in lower case. */
  readonly language: string | null;
  readonly author: FrontValue | undefined;
  readonly authors: AuthorDirectory;
}

/** A thousand authors are a tenth of that. */
const MAX_DATA_BYTES = 2_000_000;

const CONFIG_FILE =
  /^(?<root>(?:[^./][^/]*\/)*?)(?:_config\.ya?ml|(?:config\/_default\/)?(?:config|hugo|zola)\.(?:toml|ya?ml|json))$/i;

/** Hugo's and Zola's page of a person: `content/authors/jane/_index.md`. */
const AUTHOR_PAGE = /(?:^|\/)content\/authors?\/([^/]+)\/_index\.md$/i;

/** Hugo's configuration in parts: each file has what stands below its name, `params.toml` or `languages.fr.toml`. */
const CONFIG_PART = /^config\/(?:_default|production)\/([\w.-]+)\.(?:toml|ya?ml|json)$/i;

/** Reads the configuration and the data files of the blog whose files (paths below `folder`) these are. */
export async function readSite(folder: string, paths: readonly string[]): Promise<Site> {
  const used = new Map<string, string>();
  const read = async (path: string, gives: string): Promise<FrontValue> => {
    used.set(path, gives);
    try {
      const { size } = await stat(join(folder, path));
      if (size > MAX_DATA_BYTES)
        throw new PostUnreadable(`it is larger than ${MAX_DATA_BYTES / 1_000_000} MB`);
      return parseData(path, tidyText(await readFile(join(folder, path), 'utf8')));
    } catch (error) {
      used.set(
        path,
        `${gives}, but cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      );
      return null;
    }
  };

  const configPath = configOf(paths);
  const root = CONFIG_FILE.exec(configPath ?? '')?.groups?.['root'] ?? '';
  let config: FrontMatter = {};
  for (const path of configPath === undefined ? [] : configParts(configPath, root, paths)) {
    const keys = CONFIG_PART.exec(path.slice(root.length))?.[1]?.split('.') ?? [];
    const isWhole = /^(?:config|hugo)$/i.test(keys[0] ?? 'config');
    const part = asTable(await read(path, "is the site's configuration")) ?? {};
    config = merged(config, isWhole ? part : keys.reduceRight((table, key) => ({ [key]: table }), part));
  }

  const authors = new Map<string, ImportedAuthor>();
  // `authors.json` knows better than `team.json`.
  const authorFiles = paths.filter((path) => AUTHORS_FILE.test(path)).sort(byAuthorsFirst);
  for (const path of authorFiles) addAuthors(authors, await read(path, 'is data about authors'));

  for (const path of paths) {
    const [, id] = AUTHOR_PAGE.exec(path) ?? [];
    if (id === undefined) continue;
    const text = await readFile(join(folder, path), 'utf8').catch(() => '');
    addAuthors(authors, { [id]: personIn(text) });
    used.set(path, 'is data about authors');
  }

  const generator = generatorOf(configPath, config);
  return {
    used,
    root,
    config,
    name: textField(config, 'title'),
    url: urlOf(config),
    generator,
    zone: zoneOf(config),
    language: languageOf(config, generator),
    author: field(config, 'author') ?? field(config, 'params.author') ?? field(config, 'extra.author'),
    authors,
  };
}

/**
 * The shallowest is the site's own; a theme may bring another. A `_config.yml` may be of a program that edits the site:
 * next to the configuration of Hugo or Zola, it is the site's own only where something of Jekyll's is.
 */
function configOf(paths: readonly string[]): string | undefined {
  const found = paths.filter((path) => CONFIG_FILE.test(path)).sort((a, b) => depth(a) - depth(b));
  const [first] = found;
  const rootOf = (path: string | undefined): string => CONFIG_FILE.exec(path ?? '')?.groups?.['root'] ?? '';
  const root = rootOf(first);
  const other = found.find((path) => rootOf(path) === root && !isJekylls(path));
  if (first === undefined || other === undefined || !isJekylls(first)) return first;
  const has = (folder: RegExp): boolean =>
    paths.some((path) => path.startsWith(root) && folder.test(path.slice(root.length)));
  return has(JEKYLL_FOLDER) || !has(OTHER_FOLDER) ? first : other;
}

const JEKYLL_FOLDER = /^(?:.*\/)?_(?:posts|drafts|layouts|includes)\//s;
/** Of Hugo and Zola. */
const OTHER_FOLDER = /^(?:content|layouts|themes|templates|archetypes)\//;

function isJekylls(path: string): boolean {
  return /_config\.ya?ml$/i.test(path);
}

/** What the page of a person says of them. */
function personIn(text: string): FrontValue {
  try {
    const { frontMatter } = splitPage(tidyText(text));
    return { ...asTable(field(frontMatter ?? {}, 'extra') ?? null), ...frontMatter };
  } catch (error) {
    if (error instanceof PostUnreadable) return null;
    throw error;
  }
}

function configParts(path: string, root: string, paths: readonly string[]): string[] {
  const parts = paths.filter((other) => other.startsWith(root) && CONFIG_PART.test(other.slice(root.length)));
  // What is in force on the site itself comes last.
  const rank = (other: string): number => (other === path ? 0 : other.includes('config/_default/') ? 1 : 2);
  return [...new Set([path, ...parts])].sort((a, b) => rank(a) - rank(b));
}

/** The second wins; tables in both become one. */
function merged(first: FrontMatter, second: FrontMatter): FrontMatter {
  const table: Record<string, FrontValue> = { __proto__: null, ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = table[key];
    table[key] = isTable(before) && isTable(value) ? merged(before, value) : value;
  }
  return table;
}

function parseData(path: string, text: string): FrontValue {
  return /\.toml$/i.test(path) ? parseToml(text) : parseYaml(text);
}

function generatorOf(path: string | undefined, config: FrontMatter): Site['generator'] {
  if (path === undefined) return null;
  if (isJekylls(path)) return 'jekyll';
  // Both have a config.toml; Zola must have `base_url` in it, and Hugo writes `baseURL`.
  return 'base_url' in config ? 'zola' : 'hugo';
}

/** Only names: to Jekyll and Hugo, `+0100` is none, and their dates are in UTC. */
function zoneOf(config: FrontMatter): string | null {
  const written = textField(config, 'timezone') ?? '';
  return /^[a-z]/i.test(written) ? zoneNamed(written) : null;
}

/** Hugo's and Zola's `base_url`, or Jekyll's `url` with its `baseurl`. */
function urlOf(config: FrontMatter): string | null {
  const host = textField(config, 'url');
  if (host !== null) return host.replace(/\/+$/, '') + (textField(config, 'baseurl') ?? '');
  return textField(config, 'base_url');
}

function languageOf(config: FrontMatter, generator: Site['generator']): string | null {
  const written = textField(config, 'default_language', 'defaultContentLanguage', 'lang', 'locale');
  // English is what both take for granted.
  return written?.toLowerCase() ?? (generator === 'hugo' || generator === 'zola' ? 'en' : null);
}

function depth(path: string): number {
  return path.split('/').length;
}

function byAuthorsFirst(a: string, b: string): number {
  return Number(!/author/i.test(a)) - Number(!/author/i.test(b)) || (a < b ? -1 : 1);
}
