/**
 * What must never be published, with sites rendered by their engines.
 */
import { expect, it } from 'vitest';
import { HUGO, JEKYLL } from '../import/access/folders.ts';
import { isTested } from './installed.ts';

for (const [engine, row] of [
  ['hugo', HUGO],
  ['jekyll', JEKYLL],
] as const) {
  it.skipIf(!isTested(engine))(`a site rendered by ${engine} publishes what is public alone`, async () => {
    expect([await row.faults(), await row.hiddenLater()]).toEqual([[], []]);
  });
}
