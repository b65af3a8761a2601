/**
 * What must never be published, with sites rendered by their engines.
 */
import { expect, it } from 'vitest';
import { hugo, jekyll } from '../import/access/folders.ts';
import { caseOf } from '../import/access/matrix.ts';
import { isTested } from './installed.ts';

for (const [engine, row] of [
  ['hugo', hugo],
  ['jekyll', jekyll],
] as const) {
  it.skipIf(!isTested(engine))(`a site rendered by ${engine} publishes what is public alone`, async () => {
    const { faults, hiddenLater } = caseOf(row(`${engine}, by the engine`, engine));
    expect([await faults(), await hiddenLater()]).toEqual([[], []]);
  });
}
