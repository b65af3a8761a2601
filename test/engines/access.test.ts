/**
 * What must never be published, with sites rendered by their engines.
 */
import { expect, it } from 'vitest';
import { HUGO, JEKYLL } from '../import/access/folders.ts';
import { caseOf } from '../import/access/matrix.ts';
import { isTested } from './installed.ts';

for (const [engine, row] of [
  ['hugo', HUGO],
  ['jekyll', JEKYLL],
] as const) {
  it.skipIf(!isTested(engine))(`a site rendered by ${engine} publishes what is public alone`, async () => {
    const { faults, hiddenLater } = caseOf(row);
    expect([await faults(), await hiddenLater()]).toEqual([[], []]);
  });
}
