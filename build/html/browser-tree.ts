import {
  defaultTreeAdapter as tree,
  type DefaultTreeAdapterTypes as Tree,
  html as standard,
  parseFragment,
  serialize,
} from 'parse5';
import { HTML_POLICY } from './policy.ts';
import { showScripted } from './scripted-elements.ts';
import { ElementCounter } from './work-limits.ts';

/** Pages show articles inside such an element: where an article begins decides what its first tags mean. */
const AROUND = tree.createElement('div', standard.NS.HTML, []);

const VOID = new Set(HTML_POLICY.void);
const FORMULAS = new Set(HTML_POLICY.formulas);

/**
 * The tree that browsers build from sanitised HTML (HTML Standard, 13.2.6), printed as the sanitiser prints: the same text
 * if a browser changes nothing.
 *
 * @throws ArticleTooComplex
 */
export function asBrowsersRead(html: string): string {
  return printed(parseTree(html));
}

/**
 * The same HTML with short texts. A tree depends on a text only by its first line breaks and by whether it is more than white
 * space, and without the rest parsing takes a quarter of the time.
 */
export function withoutTexts(html: string): string {
  return html.replace(
    TEXT,
    (_, start: string, rest: string) => start + (MORE_THAN_SPACE.test(rest) ? 'x' : ' '),
  );
}

const TEXT = /(>\n{0,2}(?!\n))([^<]{3,})/g;
/** White space as in the standard: a no-break space is none. */
const MORE_THAN_SPACE = /[^\t\n\f\r ]/;

/** @throws ArticleTooComplex */
function parseTree(html: string): Tree.DocumentFragment {
  const counter = new ElementCounter(-1); // The root of the tree.
  const counting: typeof tree = {
    ...tree,
    createElement(name, namespace, attributes) {
      counter.addAttributes(attributes.reduce((sum, { value }) => sum + value.length, 0));
      return tree.createElement(name, namespace, attributes);
    },
    onItemPush: () => counter.enter(),
    onItemPop: () => counter.leave(),
  };
  return parseFragment(AROUND, html, { treeAdapter: counting, scriptingEnabled: false });
}

function printed({ childNodes }: Tree.ParentNode): string {
  return childNodes.map((node) => (tree.isTextNode(node) ? escaped(node.value) : renderNode(node))).join('');
}

function renderNode(node: Tree.Node): string {
  if (!tree.isElementNode(node)) return '';
  const { tagName, attrs, namespaceURI } = node;
  // Outside a formula these elements mean nothing; inside, a browser may know others by the name of a link.
  if (FORMULAS.has(tagName) !== (namespaceURI === standard.NS.MATHML)) return printed(node);
  const begin = `<${tagName}${attrs.map(({ name, value }) => ` ${name}${renderValue(name, value)}`).join('')}`;
  if (VOID.has(tagName)) return `${begin} />`;
  // A parser drops a line break after `<pre>`.
  const [first] = node.childNodes;
  const isDropped = tagName === 'pre' && first && tree.isTextNode(first) && first.value.startsWith('\n');
  return `${begin}>${isDropped ? '\n' : ''}${printed(node)}</${tagName}>`;
}

function renderValue(name: string, value: string): string {
  return value === '' && name !== 'alt' ? '' : `="${escaped(value).replaceAll('"', '&quot;')}"`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Whether HTML has elements that `prepared` changes: formulas, drawings, `noscript`, custom elements. */
export const NEEDS_PREPARING = /<(?:svg\b|math\b|noscript\b|[a-z][a-z\d]*-)/i;

/**
 * HTML for the sanitiser, which has a parser of its own:
 *
 * - Formulas and drawings (MathML, SVG) end where a browser ends them: at the first element of HTML, such as `<p>`. The
 *   sanitiser's own parser ends them at their end tag. In a formula, elements that are not allowed become `mrow`: without
 *   them, fractions and powers would have other parts. A formula that KaTeX made stays once, without its drawing in HTML.
 * - What needs scripts of the blog is shown without (scripted-elements.ts).
 *
 * @param report is called with the kind of each removal
 * @throws ArticleTooComplex
 */
export function prepared(html: string, report: (kind: string) => void): string {
  const article = parseTree(html);
  prepareFormulas(article);
  showScripted(article, report);
  return serialize(article);
}

function prepareFormulas(parent: Tree.ParentNode): void {
  let before: Tree.Element | undefined;
  parent.childNodes = parent.childNodes.filter((node) => {
    if (!tree.isElementNode(node)) return true;
    const formula = before;
    before = node;
    if (hasClass(node, 'katex-html') && formula && hasClass(formula, 'katex-mathml') && hasFormula(formula)) {
      formula.attrs = []; // With this class, KaTeX's own style hides it.
      return false;
    }
    if (node.namespaceURI === standard.NS.MATHML && !KEPT_IN_FORMULAS.has(node.tagName)) {
      node.tagName = 'mrow';
      node.attrs = [];
    }
    prepareFormulas(node);
    return true;
  });
}

/** The second is removed with its content. */
const KEPT_IN_FORMULAS = new Set([...FORMULAS, 'annotation-xml']);

function hasFormula({ childNodes }: Tree.Element): boolean {
  return childNodes.some((node) => tree.isElementNode(node) && (node.tagName === 'math' || hasFormula(node)));
}

function hasClass({ attrs }: Tree.Element, wanted: string): boolean {
  return attrs.some(({ name, value }) => name === 'class' && value.split(/\s+/).includes(wanted));
}
