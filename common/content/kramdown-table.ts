import type { StateBlock } from 'markdown-it';

const SEPARATOR = /^[+|: \t-]*-[+|: \t-]*$/;
const FOOTER = /^[+|: \t=]*=[+|: \t=]*$/;
/** Bars in code are not separators. */
const CODE = /(`+)(?:(?!\1)[^])+\1|<code\b[^>]*>[^]*?<\/code>/g;

/**
 * A kramdown table: lines between blank ones that all contain a bar. It needs no header, and may have several bodies
 * and a footer.
 */
export function kramdownTable(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  if (startLine > 0 && !state.isEmpty(startLine - 1) && !isBoundary(state, startLine - 1)) return false;
  const lines: string[] = [];
  let next = startLine;
  while (next < endLine && !state.isEmpty(next) && (state.sCount[next] ?? 0) >= state.blkIndent) {
    const line = lineAt(state, next);
    if (!hasBar(line)) break;
    lines.push(line);
    next += 1;
  }
  if (lines.length === 0 || (next < endLine && !state.isEmpty(next) && !isBoundary(state, next)))
    return false;
  const parts = partsOf(lines);
  if (!parts.some(({ tag, rows }) => tag !== 'thead' && rows.length > 0)) return false;
  if (silent) return true;
  const columns = Math.max(...parts.flatMap(({ rows }) => rows.map(({ length }) => length)));
  state.push('table_open', 'table', 1).map = [startLine, next];
  for (const { tag, rows } of parts) {
    state.push(`${tag}_open`, tag, 1);
    for (const row of rows) {
      state.push('tr_open', 'tr', 1);
      const cell = tag === 'thead' ? 'th' : 'td';
      for (let column = 0; column < columns; column++) {
        state.push(`${cell}_open`, cell, 1);
        const inline = state.push('inline', '', 0);
        inline.content = row[column] ?? '';
        inline.children = [];
        state.push(`${cell}_close`, cell, -1);
      }
      state.push('tr_close', 'tr', -1);
    }
    state.push(`${tag}_close`, tag, -1);
  }
  state.push('table_close', 'table', -1);
  state.line = next;
  return true;
}

/** An attribute list (`{: .class}`) or an end-of-block mark (`^`) counts as a blank line. */
function isBoundary(state: StateBlock, line: number): boolean {
  return /^(?:\{:[^}]*\}|\^)\s*$/.test(lineAt(state, line).trim());
}

function lineAt({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
}

function withoutCode(line: string): string {
  return line.replace(CODE, (code) => '`'.repeat(code.length));
}

function hasBar(line: string): boolean {
  return /(?<!\\)\|/.test(withoutCode(line));
}

interface Part {
  readonly tag: 'thead' | 'tbody' | 'tfoot';
  readonly rows: readonly (readonly string[])[];
}

function partsOf(lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  let rows: string[][] = [];
  let hasFooter = false;
  const finish = (tag: Part['tag']): void => {
    if (rows.length > 0) parts.push({ tag, rows });
    rows = [];
  };
  const leading = /^\s*\|/.test(lines[0] ?? '');
  for (const line of lines) {
    if (SEPARATOR.test(line)) finish(parts.length === 0 && !hasFooter ? 'thead' : 'tbody');
    else if (FOOTER.test(line)) {
      finish('tbody');
      hasFooter = true;
    } else rows.push(cellsOf(line, leading));
  }
  finish(hasFooter ? 'tfoot' : 'tbody');
  return parts;
}

function cellsOf(line: string, leading: boolean): string[] {
  const plain = withoutCode(line);
  const cells: string[] = [];
  let from = 0;
  for (const { index } of plain.matchAll(/(?<!\\)\|/g)) {
    cells.push(line.slice(from, index));
    from = index + 1;
  }
  cells.push(line.slice(from));
  if (leading && cells[0]?.trim() === '') cells.shift();
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}
