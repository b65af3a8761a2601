import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { folderUntil } from '../../build/temporary-folder.ts';
import type { CommandResult } from '../../service/command.ts';

/** A folder for the tests of one file, and the paths of names in it. */
export function usePlace() {
  const folder = folderUntil(afterAll);
  return { folder, path: (name: string) => join(folder, name) };
}

/** Checks that a command failed as it should: exit code 1, empty stdout, one clear line on stderr. */
export function expectFailure(result: CommandResult, says: RegExp): void {
  expect(result, result.stderr).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr.trimEnd().split('\n'), result.stderr).toHaveLength(1);
  expect(result.stderr).toMatch(says);
}
