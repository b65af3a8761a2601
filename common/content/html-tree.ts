import renderHtml from 'dom-serializer';
import { DomHandler, DomUtils, Parser } from 'htmlparser2';
import { PostUnreadable } from './errors.ts';
import { isLazyAddress, LAZY_ADDRESSES, LAZY_SRCSETS } from './lazy-attributes.ts';
import { parseSrcset } from './srcset.ts';
import { escapeHtml } from './text.ts';

export type HtmlElement = ReturnType<typeof DomUtils.getElementsByTagName>[number];
export type HtmlNodes = DomHandler['dom'];

/** The build allows a body the same depth, and fewer elements (build/html/work-limits.ts). */
const MAX_DEPTH = 200;
const MAX_NODES = 300_000;

/** @throws PostUnreadable if it has too many nodes, or nests too deeply */
export function parseHtml(html: string): HtmlNodes {
  const handler = new BoundedHandler(undefined, { withStartIndices: true, withEndIndices: true });
  new Parser(handler).end(html);
  return handler.dom;
}

/** Each tag searches the open elements, so the depth bounds the time; the number of nodes bounds the memory. */
class BoundedHandler extends DomHandler {
  #nodes = 0;

  protected override addNode(node: HtmlNodes[number]): void {
    if (this.tagStack.length > MAX_DEPTH)
      throw new PostUnreadable(`has more than ${MAX_DEPTH} levels of nested elements`);
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES)
      throw new PostUnreadable(`has more than ${MAX_NODES} elements and pieces of text`);
    super.addNode(node);
  }
}

export function firstNamed(element: HtmlElement, name: string): HtmlElement | undefined {
  return DomUtils.getElementsByTagName(name, element.children, true, 1)[0];
}

export function getAttribute(element: HtmlElement | undefined, name: string): string {
  return element?.attribs[name]?.trim() ?? '';
}

/** HTML with absolute addresses. Fragments lead to a place in the text itself, and stay. @throws PostUnreadable */
export function withBase(html: string, base: string): string {
  const nodes = parseHtml(html);
  const absolute = (written: string): string => URL.parse(written, base)?.href ?? written;
  for (const { attribs } of DomUtils.findAll(() => true, nodes)) {
    for (const name of ['href', 'src', 'poster', 'cite']) {
      const written = attribs[name]?.trim() ?? '';
      const isPlace = written === '' || written.startsWith('#');
      if (!isPlace) attribs[name] = absolute(written);
    }
    for (const name of [...LAZY_ADDRESSES, 'data-iesrc', 'data-poster']) {
      const written = attribs[name]?.trim() ?? '';
      if (isLazyAddress(written)) attribs[name] = absolute(written);
    }
    for (const name of ['srcset', ...LAZY_SRCSETS]) {
      const candidates = parseSrcset(attribs[name] ?? '').filter(({ address }) => isLazyAddress(address));
      if (candidates.length > 0)
        attribs[name] = candidates.map((one) => `${absolute(one.address)} ${one.descriptor}`).join(', ');
    }
  }
  return renderHtml(nodes, { encodeEntities: 'utf8' });
}

/** Elements without an end tag. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** The HTML of an element. @param content HTML */
export function elementHtml(
  name: string,
  attributes: readonly (readonly [string, string])[],
  content: string,
): string {
  const open = `<${name}${attributes.map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join('')}>`;
  return VOID.test(name) ? open : `${open}${content}</${name}>`;
}
