import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { printableLines } from './printable.ts';

/**
 * Asks a yes-or-no question at the terminal, on standard error.
 *
 * @returns false without a terminal, and for any answer but yes
 */
export async function confirm(
  question: string,
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin,
  output: NodeJS.WritableStream & { readonly isTTY?: boolean } = process.stderr,
): Promise<boolean> {
  if (!input.isTTY || !output.isTTY) return false;
  const terminal = createInterface({ input, output });
  terminal.setPrompt(`${printableLines(question)} [y/N] `);
  terminal.prompt();
  // Ctrl-C and Ctrl-D close it without an answer.
  const answer: unknown[] = await Promise.race([once(terminal, 'line'), once(terminal, 'close')]);
  terminal.close();
  return /^y(?:es)?$/i.test(answer.join('').trim());
}
