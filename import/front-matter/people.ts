import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tidyText } from '../../common/content/text.ts';
import { messageOf } from '../../common/thrown.ts';
import type { ImportedAuthor } from '../imported-item.ts';
import { addAuthors, type AuthorDirectory } from './author.ts';
import { field } from './fields.ts';
import { asTable, type FrontValue, parseToml, parseYaml, splitPage } from './front-matter.ts';

export interface People {
  readonly authors: AuthorDirectory;
  /** The files that were read, and their use. They are not posts. */
  readonly used: ReadonlyMap<string, string>;
}

/** Data files with authors: `_data/authors.yml`, `_data/team.json`, `data/people.toml`. */
const AUTHORS_FILE =
  /(?:^|\/)_?data\/(?:[\w-]*(?:authors?|team|people|staff|members|contributors)[\w-]*)\.(?:ya?ml|json|toml)$/i;

/** A page about a person: `content/authors/jane/_index.md`. */
const AUTHOR_PAGE = /(?:^|\/)content\/authors?\/([^/]+)\/_index\.md$/i;

/** Reads the people of a blog from its data files and pages. `paths` are all its files, below `folder`. */
export async function readPeople(folder: string, paths: readonly string[]): Promise<People> {
  const authors = new Map<string, ImportedAuthor>();
  const used = new Map<string, string>();
  // `authors.json` is more specific than `team.json`.
  const files = paths.filter((path) => AUTHORS_FILE.test(path)).sort(byAuthorsFirst);
  const pages = paths.filter((path) => AUTHOR_PAGE.test(path));
  for (const path of [...files, ...pages]) {
    const [, id] = AUTHOR_PAGE.exec(path) ?? [];
    used.set(path, 'is data about authors');
    try {
      const text = await readData(join(folder, path));
      addAuthors(authors, id === undefined ? dataIn(path, text) : { [id]: personIn(text) });
    } catch (error) {
      used.set(path, `is data about authors, but cannot be used: ${messageOf(error)}`);
    }
  }
  return { authors, used };
}

async function readData(path: string): Promise<string> {
  return tidyText(await readFile(path, 'utf8'));
}

function dataIn(path: string, text: string): FrontValue {
  return /\.toml$/i.test(path) ? parseToml(text) : parseYaml(text);
}

function personIn(text: string): FrontValue {
  const { frontMatter } = splitPage(text);
  return { ...asTable(field(frontMatter ?? {}, 'extra') ?? null), ...frontMatter };
}

function byAuthorsFirst(a: string, b: string): number {
  return Number(!/author/i.test(a)) - Number(!/author/i.test(b)) || (a < b ? -1 : 1);
}
