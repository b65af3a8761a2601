/** The objects of the index of some words, as a build without threads makes them. */
import { type IndexObject, ObjectCutter } from '../../build/search/object-cutter.ts';
import { divideIndex } from '../../build/search/table-node.ts';
import { unitEntries } from '../../build/search/tree-writer.ts';
import type { WordTable } from '../../build/search/words.ts';

export function wholeIndex(table: WordTable): IndexObject[] {
  const objects: IndexObject[] = [];
  const cutter = new ObjectCutter((object) => objects.push(object));
  for (const unit of divideIndex(table)) for (const entry of unitEntries(table, unit)) cutter.add(entry);
  cutter.end();
  return objects;
}
