import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { CommandResult } from '../../service/command.ts';

/** A folder for the tests of one file. */
export interface Place {
  readonly folder: string;
  /** The path of a name in it. */
  path(name: string): string;
}

/** Creates a folder, and removes it after the tests. */
export function usePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'offprint-command-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, path: (name) => join(folder, name) };
}

/** Checks that a command failed as it should: exit code 1, empty stdout, one clear line on stderr. */
export function expectFailure(result: CommandResult, says: RegExp): void {
  expect(result, result.stderr).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr.trimEnd().split('\n'), result.stderr).toHaveLength(1);
  expect(result.stderr).toMatch(says);
}
