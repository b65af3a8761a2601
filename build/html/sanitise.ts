import sanitizeHtml from 'sanitize-html';
import { absolute } from './address.ts';
import { sanitisePlain } from './plain.ts';
import { HTML_POLICY } from './policy.ts';

/**
 * An article's body, safe to put into a page of another site: only what HTML_POLICY allows, and every
 * address absolute.
 *
 * @param html as the author wrote it
 * @param base the article's own URL, from which relative addresses are taken
 */
export function sanitise(html: string, base: string): string {
  return sanitisePlain(html, base) ?? sanitiseByLibrary(html, base);
}

/** The same for any HTML, however broken, by the library that decides what is safe. */
export function sanitiseByLibrary(html: string, base: string): string {
  return sanitizeHtml(html, {
    ...OPTIONS,
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: withAbsoluteAddresses(attribs, base) }),
    },
  });
}

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: HTML_POLICY.tags,
  allowedAttributes: HTML_POLICY.attributes,
  allowedClasses: { '*': HTML_POLICY.classes },
  allowedStyles: { '*': HTML_POLICY.styles },
  allowedSchemes: HTML_POLICY.schemes,
  allowedSchemesByTag: { img: HTML_POLICY.schemesOfImages },
  allowedSchemesAppliedToAttributes: HTML_POLICY.addresses,
  allowProtocolRelative: false,
  allowedIframeHostnames: HTML_POLICY.embeds,
  allowIframeRelativeUrls: false,
  nonTextTags: HTML_POLICY.withoutText,
  exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && !attribs['src'],
};

const addresses = new Set(HTML_POLICY.addresses);

function withAbsoluteAddresses(attributes: sanitizeHtml.Attributes, base: string): sanitizeHtml.Attributes {
  for (const name in attributes) {
    const address = attributes[name];
    if (address !== undefined && addresses.has(name)) attributes[name] = absolute(address, base);
  }
  return attributes;
}
