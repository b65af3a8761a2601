/**
 * Most bodies are plain: each element is closed where it should be, attributes stand in double quotes,
 * and all of it is allowed. What the library would make of such HTML is known without parsing it into
 * a tree and printing that again, which costs ten times as much (see bench/publishing).
 *
 * Safety rests on one rule: whatever is not surely plain is left to the library. The tests hold this
 * file against the library, for every pair of elements, every attribute, and random HTML.
 */
import { absolute } from './address.ts';
import { type HtmlAdditions, HTML_POLICY, isNumberAllowed, NO_ADDITIONS, widened } from './policy.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** Text-level elements, which may stand in any element that holds text. */
const PHRASING = new Set(
  inPolicy('a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q s samp small span strong sub sup time u var'), // prettier-ignore
);
/** Elements that hold text and text-level elements. */
const TEXT_BLOCKS = new Set(inPolicy('p h1 h2 h3 h4 h5 h6 pre summary caption dt'));
/** Elements that hold text and blocks. */
const CONTAINERS = new Set(
  inPolicy('div section article aside header footer blockquote details figure figcaption li dd td th'),
);
/** Blocks that may stand in containers and outside of everything. */
const BLOCKS = new Set(
  inPolicy('p h1 h2 h3 h4 h5 h6 pre hr div section article aside header footer blockquote details figure ul ol dl table'), // prettier-ignore
);
/** Elements that may stand in no other element than these. */
const ONLY_IN = new Map(
  Object.entries({
    li: ['ul', 'ol'],
    dt: ['dl'],
    dd: ['dl'],
    figcaption: ['figure'],
    summary: ['details'],
    caption: ['table'],
    thead: ['table'],
    tbody: ['table'],
    tfoot: ['table'],
    tr: ['thead', 'tbody', 'tfoot'],
    th: ['tr'],
    td: ['tr'],
  }).filter(([name]) => HTML_POLICY.tags.includes(name)),
);
const VOID = new Set(['br', 'hr', 'img']);

/** One tag, with its attributes in double quotes; `<` and `>` in them are left to the library. */
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*(\/?)>/y;
const ATTRIBUTE = /\s+([a-z-]+)(?:="([^"<>]*)")?/g;
/** Characters and references that the library might print in another way. */
const SPECIAL = /[\0-\x08\x0b-\x1f\x7f\ufffd]|&(?!(?:amp|lt|gt|quot);)/;

/**
 * What the library makes of plain HTML, by the policy and what an owner adds to it.
 *
 * @returns null where the HTML is not plain
 */
export function plainSanitiser(additions: HtmlAdditions): (html: string, base: string) => string | null {
  const { classes } = widened(additions);
  const allowed = new RegExp(`^(?:${classes.map(classPattern).join('|')})$`);
  return (html, base) => sanitisePlainly(html, base, allowed);
}

/** By the policy alone. */
export const sanitisePlain = plainSanitiser(NO_ADDITIONS);

function sanitisePlainly(html: string, base: string, classes: RegExp): string | null {
  if (SPECIAL.test(html)) return null;
  const open: string[] = [];
  let made = '';
  let at = 0;
  let elements = 0;
  for (let tag = html.indexOf('<'); tag !== -1; tag = html.indexOf('<', at)) {
    if (tag > at) {
      made += plainText(html.slice(at, tag));
    }
    TAG.lastIndex = tag;
    const match = TAG.exec(html);
    if (!match) return null;
    const [whole, closing, name = '', attributes = '', selfClosing] = match;
    at = tag + whole.length;
    if (closing) {
      if (open.pop() !== name || attributes !== '') return null;
      made += `</${name}>`;
      continue;
    }
    elements += 1;
    if (elements > WORK_LIMITS.elements || open.length >= WORK_LIMITS.nesting) return null;
    if (!mayStandIn(name, open.at(-1))) return null;
    const kept = attributes === '' ? '' : plainAttributes(name, attributes, base, classes);
    if (kept === null) return null;
    if (VOID.has(name)) made += `<${name}${kept} />`;
    else {
      if (selfClosing) return null;
      open.push(name);
      made += `<${name}${kept}>`;
    }
  }
  return open.length > 0 ? null : made + plainText(html.slice(at));
}

function mayStandIn(name: string, parent: string | undefined): boolean {
  const parents = ONLY_IN.get(name);
  if (parents) return parent !== undefined && parents.includes(parent);
  if (PHRASING.has(name)) return name !== parent && holdsText(parent);
  return BLOCKS.has(name) && (parent === undefined || CONTAINERS.has(parent));
}

function holdsText(parent: string | undefined): boolean {
  return parent === undefined || PHRASING.has(parent) || TEXT_BLOCKS.has(parent) || CONTAINERS.has(parent);
}

/** A text as the library prints it: brackets are escaped, and quotes are not. */
function plainText(text: string): string {
  return /&quot;|>/.test(text) ? text.replaceAll('&quot;', '"').replaceAll('>', '&gt;') : text;
}

function plainAttributes(tag: string, text: string, base: string, classes: RegExp): string | null {
  const seen: string[] = [];
  let made = '';
  for (const [, name = '', value] of text.matchAll(ATTRIBUTE)) {
    if (seen.includes(name)) return null;
    seen.push(name);
    const kept = plainAttribute(tag, name, value, base, classes);
    if (kept === null) return null;
    made += kept;
  }
  return made;
}

const FLAGS = new Set(['allowfullscreen', 'controls', 'loop', 'muted', 'open', 'playsinline', 'reversed']);
const ADDRESSES = new Set(HTML_POLICY.addresses);

/** The attribute as the library prints it, with the space before it; empty where the library drops it. */
function plainAttribute(
  tag: string,
  name: string,
  value: string | undefined,
  base: string,
  classes: RegExp,
): string | null {
  if (!mayHave(tag, name)) return '';
  if (value === undefined) return FLAGS.has(name) ? ` ${name}` : null;
  if (value === '') return name === 'alt' ? ' alt=""' : null;
  if (name === 'style') return null;
  if (name === 'class') {
    const kept = value.split(/\s+/).filter((one) => classes.test(one));
    return kept.length > 0 ? ` class="${kept.join(' ')}"` : '';
  }
  if (!isNumberAllowed(tag, name, value)) return '';
  if (!ADDRESSES.has(name)) return ` ${name}="${value}"`;
  const address = plainAddress(tag, value, base);
  return address === null ? null : ` ${name}="${address}"`;
}

/** A host in letters, then no quote, space, control character or bracket. */
const WEB_ADDRESS = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#][^\0-\x20"<>\\^`{|}\x7f\ufffd]*)?$/;
const FRAGMENT = /^#[\w.:-]+$/;

function plainAddress(tag: string, value: string, base: string): string | null {
  if (FRAGMENT.test(value)) return value;
  if (/&(?!amp;)/.test(value)) return null;
  const made = absolute(tag, value.replaceAll('&amp;', '&'), base);
  if (!WEB_ADDRESS.test(made)) return null;
  return made.replaceAll('&', '&amp;');
}

const everywhere: readonly string[] = HTML_POLICY.attributes['*'];
const byTag = new Map<string, readonly string[]>(Object.entries(HTML_POLICY.attributes));

function mayHave(tag: string, attribute: string): boolean {
  return everywhere.includes(attribute) || (byTag.get(tag)?.includes(attribute) ?? false);
}

function classPattern(pattern: string): string {
  return pattern.replace(/[^\w-]/g, '\\$&').replaceAll('\\*', '.*');
}

function inPolicy(names: string): string[] {
  return names.split(' ').filter((name) => HTML_POLICY.tags.includes(name));
}
