/**
 * File names are valid on every file system and in URLs, and unique.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileName } from '../../build/export/file-name.ts';
import { codeBlocks, read } from '../docs/documents.ts';
import { oddNames } from '../service/odd-rows.ts';

describe('the file name of', () => {
  it.each([
    ['a-plain_slug.2', 'a-plain_slug.2'],
    ['lin.wei', 'lin.wei'],
    ['C++', '~43~2b~2b'],
    ['café', 'caf~c3~a9'],
    ['100%', '100~25'],
    ['~41', '~7e41'],
    ['a b', 'a~20b'],
    ['.', '~2e'],
    ['..', '~2e~2e'],
    ['.hidden', '~2ehidden'],
    ['ends.', 'ends~2e'],
    ['ada.json', 'ada~2ejson'],
    ['ada.jsonp', 'ada.jsonp'],
    ['con', '~63on'],
    ['nul.txt', '~6eul.txt'],
    ['com1', '~63om1'],
    ['lpt9.a.b', '~6cpt9.a.b'],
    ['console', 'console'],
    ['non', 'non'],
    ['🦀', '~f0~9f~a6~80'],
  ])('%s is %s', (name, expected) => expect(fileName(name)).toBe(expected));

  it('a long name is its beginning and a hash of all of it', () => {
    expect(fileName('a'.repeat(200))).toBe('a'.repeat(200));
    const [one, other] = [fileName(`${'a'.repeat(200)}b`), fileName(`${'a'.repeat(200)}c`)];
    expect(one).toMatch(/^a{100}~~[0-9a-f]{32}$/);
    expect(one).not.toBe(other);
    expect(fileName('漢'.repeat(1000))).toHaveLength(134);
  });
});

describe('names', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom('A', 'a', '.', '~', '4', '1', 'e', 'é', 'e\u0301', ' ', '%'),
      minLength: 1,
    }),
    fc.constantFrom(...oddNames),
  );

  it('are valid everywhere', () => {
    fc.assert(
      fc.property(name, (any) => {
        expect(fileName(any)).toMatch(
          /^(?![.]|(?:con|prn|aux|nul|com\d|lpt\d)(?:[.]|$))[a-z0-9_.~-]{1,200}(?<![.]|[.]json)$/,
        );
      }),
    );
  });

  it('are unique, and as documented', () => {
    const code =
      codeBlocks(read('docs/owners/exporting.md')).find(({ language }) => language === 'js')?.code ?? '';
    // oxlint-disable-next-line no-implied-eval -- it is the document's own code
    const documented = new Function(`${code}; return fileName;`)() as typeof fileName;
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(fileName(one) === fileName(other)).toBe(one === other);
        const encoded = fileName(one);
        if (!encoded.includes('~~')) expect(documented(one)).toBe(encoded);
      }),
      { numRuns: 2000 },
    );
  });
});
