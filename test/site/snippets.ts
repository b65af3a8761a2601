import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

/** Languages of the documentation page, and their interpreters. */
const INTERPRETERS = {
  curl: ['sh', '-c'],
  JavaScript: [process.execPath, '--input-type=module', '-e'],
  Python: ['python3', '-c'],
  PHP: ['php', '-r'],
} as const;

type Language = keyof typeof INTERPRETERS;

const run = promisify(execFile);

/** A code sample of the page. */
export interface Snippet {
  readonly language: Language;
  readonly code: string;
}

/** The code samples of a section, in each language that is installed. */
export async function snippetsOf(page: Page, section: string): Promise<readonly Snippet[]> {
  const languages: readonly Language[] = ['curl', 'JavaScript', 'Python', 'PHP'];
  const snippets = await Promise.all(
    languages.map(async (language) => {
      const [command] = INTERPRETERS[language];
      const found = await run('sh', ['-c', `command -v ${command}`]).catch(() => null);
      if (found === null) return [];
      const code = await page.locator(`#${section} [data-title="${language}"] code`).textContent();
      return [{ language, code: code ?? '' }];
    }),
  );
  return snippets.flat();
}

/**
 * @param folder in which it runs
 * @returns what it prints
 * @throws Error with its output if it fails
 */
export async function runSnippet({ language, code }: Snippet, folder?: string): Promise<string> {
  const [command, ...options] = INTERPRETERS[language];
  const program = code.replace(/^<\?php/, '');
  const { stdout } = await run(command, [...options, program], { timeout: 120_000, cwd: folder });
  return stdout;
}

/**
 * Runs the first calls of the documentation page, in each language that is installed.
 *
 * @param key replaces `YOUR_KEY`
 * @returns the output by language
 */
export async function runSnippets(page: Page, key = ''): Promise<ReadonlyMap<string, string>> {
  const snippets = await snippetsOf(page, 'first-call');
  return new Map(
    await Promise.all(
      snippets.map(async ({ language, code }) => {
        const printed = await runSnippet({ language, code: code.replaceAll('YOUR_KEY', key) });
        return [language, printed] as const;
      }),
    ),
  );
}
