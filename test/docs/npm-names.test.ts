/** While npm does not have the packages, no document tells anyone to install them by names that others could take. */
import { describe, expect, it } from 'vitest';
import { DOCUMENTS, read } from './documents.ts';

describe.each(DOCUMENTS)('%s', (path) => {
  it('installs the files of a release', () => {
    expect(read(path)).not.toMatch(
      /(?:npm install (?:--[\w-]+ )*|npx --package=)offprint(?:-client)?(?![\w.-])|npx (?:offprint|-y|--yes)/,
    );
  });
});
