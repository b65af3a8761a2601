import { stripVTControlCharacters } from 'node:util';

const MIN_WIDTH = 40;
const MAX_INDENT = 26;

/**
 * What stays on one line, with the spaces before it: quoted text, a command, or a word. A command begins with one of these
 * programs, and ends at punctuation outside its arguments. It has several lines if each but the last ends with a backslash.
 */
const UNBROKEN =
  /\s*(?:(?:\x1b\[\d+m|\()*(?:"[^"]*"|(?:offprint|npm|npx|curl|echo|rm|chmod|chown|sudo|timedatectl) (?:\\[^]|'[^']*'|"[^"]*"|[^])*?(?=[,.:;] |$))\S*|\S+)/g;

/** The columns of the terminal, or from `COLUMNS`; null: no terminal, so lines are not wrapped for other programs. */
export function terminalWidth(stream: {
  readonly isTTY?: boolean;
  readonly columns?: number;
}): number | null {
  const columns = (stream.isTTY && stream.columns) || Number(process.env['COLUMNS']);
  return columns >= MIN_WIDTH ? columns : null;
}

/**
 * Wraps long lines at spaces. Continuation lines are aligned with the text after a label, else indented by two. Words
 * longer than a line, such as addresses and paths, are not split, nor are commands: a line break would change what a
 * shell runs. JSON is for programs, and is not wrapped.
 *
 * @param width columns; null: no wrapping
 */
export function wrapped(text: string, width: number | null): string {
  if (width === null || /^[[{]/.test(text)) return text;
  return text
    .split(/(?<! \\)\n/)
    .map((line) => (columnsOf(line) <= width ? line : wrappedLine(line, width)))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  const hang = ' '.repeat(hangingIndent(stripVTControlCharacters(line)));
  const [, indent = '', rest = line] = /^(\s*)(.*)$/s.exec(line) ?? [];
  const lines: string[] = [];
  let current = indent;
  // Spaces between columns stay, except at line breaks.
  for (const [word] of rest.matchAll(UNBROKEN)) {
    if (current.trim() === '') current += word.trimStart();
    else if (columnsOf(current + word) <= width) current += word;
    else {
      lines.push(current);
      current = hang + word.trimStart();
    }
  }
  return [...lines, current].join('\n');
}

/** Indentation after a label, which ends with at least two spaces, or after a list marker. */
function hangingIndent(line: string): number {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const labels = /^ *(?:\S+ {2,}){1,2}/.exec(line)?.[0] ?? /^ *- /.exec(line)?.[0];
  return labels !== undefined && labels.length <= MAX_INDENT ? labels.length : indent.length + 2;
}

function columnsOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** A command in the examples of --help, in lines of at most 80 columns with shell continuations. */
export function wrappedCommand(command: string): string {
  const lines: string[] = [];
  let current = '';
  for (const part of command.split(/ (?=--\w)/)) {
    if (current !== '' && current.length + part.length + 3 > 78) {
      lines.push(`${current} \\`);
      current = `  ${part}`;
    } else current += current === '' ? part : ` ${part}`;
  }
  return [...lines, current].join('\n');
}
