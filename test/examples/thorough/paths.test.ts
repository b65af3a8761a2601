/**
 * Folder names of pages in examples/eleventy and examples/astro.
 */
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../random-cases.ts';
import { ROOT } from '../../docs/documents.ts';

const { pathsOf }: { pathsOf: (slugs: readonly string[]) => (slug: string) => string } = await import(
  pathToFileURL(`${ROOT}examples/eleventy/paths.js`).href
);

it('are the slugs, if possible', () => {
  const slugs = ['1.94.1-release', 'Rust-1.0', '日本語', 'a_b'];
  expect(slugs.map(pathsOf(slugs))).toEqual(slugs);
});

it('are valid on any file system, and unique', () => {
  const characters = [...'aAé/\\. -:\0🦀'];
  const part = fc.constantFrom(...characters, 'e\u0301', '..', '語'.repeat(200));
  const alike = fc.constantFrom('a', 'A', 'é', 'É', 'e\u0301', 'E\u0301');
  const odd = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
  const slugs = fc.uniqueArray(fc.oneof(alike, odd));
  fc.assert(
    fc.property(slugs, (slugs) => {
      const paths = slugs.map(pathsOf(slugs));
      for (const path of paths) {
        expect(path).toMatch(/^[^-./\\:\0 ][^/\\:\0 ]*$/u);
        expect(path).not.toMatch(/\.$/);
        expect(Buffer.byteLength(path)).toBeLessThanOrEqual(255);
      }
      expect(new Set(paths.map((path) => path.normalize('NFD').toLowerCase())).size).toBe(slugs.length);
    }),
    { numRuns: cases(300) },
  );
});
