import { createInterface } from 'node:readline/promises';
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
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    // Ctrl-C and Ctrl-D close it without an answer.
    const answer = await Promise.race([
      terminal.question(`${printableLines(question)} [y/N] `).catch(() => ''),
      closed,
    ]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
