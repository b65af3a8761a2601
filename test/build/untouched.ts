import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { POINTER_PATH } from '../../contract/pointer.ts';
import type { CommandResult } from '../service/command.ts';
import { messagesOf } from './offprint-process.ts';
import { brokenObjects, reachableIn } from './output.ts';

/** The pointer of an output folder now, for a later comparison. */
export function pointerFile(out: string): { readonly text: string; readonly mtime: bigint } {
  const path = join(out, POINTER_PATH);
  return { text: readFileSync(path, 'utf8'), mtime: statSync(path, { bigint: true }).mtimeNs };
}

/** Expects the same snapshot as before, and that it is complete. */
export function expectUntouched(out: string, before: ReturnType<typeof pointerFile>): void {
  expect(pointerFile(out)).toEqual(before);
  expect(brokenObjects(out, reachableIn(out))).toEqual([]);
}

/**
 * Expects a failed command: exit code 1, empty standard output, and on standard error one line besides the build's
 * progress, skipped rows, and a result that cannot be recorded. Returns that line.
 */
export function expectOneLine({ code, stdout, stderr }: CommandResult): string {
  const lines = messagesOf(stderr).filter((line) => !/^(?:left out|note: Results cannot be) /.test(line));
  expect({ code, stdout, lines }, stderr).toEqual({
    code: 1,
    stdout: '',
    lines: [expect.stringMatching(/^error: .{20,}\.$/)],
  });
  return lines[0] ?? '';
}
