import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

/** Languages of the documentation page, and their interpreters. */
export const INTERPRETERS = [
  ['curl', 'sh', '-c'],
  ['JavaScript', process.execPath, '--input-type=module', '-e'],
  ['Python', 'python3', '-c'],
  ['PHP', 'php', '-r'],
] as const;

const run = promisify(execFile);

/**
 * Runs the code of the documentation page, in each language that is installed.
 *
 * @param key replaces `YOUR_KEY`
 * @returns the output by language
 */
export async function runSnippets(page: Page, key = ''): Promise<ReadonlyMap<string, string>> {
  const printed = await Promise.all(
    INTERPRETERS.map(async ([language, command, ...options]) => {
      const found = await run('sh', ['-c', `command -v ${command}`]).catch(() => null);
      if (found === null) return [];
      const shown = await page.locator(`#first-call [data-title="${language}"] code`).textContent();
      const code = (shown ?? '').replaceAll('YOUR_KEY', key).replace(/^<\?php/, '');
      const { stdout } = await run(command, [...options, code], { timeout: 120_000 });
      return [[language, stdout] as const];
    }),
  );
  return new Map(printed.flat());
}
