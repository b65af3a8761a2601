import sanitizeHtml from 'sanitize-html';
import { HTML_POLICY } from './html-policy.ts';

const addresses = new Set(HTML_POLICY.addresses);

/**
 * An article's body, safe to put into a page of another site: only what HTML_POLICY allows, and every
 * address absolute.
 *
 * @param html as the author wrote it
 * @param base the article's own URL, from which relative addresses are taken
 */
export function sanitise(html: string, base: string): string {
  return sanitizeHtml(html, {
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
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'template',
      'title',
      'object',
      'svg',
      'math',
    ],
    exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && !attribs['src'],
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: withAbsoluteAddresses(attribs, base) }),
    },
  });
}

function withAbsoluteAddresses(attributes: sanitizeHtml.Attributes, base: string): sanitizeHtml.Attributes {
  for (const name in attributes) {
    const address = attributes[name];
    if (address !== undefined && addresses.has(name)) attributes[name] = absolute(address, base);
  }
  return attributes;
}

/** Fragments stay as they are: they lead to a place within the article, wherever it is shown. */
function absolute(address: string, base: string): string {
  if (address.startsWith('#') || /^https?:\/\//i.test(address)) return address;
  return URL.parse(address, base)?.href ?? '';
}
