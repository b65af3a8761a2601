/** The files of a tree's folder `search/`: the search index, pages of summaries, and the script that searches them. */
import { readFileSync } from 'node:fs';
import { programFile } from '../../common/program-files.ts';
import { objectHash } from '../../common/object-hash.ts';
import { splitSummary, withoutViews } from '../../contract/records.ts';
import type { SnapshotStore } from '../../gateway/home.ts';
import { ObjectMissing } from '../../gateway/snapshot/objects.ts';
import type { Snapshot } from '../../gateway/snapshot/snapshot.ts';
import { textFile, type TreeFile } from './tree-file.ts';

/** Files by hash come before the index that names them (docs/contributors/search-index.md). */
export async function* searchFiles(snapshot: Snapshot, store: SnapshotStore): AsyncGenerator<TreeFile> {
  const { posts, pages, suffixes } = snapshot.directory;
  const names: string[] = [];
  for (const page of pages) {
    const lines = await snapshot.read('lines', page);
    const text = `[\n${Array.from(lines, (line) => withoutViews(splitSummary(line))).join(',\n')}\n]\n`;
    const hash = objectHash(text);
    names.push(hash);
    yield { path: `search/pages/${hash}.json`, hash, content: () => text };
  }
  for (const [, hash] of suffixes) {
    const content = async () => {
      const bytes = await store.readObject('suffixes', hash);
      if (!bytes) throw new ObjectMissing('suffixes', hash);
      return bytes;
    };
    yield { path: `search/suffixes/${hash}`, hash, content };
  }
  yield textFile('search/index.json', JSON.stringify({ posts, pages: names, suffixes }));
  yield textFile('search/search.js', readFileSync(programFile('build/export/search/search.js'), 'utf8'));
}
