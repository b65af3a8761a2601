import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PostUnreadable } from '../../common/content/errors.ts';
import type { ImportedAuthor } from '../imported-item.ts';
import { zoneNamed } from '../../common/content/moment.ts';
import { tidyText } from '../../common/content/text.ts';
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

/** Shared by the posts of a blog. */
export interface Site {
  /** Files that were read for it, and their use. They are not posts. */
  readonly used: ReadonlyMap<string, string>;
  /** The root of the site, with a trailing slash; empty if it is the imported folder. */
  readonly root: string;
  /** Its configuration; empty if missing or unreadable. */
  readonly config: FrontMatter;
  /** Its title and address from the configuration. */
  readonly name: string | null;
  readonly url: string | null;
  /** Hugo and Zola have no Liquid: there, `{{ x }}` is text. Unknown without a configuration. */
  readonly generator: 'jekyll' | 'hugo' | 'zola' | null;
  /** The time zone for dates without one; null means UTC. */
  readonly zone: string | null;
  /** The language of files without a language suffix, in lower case. */
  readonly language: string | null;
  readonly author: FrontValue | undefined;
  readonly authors: AuthorDirectory;
}

/** A thousand authors take a tenth of this. */
const MAX_DATA_BYTES = 2_000_000;

const CONFIG_FILE =
  /^(?<root>(?:[^./][^/]*\/)*?)(?:_config\.ya?ml|(?:config\/_default\/)?(?:config|hugo|zola)\.(?:toml|ya?ml|json))$/i;

/** Hugo's and Zola's page about a person: `content/authors/jane/_index.md`. */
const AUTHOR_PAGE = /(?:^|\/)content\/authors?\/([^/]+)\/_index\.md$/i;

/** A part of Hugo's configuration: each file has the values below its name, `params.toml` or `languages.fr.toml`. */
const CONFIG_PART = /^config\/(?:_default|production)\/([\w.-]+)\.(?:toml|ya?ml|json)$/i;

/** Reads the blog's configuration and data files. `paths` are all its files, below `folder`. */
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
  // `authors.json` is more specific than `team.json`.
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
 * The shallowest is the site's own; a theme may bring another. A `_config.yml` may belong to an editor program: next to
 * a Hugo or Zola configuration it counts only if the site has other files of Jekyll's.
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
/** Folders of Hugo and Zola. */
const OTHER_FOLDER = /^(?:content|layouts|themes|templates|archetypes)\//;

function isJekylls(path: string): boolean {
  return /_config\.ya?ml$/i.test(path);
}

/** The data about a person from their page. */
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
  // The values for production come last.
  const rank = (other: string): number => (other === path ? 0 : other.includes('config/_default/') ? 1 : 2);
  return [...new Set([path, ...parts])].sort((a, b) => rank(a) - rank(b));
}

/** The second wins; tables are merged. */
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
  // Both have a config.toml; Zola requires `base_url`, and Hugo uses `baseURL`.
  return 'base_url' in config ? 'zola' : 'hugo';
}

/** Only names: Jekyll and Hugo do not accept `+0100` as a zone, and use UTC. */
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
  // Both default to English.
  return written?.toLowerCase() ?? (generator === 'hugo' || generator === 'zola' ? 'en' : null);
}

function depth(path: string): number {
  return path.split('/').length;
}

function byAuthorsFirst(a: string, b: string): number {
  return Number(!/author/i.test(a)) - Number(!/author/i.test(b)) || (a < b ? -1 : 1);
}
