/** While npm does not have the packages, no document tells anyone to install them by their names. */
import { describe, expect, it } from 'vitest';
import { AT_NPM, withPackageSources } from '../../common/npm-names.ts';
import { DOCUMENTS, read } from './documents.ts';

describe.each(DOCUMENTS)('%s', (path) => {
  it('has install commands that work now', () => {
    expect(withPackageSources(read(path)), 'run npm run docs').toBe(read(path));
  });

  it.skipIf(AT_NPM)('lets npx take nothing of these names from npm', () => {
    expect(read(path)).not.toMatch(/npx (?:offprint|-y|--yes)/);
  });
});

it.skipIf(AT_NPM).each([
  ['npm install --save-exact offprint@latest', 'npm install --save-exact ./offprint-VERSION.tgz'],
  ['`npm install offprint-client`', '`npm install ./offprint-client-VERSION.tgz`'],
  ['npx --package=offprint offprint start', 'npx --package=./offprint-VERSION.tgz offprint start'],
  ['npm install ./offprint-VERSION.tgz wrangler', 'npm install ./offprint-VERSION.tgz wrangler'],
  ['npm install offprint-x', 'npm install offprint-x'],
])('%s is corrected', (written, corrected) => {
  expect(withPackageSources(written)).toBe(corrected);
});
