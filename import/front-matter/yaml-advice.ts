import type { YAMLParseError } from 'yaml';

/** What to change for an error of YAML, for people who do not know its terms; undefined: only the parser knows. */
export function yamlAdvice(source: string, { code, message, pos }: YAMLParseError): string | undefined {
  const [line = ''] = source.slice(source.lastIndexOf('\n', pos[0] - 1) + 1).split('\n', 1);
  const key = /^[\s-]*["']?([\w-]+)["']?\s*:/.exec(line)?.[1] ?? '';
  // The parser names the end of the text, not the value: the first that begins with a quote and has no other one.
  const opened = /^[\s-]*([\w-]+):[ \t]*(["'])(?:(?!\2).)*$/m.exec(source)?.[1] ?? '';
  const advice: readonly (readonly [error: RegExp, advice: string])[] = [
    [/^BLOCK_AS_IMPLICIT_KEY[^]*:\s.*:(?:\s|$)/, `the value of "${key}" has a colon: quote the value`],
    [/^BLOCK_AS_IMPLICIT_KEY/, `the line after "${key}" is indented too far: begin it where "${key}" begins`],
    [/^MULTILINE_IMPLICIT_KEY/, 'write "key: value", with a space after the colon'],
    [/^TAB_AS_INDENT/, 'it is indented with a tab: use spaces'],
    [/^BAD_SCALAR_START/, `a value cannot begin with ${source[pos[0]]}: quote the value`],
    [/^BAD_DQ_ESCAPE/, 'write "\\\\" for a backslash within double quotes, or use single quotes'],
    [/^MISSING_CHAR.*quote$/m, `a quote is not closed in the value of "${opened}": close it`],
    [/^BAD_INDENT.*end with a [\]}]/, 'a list in brackets is not closed: close it'],
    [/^UNEXPECTED_TOKEN.*at node end$/m, `text follows the quoted value of "${key}": quote all of it`],
  ];
  return advice.find(([error]) => error.test(`${code} ${message}\n${line}`))?.[1];
}
