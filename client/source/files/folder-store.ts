import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CopiedPost, State, Store } from '../sync.ts';
import { readJson, writeJson } from './json-file.ts';

/** A store with its articles by slug. */
export interface FolderStore extends Store {
  readonly articles: ReadonlyMap<string, CopiedPost>;
}

/**
 * A store with a file for each article, and one for the state.
 *
 * @param folder made if it does not exist
 * @throws Error if a file cannot be read
 */
export async function openFolder(folder: string): Promise<FolderStore> {
  const [files, stateFile] = [join(folder, 'articles'), join(folder, 'state.json')];
  await mkdir(files, { recursive: true });
  const articles = new Map<string, CopiedPost>();
  for (const name of await readdir(files)) {
    if (!name.endsWith('.json')) continue; // From an interrupted write.
    const article = await readJson(join(files, name), isArticle);
    if (article) articles.set(article.slug, article);
  }
  // A slug may contain characters that file names cannot.
  const articleFile = (slug: string) =>
    join(files, `${createHash('sha256').update(slug).digest('hex').slice(0, 32)}.json`);
  return {
    articles,
    load: () => readJson(stateFile, isState),
    save: (state) => writeJson(stateFile, state),
    async put(article) {
      await writeJson(articleFile(article.slug), article);
      articles.set(article.slug, article);
    },
    async delete(slug) {
      await rm(articleFile(slug), { force: true });
      articles.delete(slug);
    },
    slugs: () => articles.keys(),
  };
}

const isArticle = (value: Partial<CopiedPost>): value is CopiedPost => typeof value.slug === 'string';
const isState = (value: Partial<State>): value is State =>
  'token' in value && 'cursor' in value && Array.isArray(value.changed) && Array.isArray(value.removed);
