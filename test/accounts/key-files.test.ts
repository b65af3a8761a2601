import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkKeyFiles } from '../../data/accounts/key-files.ts';
import { temporaryFolder } from '../build/temporary-folder.ts';

test('a key that another process creates during the check is no key of another database', () => {
  const out = temporaryFolder();
  mkdirSync(join(out, 'keys'));
  const create = (): void => writeFileSync(join(out, 'keys', `${'a'.repeat(64)}.json`), '{}');
  checkKeyFiles(out, () => {
    create();
    return []; // What the database had a moment before.
  });
  expect(() => checkKeyFiles(out, () => [])).toThrow('has 1 key, but this database has none');
});
