import { PostUnreadable } from '../../common/content/errors.ts';
import { codeFinder } from './code.ts';

/** Real tags and expressions are shorter. */
const MAX_LENGTH = 20_000;
/** Limit for the work on one text, in steps for each character. */
const MAX_STEPS = 50;

const MODULE_LINE = /^(?:import|export)\s[^]*?(?:\n[ \t]*\n|$(?![^]))/y;
const TAG = /<(\/?)([A-Z][\w.]*)/y;
const STRING = /^\s*(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`)\s*$/;

/**
 * The Markdown in an MDX text: imports, exports, comments and expressions are removed; components leave their children.
 * Code is left unchanged.
 *
 * @param lose is called for each component and expression that is removed
 * @throws PostUnreadable if unclosed braces take too much work
 */
export function withoutMdx(text: string, lose: (what: string, detail?: string) => void): string {
  const codeEnd = codeFinder(text);
  let steps = 0;
  let out = '';
  let at = 0;
  while (at < text.length) {
    const code = codeEnd(at);
    if (code !== null) {
      // MDX has no HTML comments, but writers use them.
      out += text.slice(at, code);
      at = code;
      continue;
    }
    if ((at === 0 || text.startsWith('\n\n', at - 2)) && /[ie]/.test(text[at] ?? '')) {
      MODULE_LINE.lastIndex = at;
      const length = MODULE_LINE.exec(text)?.[0].length;
      if (length !== undefined) {
        at += length;
        continue;
      }
    }
    const end = text[at] === '{' && text[at - 1] !== '\\' ? closing(at) : null;
    TAG.lastIndex = at;
    const [head = '', slash = '', name = ''] = text[at] === '<' ? (TAG.exec(text) ?? []) : [];
    const tagEnd = name === '' ? null : endOfTag(at + head.length);
    if (end !== null) {
      const expression = text.slice(at + 1, end - 1);
      const [, double, single, template] = STRING.exec(expression) ?? [];
      const shown = double ?? single ?? template;
      if (shown !== undefined) out += shown;
      else if (!/^\s*(?:\/\*[^]*\*\/)?\s*$/.test(expression))
        lose('expression', expression.trim().slice(0, 100));
      at = end;
    } else if (tagEnd !== null) {
      if (slash === '') lose(`component ${name}`);
      at = tagEnd;
    } else {
      out += text[at] ?? '';
      at += 1;
    }
  }
  return out;

  /** The position after the brace that closes the one at `from`. */
  function closing(from: number): number | null {
    let depth = 0;
    for (let end = from; end < Math.min(text.length, from + MAX_LENGTH); end++) {
      count();
      if (text[end] === '{') depth += 1;
      if (text[end] === '}') depth -= 1;
      if (depth === 0) return end + 1;
    }
    return null;
  }

  function endOfTag(from: number): number | null {
    let quote = '';
    for (let end = from; end < Math.min(text.length, from + MAX_LENGTH); end++) {
      count();
      const sign = text[end] ?? '';
      if (quote !== '') quote = sign === quote ? '' : quote;
      else if (sign === '"' || sign === "'") quote = sign;
      else if (sign === '{') end = (closing(end) ?? text.length) - 1;
      else if (sign === '>') return end + 1;
    }
    return null;
  }

  function count(): void {
    if (++steps > MAX_STEPS * (text.length + MAX_LENGTH))
      throw new PostUnreadable('has too many unclosed braces or tags');
  }
}
