import { Parser } from 'htmlparser2';

/** Elements whose text nobody reads. */
const UNREAD = /^(?:script|style|template)$/;
/** Numbers of lines, next to code (Chroma, Rouge). */
const LINE_NUMBERS = /(?:^|\s)(?:ln|lnt|lnos|lineno|gutter)(?:\s|$)/;

/**
 * What a reader reads of a piece of HTML, without white space, control characters, numbers of lines, and the arrows of
 * footnotes, which engines choose as they like.
 */
export function shownText(html: string): string {
  let text = '';
  const unread: boolean[] = [];
  const parser = new Parser({
    onopentag: (name, { class: names = '' }) =>
      void unread.push(UNREAD.test(name) || LINE_NUMBERS.test(names)),
    onclosetag: () => void unread.pop(),
    ontext: (part) => void (text += unread.includes(true) ? '' : part),
  });
  parser.end(html);
  return text.replace(/[\s\p{Cc}\u200b\u21a9\ufe0e]+/gu, '');
}

/** The same text for typographic signs and for those on a keyboard. */
export function withPlainSigns(text: string): string {
  return text
    .replace(/[“”«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replaceAll('…', '...')
    .replaceAll('—', '---')
    .replaceAll('–', '--');
}
