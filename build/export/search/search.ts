/**
 * Searches an exported blog from its files alone, in a browser or elsewhere: it finds exactly what `q` finds. The bundle next
 * to this file is what exports have (test/search/thorough/bundle.test.ts makes it).
 */
import { countBits, positionsIn } from '../../../contract/bitmap.ts';
import { PAGE_SIZE } from '../../../contract/snapshot.ts';
import { parseTerms, type Searched, searchedText } from '../../../contract/search/search-text.ts';
import {
  inAll,
  indexedPosts,
  NOWHERE,
  findObjectIndex,
  Suffixes,
} from '../../../contract/search/suffix-tree.ts';

/** Reads a file of the folder `search/` of an export, such as `index.json`. */
type ReadFile = (path: string) => Promise<Uint8Array>;

/** A post as lists of the API show it, without its view count. */
interface FoundPost extends Searched {
  readonly slug: string;
  readonly url: string;
}

/** The file `index.json`: see docs/contributors/search-index.md. */
interface Index {
  readonly posts: number;
  readonly pages: readonly string[];
  readonly suffixes: readonly (readonly [first: string, hash: string])[];
}

export class Search {
  readonly #read: ReadFile;
  readonly #index: Index;
  readonly #pages = new Map<string, Promise<readonly FoundPost[]>>();

  private constructor(read: ReadFile, index: Index) {
    this.#read = read;
    this.#index = index;
  }

  /** Opens the exported blog. @param read by default, fetches files next to this script */
  static async open(read: ReadFile = readNextToThis): Promise<Search> {
    return new Search(read, await readJson<Index>(read, 'index.json'));
  }

  /** One page of the posts in which every term of `q` occurs, newest first. */
  async query(
    q: string,
    { page = 1, perPage = 15 } = {},
  ): Promise<{ readonly total: number; readonly items: readonly FoundPost[] }> {
    if (!(page >= 1 && perPage >= 1)) throw new RangeError('page and perPage count from 1.');
    const found = (await this.find(q)).reverse();
    const items = found.slice((page - 1) * perPage, page * perPage).map((position) => this.summary(position));
    return { total: found.length, items: await Promise.all(items) };
  }

  /** The positions of all these posts, oldest first. */
  async find(q: string): Promise<number[]> {
    const { posts, suffixes } = this.#index;
    const indexed = suffixes.length === 0 ? 0 : indexedPosts(posts);
    const terms = parseTerms(q);
    const holdsAll = async (position: number): Promise<boolean> => {
      const text = searchedText(await this.summary(position));
      return terms.every((term) => text.includes(term));
    };
    const occurrences = await Promise.all(
      terms.map(async (term) => {
        const object = suffixes[findObjectIndex(suffixes, term)];
        return object ? new Suffixes(await this.#read(`suffixes/${object[1]}`)).find(term, indexed) : NOWHERE;
      }),
    );
    const { posts: bits, check } = inAll(occurrences);
    const found = terms.length === 0 ? numbers(0, indexed) : [...positionsIn(bits, 0, countBits(bits))];
    // `one`: all of them have the terms, or none.
    const kept =
      check === 'each'
        ? await filter(found, holdsAll)
        : check === 'none' || found[0] === undefined || (await holdsAll(found[0]))
          ? found
          : [];
    return [...kept, ...(await filter(numbers(indexed, posts), holdsAll))];
  }

  /** The post at a position. */
  async summary(position: number): Promise<FoundPost> {
    const hash = this.#index.pages[Math.floor(position / PAGE_SIZE)] ?? '';
    const page = this.#pages.get(hash) ?? readJson<FoundPost[]>(this.#read, `pages/${hash}.json`);
    this.#pages.set(hash, page);
    const summary = (await page)[position % PAGE_SIZE];
    if (!summary) throw new RangeError(`There is no post at position ${position}.`);
    return summary;
  }
}

async function readNextToThis(path: string): Promise<Uint8Array> {
  const response = await fetch(new URL(path, import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function readJson<T extends object>(read: ReadFile, path: string): Promise<T> {
  const value: unknown = JSON.parse(new TextDecoder().decode(await read(path)));
  if (!isWritten<T>(value)) throw new SyntaxError(`${path} is not of an export.`);
  return value;
}

/** The export that has this script wrote the file too, so its fields are not checked. */
function isWritten<T extends object>(value: unknown): value is T {
  return typeof value === 'object' && value !== null;
}

function numbers(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}

async function filter(list: number[], keep: (one: number) => Promise<boolean>): Promise<number[]> {
  const kept = await Promise.all(list.map(keep));
  return list.filter((_, i) => kept[i]);
}
