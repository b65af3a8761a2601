import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { folderUntil } from '../build/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A scratch copy of the contract, which tests modify. */
const folder = folderUntil(afterAll);

/** The compiler's errors with one more row in the table of kinds. */
function compiledWith(row: string): string {
  const copy = join(folder, 'contract');
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(ROOT, 'contract'), copy, { recursive: true });
  const path = join(copy, 'object-kinds.ts');
  const table = readFileSync(path, 'utf8');
  const edited = table.replace('  overview: {', `  ${row}\n  overview: {`);
  expect(edited).not.toBe(table);
  writeFileSync(path, edited);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')] },
      include: ['contract'],
    }),
  );
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { stdio: 'pipe', encoding: 'utf8' });
    return '';
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
  }
}

const NAMED = 'namedBy: ({ tags }: Directory) => [tags]';
const READ = 'usesBytes: true, decode: (bytes: Uint8Array<ArrayBuffer>) => bytes';

describe('a new kind of object', () => {
  test('compiles with what names it, where it is packed and kept, and how it is read', () => {
    expect(compiledWith(`comments: { ${NAMED}, packed: true, extension: '', ${READ}, growth: 1 },`)).toBe('');
  });

  test.each([
    ['what names it', `packed: true, extension: '', ${READ}, growth: 1`, /namedBy/],
    ['whether it is packed', `${NAMED}, extension: '', ${READ}, growth: 1`, /packed/],
    ['the ending of its file names', `${NAMED}, packed: true, ${READ}, growth: 1`, /extension/],
    ['how it is read', `${NAMED}, packed: true, extension: '', growth: 1`, /decode/],
    ['its size in memory', `${NAMED}, packed: true, extension: '', ${READ}`, /growth/],
    [
      'a name table that leads to it',
      `namedBy: 'name tables', packed: true, extension: '', ${READ}, growth: 1`,
      /namedBy|string/,
    ],
    [
      'its own way to be named',
      `namedBy: 'the pointer', packed: true, extension: '', ${READ}, growth: 1`,
      /namedBy|string/,
    ],
  ])('does not compile without %s', (_, row, fault) => {
    expect(compiledWith(`comments: { ${row} },`)).toMatch(fault);
  });
});
