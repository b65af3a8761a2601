/**
 * All files of the tree, from one snapshot. A file comes after the files that it links to, the newest file of a list after
 * its archive, which begins with the newest page, and the overview last. Files are put in place in this order, so no link of
 * a file that the overview leads to is ever broken.
 */
import { decodeNames, type NameEntry } from '../../contract/name-table.ts';
import type { SnapshotStore } from '../../gateway/home.ts';
import { all } from '../../gateway/maybe-promise.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { readAssets } from '../page/assets.ts';
import { isText, listOf, parseJson, recordOf } from '../../contract/json.ts';
import {
  type AnswerFile,
  type ArticleList,
  authorAnswer,
  authorsAnswer,
  decodeBody,
  listAnswers,
  overviewAnswer,
  popularAnswer,
  termsAnswer,
} from './answers.ts';
import { describeTree } from './description.ts';
import { renderTreePage } from './page.ts';
import { type AnswerKind, answerPath } from './paths.ts';
import { redirectFiles } from './redirects.ts';
import { searchFiles } from './search-files.ts';
import { textFile, type TreeFile } from './tree-file.ts';

/** A file of a kind, with the slug or username in its path. */
interface TreeExample {
  readonly name: string;
  readonly text: string;
}

/** The first file of each kind, for the description. */
export type TreeExamples = ReadonlyMap<AnswerKind, TreeExample>;

/** @param perPage articles in each file of an archive, 1 to 50 */
export async function* buildTree(
  snapshot: Snapshot,
  store: SnapshotStore,
  perPage: number,
): AsyncGenerator<TreeFile> {
  const examples = new Map<AnswerKind, TreeExample>();
  const answer = ({ kind, path, text }: AnswerFile, name: string): TreeFile => {
    if (!examples.has(kind)) examples.set(kind, { name, text });
    return textFile(path, text);
  };
  async function* listFiles(list: ArticleList): AsyncGenerator<TreeFile> {
    for await (const file of listAnswers(snapshot, list, perPage)) yield answer(file, list.name);
  }

  yield textFile('.nojekyll', ''); // Otherwise GitHub Pages leaves out files whose names begin with "_".
  for await (const [slug, hash] of names(snapshot, 'post')) {
    const content = async () => await snapshot.read('body', hash);
    if (!examples.has('post')) examples.set('post', { name: slug, text: decodeBody(await content()) });
    yield { path: answerPath('post', slug), hash, content };
  }
  yield* await redirectFiles(snapshot, names(snapshot, 'moved'));
  for await (const [username, hash] of names(snapshot, 'author')) {
    yield* listFiles({ kind: 'postsByAuthor', name: username, filter: { author: username } });
    yield answer(authorAnswer(username, decodeBody(await snapshot.read('body', hash))), username);
  }
  const authors = await all(snapshot.directory.author_pages.map((hash) => snapshot.read('lines', hash)));
  yield answer(authorsAnswer(authors.flatMap((page) => [...page])), '');
  for (const [kind, each, filter] of [
    ['categories', 'category', (slug: string) => ({ category: slug })],
    // `tag` would also find tags with this name, or this slug in another case.
    ['tags', 'tag', (slug: string) => ({ 'tag.any': [slug] })],
  ] as const) {
    const body = decodeBody(await snapshot.read('body', snapshot.directory[kind]));
    const { data: terms } = parseJson(body, isTerms, 'a list of categories or tags');
    for (const { slug } of terms) yield* listFiles({ kind: each, name: slug, filter: filter(slug) });
    yield answer(termsAnswer(kind, body, terms), '');
  }
  yield answer(await popularAnswer(snapshot), '');
  yield* listFiles({ kind: 'posts', name: '', filter: {} });
  const overview = answer(overviewAnswer(perPage), '');
  yield* searchFiles(snapshot, store);

  const { site } = snapshot.directory;
  const assets = readAssets();
  for (const { path, body, hash } of assets) yield { path: path.slice(1), hash, content: () => body };
  yield textFile('openapi.json', JSON.stringify(describeTree(site.name, perPage, examples)));
  const newest: unknown = JSON.parse(examples.get('posts')?.text ?? 'null');
  yield textFile('index.html', renderTreePage(site.name, perPage, assets, newest));
  yield overview;
}

const isTerms = recordOf<{ data: { slug: string }[] }>({ data: listOf(recordOf({ slug: isText })) });

/** The entries of a table. */
async function* names(snapshot: Snapshot, table: 'post' | 'author' | 'moved'): AsyncGenerator<NameEntry> {
  const entries = snapshot.directory.names[table] ?? { inline: [] };
  if ('inline' in entries) yield* entries.inline;
  else for (const shard of entries.shards) yield* decodeNames(await snapshot.read('lines', shard));
}
