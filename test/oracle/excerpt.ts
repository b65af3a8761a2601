import { ElementType, parseDocument } from 'htmlparser2';

/*
 * The description of an article without one, from its unsanitised body. Independent of the build's algorithm: it
 * uses a tree of the whole body, while the build reads the sanitiser's output as it is printed.
 */

type ChildNode = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<ChildNode, { readonly attribs: unknown }>;

const HIDDEN = new Set(
  [
    'script',
    'style',
    'noscript',
    'template',
    'title',
    'object',
    'svg',
    'math',
    'textarea',
    'option',
    'xmp',
  ].concat(['noembed', 'noframes', 'plaintext', 'iframe', 'audio', 'video', 'del', 's', 'rt', 'rp']),
);
const SECONDARY = /^(?:h[1-6]|pre|table|figure|figcaption|ul|ol|dl|details|aside|header|footer)$/;
const LINES =
  /^(?:p|div|section|article|address|blockquote|summary|li|dt|dd|br|hr|caption|colgroup|col|thead|tbody|tfoot|tr|t[hd])$/;

/** Stands for omitted text. */
const GAP = '\0';

/** @returns null if there is no text */
export function plainExcerpt(body: string): string | null {
  const { children } = parseDocument(body);
  const ways = [
    paragraphs(children),
    children.map((node) => textOf(node, false)).join(''),
    children.map((node) => textOf(node, true)).join(''),
  ];
  const text = ways.map(tidied).find((one) => one !== '');
  return text === undefined ? null : cut(text);
}

/** The text of each `p` outside of secondary elements, and a gap for each inside of them. */
function paragraphs(nodes: readonly ChildNode[]): string {
  return nodes
    .map((node) => {
      if (node.type !== ElementType.Tag || isHidden(node)) return '';
      if (SECONDARY.test(node.name)) return GAP;
      return node.name === 'p' ? ` ${textOf(node, false)} ` : paragraphs(node.children);
    })
    .join('');
}

function textOf(node: ChildNode, withSecondary: boolean): string {
  if (node.type === ElementType.Text) return node.data;
  if (node.type !== ElementType.Tag || isHidden(node)) return '';
  if (SECONDARY.test(node.name) && !withSecondary) return GAP;
  const inside = node.children.map((child) => textOf(child, withSecondary)).join('');
  return LINES.test(node.name) || SECONDARY.test(node.name) ? ` ${inside} ` : inside;
}

function isHidden({ name, attribs, parent }: Element): boolean {
  if (HIDDEN.has(name) || /(?:^|\s)footnote/.test(attribs['class'] ?? '')) return true;
  if (/^doc-(?:noteref|backlink|endnotes?|footnote)$/.test(attribs['role'] ?? '')) return true;
  const outer = { a: 'sup', sup: 'a' }[name];
  for (let above = parent; outer && above; above = above.parent) {
    if (above.type === ElementType.Tag && above.name === outer) return true;
  }
  return false;
}

function tidied(text: string): string {
  const wide = '[\\u3000-\\u9fff\\uff00-\\uff60]';
  return text
    .replace(/(?<=[:：])\s*\0[\s\0]*/g, ' … ')
    .replaceAll(GAP, ' ')
    .replaceAll('\u00ad', '')
    .replace(new RegExp(`(${wide})\\s*\\n\\s*(?=${wide})`, 'g'), '$1')
    .replace(/([。，、；：？！])\s+/g, '$1')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function cut(text: string): string {
  const all = [...text];
  if (all.length <= 200) return text;
  const upTo = (end: number) => all.slice(0, end).join('');
  const ends = Array.from({ length: 39 }, (_, i) => 198 - i);
  const boundaries = (granularity: 'word' | 'grapheme') => {
    const found = new Set<number>();
    for (const { index } of new Intl.Segmenter('en', { granularity }).segment(text)) {
      if (index > upTo(200).length) break; // Processing the rest of a long text would be slow.
      found.add(index);
    }
    return found;
  };
  const [ofWords, ofGraphemes] = [boundaries('word'), boundaries('grapheme')];
  const end =
    ends.find((at) => at > 160 && '。．！？；：，、」』）】》〉'.includes(all[at - 1] ?? '')) ??
    ends.find((at) => all[at] === ' ') ??
    ends.find((at) => ofWords.has(upTo(at).length)) ??
    ends.find((at) => ofGraphemes.has(upTo(at).length)) ??
    198;
  let head = upTo(end);
  while (/(?:[\s\p{Ps}\p{Pi}\p{Pd},;:，、；：·…]|\.\.)$/u.test(head)) {
    head = /\.$/.test(head) ? head.replace(/\.+$/, '') : head.slice(0, -1);
  }
  return head + (/[.!?؟۔।]["')\]\p{Pf}]*$/u.test(head) ? ' …' : '…');
}
