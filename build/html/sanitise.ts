import sanitizeHtml from 'sanitize-html';
import { absolute, isEmbed } from './address.ts';
import { type HtmlAdditions, HTML_POLICY, isNumberAllowed, NO_ADDITIONS, withAdditions } from './policy.ts';
import { ElementCounter } from './work-limits.ts';

/**
 * Makes an article's body safe for pages of other sites: it keeps only what HTML_POLICY and the owner's additions
 * allow, and makes every address absolute.
 *
 * @param html as the author wrote it
 * @param base the article's own URL, for relative addresses
 * @throws ArticleTooComplex
 */
export type Sanitise = (html: string, base: string) => string;

/** A sanitiser with the policy and an owner's additions. */
export function sanitiser(additions: HtmlAdditions): Sanitise {
  const { embeds, classes } = withAdditions(additions);
  return (html, base) => {
    const counter = new ElementCounter();
    return sanitizeHtml(html, {
      ...OPTIONS,
      allowedClasses: { '*': [...classes] },
      onOpenTag: () => counter.opened(),
      onCloseTag: () => counter.closed(),
      transformTags: {
        '*': (tagName, attributes) => transformTag(tagName, attributes, base, embeds),
      },
    });
  };
}

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: HTML_POLICY.tags,
  allowedAttributes: HTML_POLICY.attributes,
  allowedStyles: { '*': HTML_POLICY.styles },
  allowedSchemes: HTML_POLICY.schemes,
  allowedSchemesByTag: { img: HTML_POLICY.schemesOfImages },
  allowedSchemesAppliedToAttributes: HTML_POLICY.addresses,
  allowProtocolRelative: false,
  nonTextTags: HTML_POLICY.withoutText,
  // Browsers do not show it.
  textFilter: (text, tag) => (tag === 'iframe' ? '' : text),
  // A frame of another host. Renaming it to an element without text would rename the next end tag at its depth too.
  exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && attribs['src'] === undefined,
};

/** With the policy only. */
export const sanitise = sanitiser(NO_ADDITIONS);

const addresses = new Set(HTML_POLICY.addresses);

function transformTag(
  tagName: string,
  attributes: sanitizeHtml.Attributes,
  base: string,
  embeds: readonly string[],
): sanitizeHtml.Tag {
  for (const name in attributes) {
    const value = attributes[name];
    if (value === undefined) continue;
    // An empty address would become that of the article, which is no image.
    if (/^(?:src|poster)$/.test(name) && value.trim() === '') delete attributes[name];
    else if (addresses.has(name)) attributes[name] = absolute(tagName, value, base);
    else if (!isNumberAllowed(tagName, name, value)) delete attributes[name];
  }
  if (tagName !== 'iframe') return { tagName, attribs: attributes };
  if (!isEmbed(attributes['src'] ?? '', embeds)) return { tagName, attribs: {} };
  return { tagName, attribs: { ...attributes, ...HTML_POLICY.frames } };
}
