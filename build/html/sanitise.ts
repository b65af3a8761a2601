import sanitizeHtml from 'sanitize-html';
import { absolute, isEmbed } from './address.ts';
import { asBrowsersRead, withForeignElements, withoutTexts } from './browser-tree.ts';
import { type HtmlAdditions, HTML_POLICY, isNumberAllowed, NO_ADDITIONS, withAdditions } from './policy.ts';
import { removalOf, type Removals } from './removals.ts';
import { ArticleTooComplex, ElementCounter } from './work-limits.ts';

/** An article's body, safe for pages of other sites. */
export interface SanitisedBody {
  readonly html: string;
  /** What was removed from it. */
  readonly removals: Removals;
}

/**
 * Makes an article's body safe for pages of other sites: it keeps only what HTML_POLICY and the owner's additions
 * allow, and makes every address absolute. What a browser then builds from it is what was checked: sanitising it again,
 * and parsing and printing it, change nothing.
 *
 * @param html as the author wrote it
 * @param base the article's own URL, for relative addresses
 * @throws ArticleTooComplex
 */
export type Sanitise = (html: string, base: string) => SanitisedBody;

/** How often an article is read and printed until nothing changes; two or three are usual where anything does. */
const MAX_ROUNDS = 10;

/** A sanitiser with the policy and an owner's additions. */
export function sanitiser(additions: HtmlAdditions): Sanitise {
  const { embeds, classes } = withAdditions(additions);
  return (html, base) => {
    const removals: Record<string, number> = {};
    let clean = sanitised(prepared(html), removals);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const tags = withoutTexts(clean);
      if (asBrowsersRead(tags) === tags) return { html: clean, removals };
      clean = sanitised(asBrowsersRead(clean), {});
    }
    throw new ArticleTooComplex(
      'browsers do not agree on its elements: close each one inside the one that it begins in',
    );

    function sanitised(text: string, removed: Record<string, number>): string {
      const counter = new ElementCounter();
      return sanitizeHtml(text, {
        ...OPTIONS,
        allowedClasses: { '*': [...classes] },
        onOpenTag: () => counter.opened(),
        onCloseTag: () => counter.closed(),
        transformTags: {
          '*': (tagName, attributes) => {
            const kept = transformTag(tagName, attributes, base, embeds);
            if (!isRemoved(kept)) return kept;
            const kind = removalOf(tagName, attributes);
            if (kind !== undefined) removed[kind] = (removed[kind] ?? 0) + 1;
            return kept;
          },
        },
      });
    }
  };
}

/** The sanitised HTML, with the policy only. */
export function sanitise(html: string, base: string): string {
  return plain(html, base).html;
}

const plain = sanitiser(NO_ADDITIONS);

/** C0 and C1 control characters but tab and line feed, which HTML has no meaning for. */
const CONTROLS = /[\0-\x08\x0B-\x1F\x7F-\x9F]/g;

function prepared(html: string): string {
  const text = html.replace(/\r\n?/g, '\n').replaceAll('\f', ' ').replace(CONTROLS, '');
  return /<(?:svg|math)\b/i.test(text) ? withForeignElements(text) : text;
}

const tags = [...HTML_POLICY.tags, ...HTML_POLICY.formulas];
const allowedTags = new Set(tags);

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: tags,
  allowedAttributes: HTML_POLICY.attributes,
  allowedStyles: { '*': HTML_POLICY.styles },
  allowedSchemes: HTML_POLICY.schemes,
  allowedSchemesByTag: { img: HTML_POLICY.schemesOfImages },
  allowedSchemesAppliedToAttributes: HTML_POLICY.addresses,
  allowProtocolRelative: false,
  nonTextTags: HTML_POLICY.withoutText,
  selfClosing: HTML_POLICY.void,
  // Browsers do not show it. Entities may stand for control characters too.
  textFilter: (text, tag) => (tag === 'iframe' ? '' : text.replace(CONTROLS, '')),
  // A frame of another host. Renaming it to an element without text would rename the next end tag at its depth too.
  exclusiveFilter: ({ tag, attribs }) => /^(?:iframe|source)$/.test(tag) && attribs['src'] === undefined,
};

function isRemoved({ tagName, attribs }: sanitizeHtml.Tag): boolean {
  return tagName === 'iframe' ? attribs['src'] === undefined : !allowedTags.has(tagName);
}

const addresses = new Set(HTML_POLICY.addresses);

function transformTag(
  tagName: string,
  attributes: sanitizeHtml.Attributes,
  base: string,
  embeds: readonly string[],
): sanitizeHtml.Tag {
  // Scripts of the blog load these frames later.
  const later = attributes['data-src'] ?? attributes['data-lazy-src'];
  if (tagName === 'iframe' && later !== undefined && /^(?:about:.*|\s*)$/.test(attributes['src'] ?? ''))
    attributes['src'] = later;
  for (const [name, written] of Object.entries(attributes)) {
    const value = written.replace(CONTROLS, '');
    attributes[name] = value;
    // An empty address would become that of the article, which is no image.
    if (/^(?:src|poster)$/.test(name) && value.trim() === '') delete attributes[name];
    else if (addresses.has(name)) attributes[name] = absolute(tagName, value, base);
    else if (!isNumberAllowed(tagName, name, value)) delete attributes[name];
  }
  if (tagName !== 'iframe') return { tagName, attribs: attributes };
  if (!isEmbed(attributes['src'] ?? '', embeds)) return { tagName, attribs: {} };
  return { tagName, attribs: { ...attributes, ...HTML_POLICY.frames } };
}
