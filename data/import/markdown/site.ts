import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PostUnreadable } from '../../content/errors.ts';
import type { ImportedAuthor } from '../post.ts';
import { tidyText } from '../../content/text.ts';
import { addAuthors, AUTHORS_FILE, type AuthorDirectory } from './author.ts';
import { field, textField } from './fields.ts';
import { asTable, parseToml, parseYaml, type FrontMatter, type FrontValue } from './front-matter.ts';

/** What the posts of a blog have in common. */
export interface Site {
  /** Files read for it: each path, and what it gave. They are not posts. */
  readonly used: ReadonlyMap<string, string>;
  /** Its configuration; empty when there is none, or none that can be read. */
  readonly config: FrontMatter;
  /** Its title and address, as the configuration has them. */
  readonly name: string | null;
  readonly url: string | null;
  /** Hugo and Zola do not know Liquid: there, `{{ x }}` is text. Unknown without a configuration. */
  readonly generator: 'jekyll' | 'hugo' | 'zola' | null;
  /** The language of files without a language suffix, in lower case. */
  readonly language: string | null;
  readonly author: FrontValue | undefined;
  readonly authors: AuthorDirectory;
}

/** A thousand authors are a tenth of that. */
const MAX_DATA_BYTES = 2_000_000;

const CONFIG_FILE = /(?:^|\/)(?:_config\.ya?ml|(?:config|hugo|zola)\.(?:toml|ya?ml|json))$/i;

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

  // The shallowest is the site's own; a theme may bring another.
  const [configPath] = paths.filter((path) => CONFIG_FILE.test(path)).sort((a, b) => depth(a) - depth(b));
  const config =
    configPath === undefined ? {} : (asTable(await read(configPath, "is the site's configuration")) ?? {});

  const authors = new Map<string, ImportedAuthor>();
  // `authors.json` knows better than `team.json`.
  const authorFiles = paths.filter((path) => AUTHORS_FILE.test(path)).sort(byAuthorsFirst);
  for (const path of authorFiles) addAuthors(authors, await read(path, 'is data about authors'));

  const generator = generatorOf(configPath, config);
  return {
    used,
    config,
    name: textField(config, 'title'),
    url: urlOf(config),
    generator,
    language: languageOf(config, generator),
    author: field(config, 'author') ?? field(config, 'params.author') ?? field(config, 'extra.author'),
    authors,
  };
}

function parseData(path: string, text: string): FrontValue {
  return /\.toml$/i.test(path) ? parseToml(text) : parseYaml(text);
}

function generatorOf(path: string | undefined, config: FrontMatter): Site['generator'] {
  if (path === undefined) return null;
  if (/_config\.ya?ml$/i.test(path)) return 'jekyll';
  // Both have a config.toml; Zola must have `base_url` in it, and Hugo writes `baseURL`.
  return 'base_url' in config ? 'zola' : 'hugo';
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
