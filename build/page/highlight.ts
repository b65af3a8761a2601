import { escapeHtml } from '../../common/content/text.ts';

/**
 * Syntax highlighting at build time: page.css has the colours, and the page needs no script. One regular expression is enough
 * for the few code samples on the pages. A grammar for each language would need a library.
 */

const KEYWORDS =
  'as|async|await|break|const|continue|curl|echo|except|false|for|foreach|from|function|if|import|in|let|new|not|null|of|offprint|raise|return|throw|true|try|while|with|yield';

const TOKEN = new RegExp(
  [
    /(?<comment>(?<=^|\s)(?:#|\/\/).*)/,
    // Field names in JSON, and header names.
    /(?<key>"[^"\n]*"(?=\s*:)|^[A-Z][\w-]*(?=: ))/,
    /(?<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)/,
    /(?<number>\b\d[\d.e]*\b)/,
    new RegExp(`(?<word><\\?php|(?<![\\w.$'-])(?:${KEYWORDS})\\b(?![-'=:]))`),
    /(?<name>\w+(?=\())/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

/** @returns HTML, with tokens as `<span class="tok-KIND">` */
export function highlight(code: string): string {
  let html = '';
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text) ?? [];
    html += `${escapeHtml(code.slice(end, match.index))}<span class="tok-${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}
