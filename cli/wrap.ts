import { stripVTControlCharacters } from 'node:util';

/** Terminals are never so narrow that lines are cut into less. */
const LEAST = 40;
/** Continuation lines begin at most here, so that they have room. */
const DEEPEST = 26;

/** The columns of the terminal, or as `COLUMNS` says; null: it is no terminal, and lines stay whole for other programs. */
export function terminalWidth(stream: {
  readonly isTTY?: boolean;
  readonly columns?: number;
}): number | null {
  const columns = (stream.isTTY && stream.columns) || Number(process.env['COLUMNS']);
  return columns >= LEAST ? columns : null;
}

/**
 * Breaks lines that are too long at spaces, and indents what follows: below the text behind a label, else by two. Words
 * that are longer than a line stay whole, such as an address or a path. JSON is for programs, and stays as it is.
 *
 * @param width columns; null: nothing is broken
 */
export function wrapped(text: string, width: number | null): string {
  if (width === null || /^[[{]/.test(text)) return text;
  return text
    .split('\n')
    .map((line) => (columnsOf(line) <= width ? line : wrappedLine(line, width)))
    .join('\n');
}

function wrappedLine(line: string, width: number): string {
  const hang = ' '.repeat(hangingIndent(stripVTControlCharacters(line)));
  const [, indent = '', rest = line] = /^(\s*)(.*)$/.exec(line) ?? [];
  const lines: string[] = [];
  let current = indent;
  // Spaces between columns stay, where no line ends there.
  for (const [word] of rest.matchAll(/\s*\S+/g)) {
    if (current.trim() === '') current += word.trimStart();
    else if (columnsOf(current + word) <= width) current += word;
    else {
      lines.push(current);
      current = hang + word.trimStart();
    }
  }
  return [...lines, current].join('\n');
}

/** Behind labels, which end with two spaces or more, or the mark of a list. */
function hangingIndent(line: string): number {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const labels = /^ *(?:\S+ {2,}){1,2}/.exec(line)?.[0] ?? /^ *- /.exec(line)?.[0];
  return labels !== undefined && labels.length <= DEEPEST ? labels.length : indent.length + 2;
}

function columnsOf(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** A command as examples of --help show it, in lines of at most 80 columns that a shell takes for one. */
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
