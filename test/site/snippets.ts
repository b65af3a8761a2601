import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Languages of the documentation page, and their interpreters. */
const INTERPRETERS = {
  curl: ['sh', '-c'],
  JavaScript: [process.execPath, '--input-type=module', '-e'],
  Python: ['python3', '-c'],
  PHP: ['php', '-r'],
} as const;

type Language = keyof typeof INTERPRETERS;
const LANGUAGES: readonly Language[] = ['curl', 'JavaScript', 'Python', 'PHP'];

const run = promisify(execFile);

/** A code sample of the page. */
export interface Snippet {
  readonly language: Language;
  readonly code: string;
}

/** The code samples of a section, in each language that is installed. */
export async function snippetsOf(page: Page, section: string): Promise<readonly Snippet[]> {
  const snippets: Snippet[] = [];
  for (const language of LANGUAGES) {
    const [command] = INTERPRETERS[language];
    if (spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0) continue;
    const code = await page.locator(`#${section} [data-title="${language}"] code`).textContent();
    snippets.push({ language, code: code ?? '' });
  }
  return snippets;
}

/**
 * @param folder in which it runs
 * @returns what it prints
 * @throws Error with its output if it fails
 */
export async function runSnippet({ language, code }: Snippet, folder?: string): Promise<string> {
  const [command, ...options] = INTERPRETERS[language];
  const program = code.replace(/^<\?php/, '');
  const { stdout } = await run(command, [...options, program], { cwd: folder });
  return stdout;
}

/**
 * Runs the first calls of the documentation page, in each language that is installed.
 *
 * @param printed what each must print
 * @param key replaces `YOUR_KEY`
 */
export async function expectWorkingSnippets(page: Page, printed: string, key = ''): Promise<void> {
  const snippets = await snippetsOf(page, 'first-call');
  expect(snippets.map(({ language }) => language)).toEqual(expect.arrayContaining(['curl', 'JavaScript']));
  for (const { language, code } of snippets)
    expect(await runSnippet({ language, code: code.replaceAll('YOUR_KEY', key) }), language).toContain(
      printed,
    );
}

/** Records a page's errors and warnings, and requests to other addresses than `home`. */
export function recordFaults(page: Page, home: string, faults: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(home) && !/^(?:data|blob):/.test(url)) faults.push(`asked for ${url}`);
  });
}
