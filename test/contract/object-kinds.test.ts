import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { folderUntil } from '../build/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A scratch copy of the contract, which tests spoil. */
const folder = folderUntil(afterAll);

/** What the compiler says of the contract with one more row in the table of kinds. */
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

describe('a new kind of object', () => {
  test('compiles when it says what names it, whether it is packed, and what its file names end with', () => {
    expect(
      compiledWith(
        "comments: { namedBy: ({ tags }: Directory) => [tags], packed: true, extension: '.json' },",
      ),
    ).toBe('');
  });

  test.each([
    ['what names it', "comments: { packed: true, extension: '.json' },", /namedBy/],
    [
      'whether it is packed',
      "comments: { namedBy: ({ tags }: Directory) => [tags], extension: '' },",
      /packed/,
    ],
    [
      'what its file names end with',
      'comments: { namedBy: ({ tags }: Directory) => [tags], packed: true },',
      /extension/,
    ],
    [
      'a name table that leads to it',
      "comments: { namedBy: 'name tables', packed: true, extension: '.json' },",
      /namedBy|string/,
    ],
    [
      'its own way to be named',
      "comments: { namedBy: 'the pointer', packed: true, extension: '.json' },",
      /namedBy|string/,
    ],
  ])('does not compile without %s', (_, row, fault) => {
    expect(compiledWith(row)).toMatch(fault);
  });
});
