/**
 * Code as HTML with a class on each token, coloured by page.css: in the build, so that the page loads nothing for it. One
 * pattern serves the few snippets that pages show. A grammar for each language would need a library.
 */

const KEYWORDS =
  'as|async|await|const|continue|curl|echo|false|for|foreach|from|function|if|import|in|let|new|null|of|offprint|return|throw|true|while|with|yield';

const TOKEN = new RegExp(
  [
    /(?<comment>(?<=^|\s)(?:#|\/\/).*)/,
    // Names of fields and of headers.
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

/** @returns HTML, in which tokens are `<span class="tok-KIND">` */
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

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
