import { join } from 'node:path';
import type { Author, Category, Overview, Tag } from '../api-types.ts';
import type { Client } from '../client.ts';
import type { CallOptions } from '../options.ts';
import type { CopiedPost, State } from '../sync.ts';
import { openFolder } from './folder-store.ts';
import { readJson, writeJson } from './json-file.ts';

interface Lists {
  readonly categories: Category[];
  readonly tags: Tag[];
  readonly authors: Author[];
}

/** The whole blog, from its copy. */
export interface FolderCopy extends Lists {
  /** Name and address of the blog. */
  readonly site: Overview['site'];
  /** By slug, in no order. */
  readonly articles: ReadonlyMap<string, CopiedPost>;
  /** Slugs of articles added or changed since the last successful call; all slugs after a walk through the whole blog. */
  readonly changed: string[];
  /** Slugs of removed articles. */
  readonly removed: string[];
}

/**
 * Brings the copy of a blog in a folder up to date: articles, categories, tags and authors. The first call reads the whole
 * blog, later ones what changed. After an error the next call continues. One process at a time may use the folder.
 *
 * @param folder made if it does not exist
 * @param options for each call of the client
 * @throws errors of requests; Error if a file cannot be read or written
 */
export async function syncFolder(client: Client, folder: string, options?: CallOptions): Promise<FolderCopy> {
  const store = await openFolder(folder);
  // The last state, saved after the lists. Otherwise, after a failure there, the next call would not know which lists changed.
  let reached = null as State | null;
  const save = async (state: State) => {
    if (state.cursor === null && state.token !== null) reached = state;
    else await store.save(state);
  };
  const { changed, removed, lists } = await client.sync({ ...store, save }, options);

  const { site } = await client.overview(options);
  const file = join(folder, 'lists.json');
  const kept = await readJson(file, isLists);
  const categories = (!lists.categories && kept?.categories) || (await client.categories(options));
  const tags = (!lists.tags && kept?.tags) || (await client.tags(options));
  const authors = (!lists.authors && kept?.authors) || (await allAuthors(client, options));
  await writeJson(file, { categories, tags, authors } satisfies Lists);
  if (reached) await store.save(reached);
  return { site, articles: store.articles, categories, tags, authors, changed, removed };
}

async function allAuthors(client: Client, options: CallOptions | undefined): Promise<Author[]> {
  const authors: Author[] = [];
  for await (const author of client.eachAuthor(options)) authors.push(author);
  return authors;
}

const isLists = (value: Partial<Lists>): value is Lists =>
  Array.isArray(value.categories) && Array.isArray(value.tags) && Array.isArray(value.authors);
