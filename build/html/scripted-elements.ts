import { defaultTreeAdapter as tree, type DefaultTreeAdapterTypes as Tree, html as standard } from 'parse5';
import { addressesIn, isPlaceholder } from './shown-address.ts';

/** Called with the kind of a removal, as in Removals. */
type Report = (kind: string) => void;

/** Elements of AMP, which its script draws as these. */
const AMP: ReadonlyMap<string, string> = new Map([
  ['amp-img', 'img'],
  ['amp-anim', 'img'],
  ['amp-iframe', 'iframe'],
  ['amp-video', 'video'],
  ['amp-audio', 'audio'],
]);

const YOUTUBE = 'https://www.youtube-nocookie.com/embed/';
const VIMEO = 'https://player.vimeo.com/video/';
/** Elements that a script draws as a player: the attribute with the video's id, and the player's address before it. */
const PLAYERS: ReadonlyMap<string, readonly [attribute: string, address: string]> = new Map([
  ['lite-youtube', ['videoid', YOUTUBE]],
  ['lite-vimeo', ['videoid', VIMEO]],
  ['amp-youtube', ['data-videoid', YOUTUBE]],
  ['amp-vimeo', ['data-videoid', VIMEO]],
  ['amp-dailymotion', ['data-videoid', 'https://www.dailymotion.com/embed/video/']],
]);

const MEDIA = new Set(['img', 'iframe', 'video', 'audio']);
/** More children than an element around one image has. */
const MANY_CHILDREN = 20;

/**
 * Shows what otherwise needs a script of the blog:
 *
 * - `noscript` is replaced by its content. If its image or player stands for a placeholder before or after it, it is shown in
 *   that place. Counting pixels and sentences that ask for JavaScript are not shown.
 * - Elements such as `lite-youtube` and `amp-img` become the player or image that their script draws. Other custom elements
 *   without content are reported.
 */
export function showScripted(parent: Tree.ParentNode, report: Report): void {
  const { childNodes } = parent;
  const shown: Tree.ChildNode[][] = [];
  /** The element before, with nothing but white space between. */
  let before: Tree.Element | undefined;
  /** What a `noscript` has filled. */
  const filled = new Set<Tree.Element>();
  for (const [index, node] of childNodes.entries()) {
    let nodes: Tree.ChildNode[] = [node];
    if (tree.isElementNode(node)) {
      const isHtml = node.namespaceURI === standard.NS.HTML;
      const isCustom = isHtml && node.tagName.includes('-');
      if (isCustom) removeFallbacks(node);
      showScripted(node, report);
      if (isCustom) nodes = drawn(node, report);
      if (isHtml && node.tagName === 'noscript') {
        removeHidden(node);
        if (parent.nodeName === 'picture' && 'attrs' in parent) parent.attrs = []; // Its `data-iesrc` is this image.
        fillPlaceholder(node, [before, elementAfter(childNodes, index)], filled);
        nodes = shownNodes(node, report);
      }
      before = nodes.findLast((one) => tree.isElementNode(one)) ?? before;
    } else if (!isBlank(node)) before = undefined;
    shown.push(nodes);
  }
  parent.childNodes = shown.flat();
  for (const node of parent.childNodes) node.parentNode = parent;
}

/** What a visitor without scripts sees of `noscript`. */
function shownNodes(noscript: Tree.Element, report: Report): Tree.ChildNode[] {
  const text = shownText(noscript).trim();
  if (someElement(noscript, ({ tagName }) => MEDIA.has(tagName) || tagName === 'pre'))
    return noscript.childNodes;
  if (/java\s?script|\bscripts?\b|\bjs\b/i.test(text)) report('noscript text');
  else if (text !== '') return noscript.childNodes;
  return [];
}

function removeHidden(parent: Tree.ParentNode): void {
  parent.childNodes = parent.childNodes.filter((node) => !tree.isElementNode(node) || !isHidden(node));
  for (const node of parent.childNodes) if (tree.isElementNode(node)) removeHidden(node);
}

const PIXEL = /^\s*[01](?:px)?\s*$/;

/** The address of a program that counts: `matomo.php?idsite=1`. */
const COUNTER = /^[^?#]*(?:\.(?:php|aspx?|cgi|pl|ashx)|\/(?:tr|collect|pixel))\?/i;

/**
 * Counting pixels are, and frames of tag managers. A pixel is one by its size; or, without size and text, by its address.
 */
function isHidden(element: Tree.Element): boolean {
  const { width = '', height = '', style = '', alt = '', src = '' } = toAttributes(element);
  const isBare = element.tagName === 'img' && width + height + alt.trim() === '';
  return (
    (isBare && COUNTER.test(src.trim())) ||
    (MEDIA.has(element.tagName) && PIXEL.test(width) && PIXEL.test(height)) ||
    /(?:display\s*:\s*none|visibility\s*:\s*hidden|left\s*:\s*-\d{3})/i.test(style)
  );
}

/**
 * Moves the first image or player of a `noscript` into the neighbour that it stands for: the one with the same address, or
 * else the one with a placeholder and no other text. A neighbour that already shows it stays as it is.
 */
function fillPlaceholder(
  noscript: Tree.Element,
  neighbours: readonly (Tree.Element | undefined)[],
  filled: Set<Tree.Element>,
): void {
  const [media] = mediaIn(noscript);
  if (!media) return;
  const addresses = new Set(addressesIn(toAttributes(media)));
  const others = neighbours
    .map((near) => near && onlyMedia(near))
    .filter((other) => other?.tagName === media.tagName);
  const twin =
    others.find((other) => other && addressesIn(toAttributes(other)).some((one) => addresses.has(one))) ??
    others.find((other) => other && !filled.has(other) && standsFor(media, toAttributes(other)));
  filled.add(twin ?? media);
  if (!twin) return;
  if (isPlaceholder(toAttributes(twin))) twin.attrs = media.attrs;
  tree.detachNode(media);
}

/** Whether an image or player with these attributes is a placeholder for another. */
function standsFor(media: Tree.Element, placeholder: Readonly<Record<string, string>>): boolean {
  const text = (placeholder['alt'] ?? '').trim();
  return isPlaceholder(placeholder) && (text === '' || text === (toAttributes(media)['alt'] ?? '').trim());
}

/** The image or player that an element is, or is around. */
function onlyMedia(element: Tree.Element): Tree.Element | undefined {
  if (MEDIA.has(element.tagName)) return element;
  const { childNodes, tagName } = element;
  if (childNodes.length > MANY_CHILDREN) return undefined;
  const [only, ...others] = childNodes.filter(
    (node) => !isBlank(node) && !(tagName === 'picture' && node.nodeName === 'source'),
  );
  return others.length === 0 && only && tree.isElementNode(only) ? onlyMedia(only) : undefined;
}

/** The element after this place, with nothing but white space between. */
function elementAfter(nodes: readonly Tree.ChildNode[], place: number): Tree.Element | undefined {
  let after = place + 1;
  while (after < nodes.length && isBlank(nodes[after])) after += 1;
  const node = nodes[after];
  return node && tree.isElementNode(node) ? node : undefined;
}

/** What the script of a custom element draws, and the content of the element. */
function drawn(element: Tree.Element, report: Report): Tree.ChildNode[] {
  const { tagName } = element;
  const [attribute = '', player = ''] = PLAYERS.get(tagName) ?? [];
  const attributes = toAttributes(element);
  const id = attributes[attribute]?.trim() ?? '';
  const name = id === '' ? AMP.get(tagName) : 'iframe';
  if (name === undefined) {
    if (isEmpty(element)) report(`custom element ${tagName}`);
    return [element];
  }
  const { params = '', title, videotitle, playlabel, width, height } = attributes;
  const address = player + encodeURIComponent(id) + (params === '' ? '' : `?${params}`);
  const label = title ?? videotitle ?? playlabel;
  const made = tree.createElement(
    name,
    standard.NS.HTML,
    id === ''
      ? element.attrs
      : Object.entries({ 'data-src': address, title: label, width, height }).flatMap(([key, value]) =>
          value === undefined ? [] : [{ name: key, value }],
        ),
  );
  if (name === 'img' || name === 'iframe') return [made, ...element.childNodes];
  made.childNodes = element.childNodes;
  for (const node of made.childNodes) node.parentNode = made;
  return [made];
}

/** Removes what an element shows only without its script: a button to play, a link to the video, a preview. */
function removeFallbacks(element: Tree.Element): void {
  const attributes = toAttributes(element);
  const id = attributes[PLAYERS.get(element.tagName)?.[0] ?? '']?.trim() ?? '';
  if (id === '' && !(AMP.has(element.tagName) && addressesIn(attributes).length > 0)) return;
  element.childNodes = element.childNodes.filter(
    (node) => !tree.isElementNode(node) || !isFallback(node, id),
  );
}

function isFallback({ tagName, attrs }: Tree.Element, id: string): boolean {
  return (
    tagName === 'noscript' ||
    tagName === 'button' ||
    attrs.some(
      ({ name, value }) =>
        name === 'placeholder' || name === 'fallback' || (name === 'href' && id !== '' && value.includes(id)),
    )
  );
}

function isEmpty(element: Tree.Element): boolean {
  return (
    shownText(element).trim() === '' &&
    !someElement(element, ({ tagName }) => MEDIA.has(tagName) || tagName === 'svg')
  );
}

function mediaIn(node: Tree.ChildNode): Tree.Element[] {
  if (!tree.isElementNode(node)) return [];
  return MEDIA.has(node.tagName) ? [node] : node.childNodes.flatMap(mediaIn);
}

function someElement({ childNodes }: Tree.ParentNode, is: (element: Tree.Element) => boolean): boolean {
  return childNodes.some((node) => tree.isElementNode(node) && (is(node) || someElement(node, is)));
}

/** The text that is shown. */
function shownText(node: Tree.Node): string {
  if (tree.isTextNode(node)) return node.value;
  const isSilent = 'tagName' in node && (node.tagName === 'style' || node.tagName === 'script');
  return 'childNodes' in node && !isSilent ? node.childNodes.map(shownText).join('') : '';
}

function isBlank(node: Tree.ChildNode | undefined): boolean {
  return (
    node !== undefined && (tree.isCommentNode(node) || (tree.isTextNode(node) && node.value.trim() === ''))
  );
}

function toAttributes({ attrs }: Tree.Element): Readonly<Record<string, string>> {
  return Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
}
