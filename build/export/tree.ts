/**
 * All files of the tree, from one snapshot. A file comes after the files that it links to, and the last page of a list
 * before its first. Files are put in place in this order, so no link ever leads to a missing file.
 */
import type { NameEntry } from '../../contract/name-table.ts';
import type { SnapshotStore } from '../../gateway/home.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { readAssets } from '../page/assets.ts';
import { parseTerms } from '../history/records.ts';
import {
  type AnswerFile,
  authorAnswer,
  type List,
  overviewAnswer,
  pageOf,
  termsAnswer,
  textOf,
} from './answers.ts';
import { describeTree } from './description.ts';
import { renderTreePage } from './page.ts';
import { type AnswerKind, pathOf } from './paths.ts';
import { redirectFiles } from './redirects.ts';
import { searchFiles } from './search-files.ts';
import { fileOf, type TreeFile } from './tree-file.ts';

/** A file of a kind, with the slug or username in its path. */
interface TreeExample {
  readonly name: string;
  readonly text: string;
}

/** The first file of each kind, for the description. */
export type TreeExamples = ReadonlyMap<AnswerKind, TreeExample>;

/** @param perPage records on each page of a list, 1 to 50 */
export async function* treeOf(
  snapshot: Snapshot,
  store: SnapshotStore,
  perPage: number,
): AsyncGenerator<TreeFile> {
  const examples = new Map<AnswerKind, TreeExample>();
  const answer = ({ kind, path, text }: AnswerFile, name: string): TreeFile => {
    if (!examples.has(kind)) examples.set(kind, { name, text });
    return fileOf(path, text);
  };
  async function* pages(list: List): AsyncGenerator<TreeFile> {
    const first = await pageOf(snapshot, list, perPage, 1);
    for (let page = first.lastPage; page > 1; page--) {
      const { path, text } = await pageOf(snapshot, list, perPage, page);
      yield fileOf(path, text);
    }
    yield answer(first, list.name);
  }

  yield fileOf('.nojekyll', ''); // Otherwise GitHub Pages leaves out files whose names begin with "_".
  for await (const [slug, hash] of names(snapshot, 'post')) {
    const content = async () => await snapshot.read('post', hash);
    if (!examples.has('post')) examples.set('post', { name: slug, text: textOf(await content()) });
    yield { path: pathOf('post', slug), hash, content };
  }
  yield* await redirectFiles(snapshot, names(snapshot, 'moved'));
  for await (const [username, hash] of names(snapshot, 'author')) {
    yield* pages({ kind: 'postsByAuthor', name: username, query: { author: username } });
    yield answer(authorAnswer(username, textOf(await snapshot.read('author', hash))), username);
  }
  yield* pages({ kind: 'authors', name: '', query: {} });
  for (const [kind, each] of [
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const) {
    const body = textOf(await snapshot.read(kind, snapshot.directory[kind]));
    const terms = parseTerms(body);
    for (const { slug } of terms) yield* pages({ kind: each, name: slug, query: { [each]: slug } });
    yield answer(termsAnswer(kind, body, terms), '');
  }
  yield* pages({ kind: 'popularPosts', name: '', query: { sort: 'popular' } });
  yield* pages({ kind: 'oldPosts', name: '', query: { sort: 'old' } });
  yield* pages({ kind: 'posts', name: '', query: {} });
  yield answer(overviewAnswer(perPage), '');
  yield* searchFiles(snapshot, store);

  const { site } = snapshot.directory;
  const assets = readAssets();
  for (const { path, body, hash } of assets) yield { path: path.slice(1), hash, content: () => body };
  yield fileOf('openapi.json', JSON.stringify(describeTree(site.name, perPage, examples)));
  const newest: unknown = JSON.parse(examples.get('posts')?.text ?? 'null');
  yield fileOf('index.html', renderTreePage(site.name, perPage, assets, newest));
}

/** The entries of a table. */
async function* names(snapshot: Snapshot, table: 'post' | 'author' | 'moved'): AsyncGenerator<NameEntry> {
  const entries = snapshot.directory.names[table] ?? { inline: [] };
  if ('inline' in entries) yield* entries.inline;
  else for (const shard of entries.shards) yield* (await snapshot.read('names', shard)).values();
}
