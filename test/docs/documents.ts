import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';

/** The project's folder, with a trailing slash. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Every document of the project, by its path from ROOT. */
export const DOCUMENTS: readonly string[] = fastGlob
  .sync(['*.md', '.github/*.md', '{docs,examples}/**/*.md', '{out,bench,client}/*.md'], { cwd: ROOT })
  .sort();

/** The text of a file of the project. */
export function read(path: string): string {
  return readFileSync(ROOT + path, 'utf8');
}

/**
 * The section of a document under a heading, up to the next heading of the same or a higher level.
 *
 * @param heading as written: `## Commands`
 * @throws Error if there is none
 */
export function section(path: string, heading: string): string {
  const lines = read(path).split('\n');
  const start = lines.indexOf(heading);
  if (start === -1) throw new Error(`${path} has no heading "${heading}".`);
  const level = heading.indexOf(' ');
  const end = lines.findIndex((line, i) => i > start && /^#+ /.test(line) && line.indexOf(' ') <= level);
  return lines.slice(start + 1, end === -1 ? undefined : end).join('\n');
}

/** The rows of the tables in a text, as the texts of their cells, without heads. */
export function tableRows(text: string): string[][] {
  const cellsOf = (row: string) => row.split('|').map((cell) => cell.trim());
  const tables = text.matchAll(/^\|[-:| ]+\|\n((?:\|.*(?:\n|$))*)/gm);
  return [...tables].flatMap(([, rows = '']) =>
    (rows.match(/(?<=^\|).*(?=\|$)/gm) ?? []).map((row) => cellsOf(row)),
  );
}

/** Inline code in text and tables, without code blocks. */
export function inlineCode(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** Why no test runs it, as the block's first line says: "```sh not run: needs Docker". */
  readonly notRun: string | undefined;
}

/** Also those in lists, without the list's indentation. */
export function codeBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(/^( *)```(\w*)(?: not run: ([^\n]+))?\n(.*?)^\1```$/gms)].map(
    ([, indentation = '', language = '', notRun, code = '']) => ({
      language,
      notRun,
      code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }),
  );
}

export function withoutBlocks(text: string): string {
  return text.replace(/^( *)```.*?^\1```$/gms, '');
}
