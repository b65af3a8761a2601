import { Parser } from 'htmlparser2';

/** Elements whose text is not shown. */
const HIDDEN = /^(?:script|style|template)$/;
/** Line numbers next to code (Chroma, Rouge). */
const LINE_NUMBERS = /(?:^|\s)(?:ln|lnt|lnos|lineno|gutter)(?:\s|$)/;

/**
 * The visible text of HTML, without white space, control characters, line numbers and footnote arrows, which differ
 * between engines.
 */
export function shownText(html: string): string {
  let text = '';
  const unread: boolean[] = [];
  const parser = new Parser({
    onopentag: (name, { class: names = '' }) =>
      void unread.push(HIDDEN.test(name) || LINE_NUMBERS.test(names)),
    onclosetag: () => void unread.pop(),
    ontext: (part) => void (text += unread.includes(true) ? '' : part),
  });
  parser.end(html);
  return text.replace(/[\s\p{Cc}\u200b\u21a9\ufe0e]+/gu, '');
}
