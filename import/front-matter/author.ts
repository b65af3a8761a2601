import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../common/thrown.ts';
import type { ImportedAuthor, ImportedPost } from '../imported-item.ts';
import { pictureAt } from '../article/address.ts';
import { buildByline, publicName, toPerson } from '../article/people.ts';
import { tidyLine, tidyText } from '../../common/content/text.ts';
import { field, textField } from './fields.ts';
import {
  asTable,
  type FrontMatter,
  type FrontValue,
  isList,
  isTable,
  parseToml,
  parseYaml,
  splitPage,
} from './front-matter.ts';

/** People from a blog's data files, by id. */
export type AuthorDirectory = ReadonlyMap<string, ImportedAuthor>;

const ID_FIELDS = ['id', 'username', 'slug'];

/**
 * The post's authors. An id is looked up in the blog's data files. `fallback` is the site's author, for posts that name
 * none. A text is one name, also `Ann, Bob` or `Ann and Bob`: generators show it as it is, and `Ann Lee, Jr.` is one
 * person.
 */
export function findAuthors(
  frontMatter: FrontMatter,
  directory: AuthorDirectory,
  fallback?: FrontValue,
): Pick<ImportedPost, 'author' | 'coAuthors'> {
  const named = ['author', 'authors'].flatMap((key) => authorsFrom(field(frontMatter, key), directory));
  return buildByline(named.length > 0 ? named : authorsFrom(fallback, directory).slice(0, 1));
}

/**
 * Adds the people of a data file to the directory: a table of id → person, a list of persons with an id, or groups of
 * either. Existing entries are kept.
 */
function addAuthors(directory: Map<string, ImportedAuthor>, value: FrontValue, key?: string): void {
  if (isList(value)) for (const item of value) addAuthors(directory, item);
  if (!isTable(value)) return;
  const person = personFrom(value, key);
  if (person !== null) {
    if (!directory.has(person.username)) directory.set(person.username, person);
    return;
  }
  for (const [id, item] of Object.entries(value)) addAuthors(directory, item, id);
}

function authorsFrom(value: FrontValue | undefined, directory: AuthorDirectory): ImportedAuthor[] {
  if (isList(value)) return value.flatMap((item) => authorsFrom(item, directory));
  const names = isTable(value) ? field(value, 'name') : undefined;
  if (isList(names)) return authorsFrom(names, directory);
  const author = authorFrom(value, directory);
  return author === null ? [] : [author];
}

function authorFrom(value: FrontValue | undefined, directory: AuthorDirectory): ImportedAuthor | null {
  if (isTable(value)) {
    const person = personFrom(value, undefined);
    const id = textField(value, ...ID_FIELDS) ?? person?.username;
    return (id === undefined ? undefined : directory.get(id)) ?? person;
  }
  if (typeof value !== 'string') return null;
  const known = directory.get(value.trim()) ?? directory.get(value.trim().toLowerCase());
  if (known !== undefined) return known;
  const name = publicName(value);
  const named = [...directory.values()].find((person) => person.name === name);
  return named ?? toPerson(value);
}

function personFrom(table: FrontMatter, key: string | undefined): ImportedAuthor | null {
  const written = textField(table, 'name', 'title');
  const name = publicName(written ?? '');
  const id = key ?? textField(table, ...ID_FIELDS);
  if (name === '' || (key === undefined && id === null && written === null)) return null;
  const picture = textField(table, 'avatar', 'avatar_url', 'image', 'image_url', 'picture');
  return toPerson(name, tidyLine(id ?? ''), pictureAt(picture));
}

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
    used.set(path, 'is author data');
    try {
      const text = tidyText(await readFile(join(folder, path), 'utf8'));
      addAuthors(authors, id === undefined ? dataIn(path, text) : { [id]: personIn(text) });
    } catch (error) {
      used.set(path, `is author data, but cannot be used: ${messageOf(error)}`);
    }
  }
  return { authors, used };
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
