import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { POINTER_PATH } from '../../contract/pointer.ts';
import { messagesOf, type Outcome } from './offprint-process.ts';
import { brokenObjects, reachableIn } from './output.ts';

/** What the pointer of an output folder is at the moment, so that it can be held against later. */
export function pointerFile(out: string): { readonly text: string; readonly mtime: bigint } {
  const path = join(out, POINTER_PATH);
  return { text: readFileSync(path, 'utf8'), mtime: statSync(path, { bigint: true }).mtimeNs };
}

/** The snapshot is the one of before, and whole. */
export function expectUntouched(out: string, before: ReturnType<typeof pointerFile>): void {
  expect(pointerFile(out)).toEqual(before);
  expect(brokenObjects(out, reachableIn(out))).toEqual([]);
}

/**
 * A command that failed as it should: exit code 1, nothing on standard output, and on standard error one
 * line beside the steps of the build and the rows it left out. Gives that line.
 */
export function expectOneLine({ code, stdout, stderr }: Outcome): string {
  const lines = messagesOf(stderr).filter((line) => !line.startsWith('left out '));
  expect({ code, stdout, lines }, stderr).toEqual({
    code: 1,
    stdout: '',
    lines: [expect.stringMatching(/^error: .{20,}\.$/)],
  });
  return lines[0] ?? '';
}
