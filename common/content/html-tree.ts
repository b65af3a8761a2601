import renderHtml from 'dom-serializer';
import { DomUtils, parseDocument } from 'htmlparser2';
import { textOfHtml } from './html-text.ts';
import { escapeHtml } from './text.ts';

export type HtmlElement = ReturnType<typeof DomUtils.getElementsByTagName>[number];
export type HtmlNodes = ReturnType<typeof parseDocument>['children'];

export function parseHtml(html: string): HtmlNodes {
  return parseDocument(html, { withStartIndices: true }).children;
}

/** The first element that has all these classes, or undefined. */
export function firstOfClass(nodes: HtmlNodes, ...classes: readonly string[]): HtmlElement | undefined {
  return DomUtils.findOne((element) => hasClass(element, ...classes), nodes, true) ?? undefined;
}

export function firstNamed(element: HtmlElement, name: string): HtmlElement | undefined {
  return DomUtils.getElementsByTagName(name, element.children, true, 1)[0];
}

export function allNamed(element: HtmlElement, name: string): HtmlElement[] {
  return DomUtils.getElementsByTagName(name, element.children, true);
}

export function hasClass({ attribs }: HtmlElement, ...classes: readonly string[]): boolean {
  const own = (attribs['class'] ?? '').split(/\s+/);
  return classes.every((name) => own.includes(name));
}

export function attributeOf(element: HtmlElement | undefined, name: string): string {
  return element?.attribs[name]?.trim() ?? '';
}

/** The visible text of an element, on one line. */
export function plainText(element: HtmlElement | undefined): string {
  return element === undefined ? '' : textOfHtml(renderHtml(element.children));
}

/** Returns HTML to replace an element; null: keeps the element, with its rewritten content. */
export type Rewrite = (element: HtmlElement, content: () => string) => string | null;

/** HTML of nodes after `rewrite` for each element. Attributes that only the blog's own pages need are removed. */
export function rewriteHtml(nodes: HtmlNodes, rewrite: Rewrite): string {
  return nodes.map((node) => rewritten(node, rewrite)).join('');
}

function rewritten(node: HtmlNodes[number], rewrite: Rewrite): string {
  if (node.type === 'text') return escapeHtml(node.data);
  if (!('attribs' in node)) return '';
  const content = (): string => rewriteHtml(node.children, rewrite);
  return rewrite(node, content) ?? outerHtml(node, content());
}

/** Elements without an end tag. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const KEPT =
  /^(?:href|src|alt|id|title|width|height|lang|dir|start|cite|controls|poster|colspan|rowspan|allowfullscreen)$/;

function outerHtml({ name, attribs }: HtmlElement, content: string): string {
  return elementHtml(
    name,
    Object.entries(attribs).filter(([key]) => KEPT.test(key)),
    content,
  );
}

/** The HTML of an element. @param content HTML */
export function elementHtml(
  name: string,
  attributes: readonly (readonly [string, string])[],
  content: string,
): string {
  const open = `<${name}${attributes.map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join('')}>`;
  return VOID.test(name) ? open : `${open}${content}</${name}>`;
}
