import { readFileSync } from 'node:fs';

/**
 * The cases of a text file by their headings: after `# heading` one case a line, whose fields are divided by ` ⇒ `. `\n` and
 * `\x07` are characters. Empty lines are ignored.
 */
export function textCases(file: URL): ReadonlyMap<string, readonly (readonly string[])[]> {
  const sections = new Map<string, string[][]>();
  let cases: string[][] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('# ')) sections.set(line.slice(2), (cases = []));
    else if (line !== '') cases.push(line.split(' ⇒ ').map(unescaped));
  }
  return sections;
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{2})|n)/g, (_, code: string | undefined) =>
    code === undefined ? '\n' : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The texts of a pattern: `a{b|c}` gives `ab` and `ac`, and `{d*3}` gives `ddd`. Braces cannot be in each other. */
export function expanded(pattern: string): string[] {
  const [whole, before = '', inside = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/s.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  const [, repeated, times] = /^(.+)\*(\d+)$/s.exec(inside) ?? [];
  const choices = repeated === undefined ? inside.split('|') : [repeated.repeat(Number(times))];
  return choices.flatMap((choice) => expanded(after).map((rest) => before + choice + rest));
}
