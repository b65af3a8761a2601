import sanitizeHtml from 'sanitize-html';
import { isLazyAddress, NO_FILE } from '../../common/content/lazy-attributes.ts';
import { absolute, isEmbed } from './address.ts';
import { asBrowsersRead, NEEDS_PREPARING, prepared, withoutTexts } from './browser-tree.ts';
import { type HtmlAdditions, HTML_POLICY, isNumberAllowed, NO_ADDITIONS, withAdditions } from './policy.ts';
import { findBackground, findRemoval, missingIn, type Removals } from './removals.ts';
import { findShownAddress, sourceAddress } from './shown-address.ts';
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
    const report = (kind: string): void => {
      removals[kind] = (removals[kind] ?? 0) + 1;
    };
    const text = withoutControls(html);
    let clean = sanitised(NEEDS_PREPARING.test(text) ? prepared(text, report) : text, report);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const tags = withoutTexts(clean);
      if (asBrowsersRead(tags) === tags) return { html: clean, removals };
      clean = sanitised(asBrowsersRead(clean), () => undefined);
    }
    throw new ArticleTooComplex(
      'browsers parse its elements differently: close each element inside its parent',
    );

    function sanitised(written: string, reportRemoval: (kind: string) => void): string {
      const counter = new ElementCounter();
      /** In the sources of the `picture` that is open. */
      let ofPicture: string | undefined;
      return sanitizeHtml(written, {
        ...OPTIONS,
        allowedClasses: { '*': [...classes] },
        onOpenTag: () => counter.enter(),
        onCloseTag: () => counter.leave(),
        transformTags: {
          '*': (tagName, attributes) => {
            const ofSource = tagName === 'source' ? sourceAddress(attributes) : undefined;
            ofPicture = ofSource ?? ofPicture;
            if (ofSource !== undefined) return { tagName, attribs: {} };
            const kept = transformTag(
              tagName,
              attributes,
              base,
              embeds,
              tagName === 'img' ? ofPicture : undefined,
            );
            if (tagName === 'picture' || tagName === 'img') ofPicture = undefined;
            const kinds = isRemoved(kept)
              ? [findRemoval(tagName, attributes)]
              : missingIn(kept.tagName, kept.attribs);
            for (const kind of kinds) if (kind !== undefined) reportRemoval(kind);
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

function withoutControls(html: string): string {
  return html.replace(/\r\n?/g, '\n').replaceAll('\f', ' ').replace(CONTROLS, '');
}

const tags = [...HTML_POLICY.tags, ...HTML_POLICY.formulas];
const allowedTags = new Set(tags);

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: tags,
  allowedAttributes: HTML_POLICY.attributes,
  allowedStyles: { '*': HTML_POLICY.styles },
  allowedSchemes: HTML_POLICY.schemes,
  allowedSchemesByTag: HTML_POLICY.schemesByTag,
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

/** Elements with a file in `src`. */
const MEDIA = new Set(['img', 'iframe', 'video', 'audio', 'source']);
/** WordPress's cover has its image as a background where it does not scroll with the page. */
const COVER = /(?:^|\s)wp-block-cover(?:__image-background|-image)?(?:\s|$)/;

/** @param ofPicture as in findShownAddress */
function transformTag(
  tagName: string,
  attributes: sanitizeHtml.Attributes,
  base: string,
  embeds: readonly string[],
  ofPicture?: string,
): sanitizeHtml.Tag {
  // lozad puts the image into a `picture` that has none.
  const background = tagName === 'picture' ? attributes['data-iesrc'] : findBackground(attributes);
  const isCover = tagName === 'picture' || COVER.test(attributes['class'] ?? '');
  if (isCover && tagName !== 'img' && /^https?:/i.test(absolute('img', background ?? '#', base))) {
    const { style: _, 'data-alt': text = '', 'aria-label': alt = text, ...others } = attributes;
    return transformTag('img', { ...others, src: background ?? '', alt }, base, embeds);
  }
  const { poster = '', 'data-poster': later = '' } = attributes;
  if (tagName === 'video' && NO_FILE.test(poster) && isLazyAddress(later)) attributes['poster'] = later;
  const shown = MEDIA.has(tagName) ? findShownAddress(attributes, ofPicture) : undefined;
  if (shown !== undefined) attributes['src'] = shown;
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
