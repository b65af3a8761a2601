/** Kinds of callouts in Docusaurus, VitePress and GitHub. */
const KINDS =
  'note tip info warning danger caution important details success question abstract secondary'.split(' ');

const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
const OPEN = new RegExp(
  `^ {0,3}:{3,}[ \\t]*(${KINDS.join('|')})\\b[ \\t]*(?:\\[([^\\]]*)\\]|(?!\\{)(.*))?(?:\\{.*\\})?[ \\t]*$`,
  'i',
);
const CLOSE = /^ {0,3}:{3,}[ \t]*$/;
const ALERT = /^( {0,3}>[ \t]?)\[!(note|tip|important|warning|caution)\][ \t]*$/i;

/** Converts `:::tip Title` … `:::` and `> [!NOTE]` to elements with titles; fenced code is left unchanged. */
export function withCallouts(text: string): string {
  if (!/^ {0,3}(?::::|>[ \t]?\[!)/m.test(text)) return text;
  let fence = '';
  let open = 0;
  const lines = text.split('\n').map((line) => {
    const [, mark = ''] = FENCE.exec(line) ?? [];
    if (mark !== '' && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : '';
    if (fence !== '' || mark !== '') return line;
    const alert = ALERT.exec(line);
    if (alert !== null) return `${alert[1]}**${named(alert[2] ?? '')}**\n${alert[1]}`;
    const [, kind, bracketed, plain] = OPEN.exec(line) ?? [];
    if (kind !== undefined) {
      open += 1;
      const title = (bracketed ?? plain ?? '').trim() || named(kind);
      return `\n<div class="admonition ${kind.toLowerCase()}">\n\n**${title}**\n`;
    }
    if (open === 0 || !CLOSE.test(line)) return line;
    open -= 1;
    return '\n</div>\n';
  });
  return [...lines, ...Array.from({ length: open }, () => '\n</div>\n')].join('\n');
}

function named(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
}
