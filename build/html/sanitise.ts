import sanitizeHtml from 'sanitize-html';
import { absolute, isEmbed } from './address.ts';
import { plainSanitiser } from './plain.ts';
import { type HtmlAdditions, HTML_POLICY, NO_ADDITIONS, widened } from './policy.ts';

/**
 * An article's body, safe to put into a page of another site: only what HTML_POLICY and the owner's
 * additions allow, and every address absolute.
 *
 * @param html as the author wrote it
 * @param base the article's own URL, from which relative addresses are taken
 */
export type Sanitise = (html: string, base: string) => string;

/** What sanitises by the policy and what an owner adds to it. */
export function sanitiser(additions: HtmlAdditions): Sanitise {
  const plain = plainSanitiser(additions);
  const byLibrary = librarySanitiser(additions);
  return (html, base) => plain(html, base) ?? byLibrary(html, base);
}

/** The same for any HTML, however broken, by the library that decides what is safe. */
export function librarySanitiser(additions: HtmlAdditions): Sanitise {
  const { embeds, classes } = widened(additions);
  const options: sanitizeHtml.IOptions = {
    ...OPTIONS,
    exclusiveFilter: ({ tag, attribs }) => tag === 'iframe' && !isEmbed(attribs['src'] ?? '', embeds),
    allowedClasses: { '*': [...classes] },
  };
  return (html, base) =>
    sanitizeHtml(html, {
      ...options,
      transformTags: {
        '*': (tagName, attribs) => ({ tagName, attribs: withAbsoluteAddresses(tagName, attribs, base) }),
      },
    });
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
  // No browser shows it.
  textFilter: (text, tag) => (tag === 'iframe' ? '' : text),
};

/** By the policy alone. */
export const sanitise = sanitiser(NO_ADDITIONS);
export const sanitiseByLibrary = librarySanitiser(NO_ADDITIONS);

const addresses = new Set(HTML_POLICY.addresses);

function withAbsoluteAddresses(
  tag: string,
  attributes: sanitizeHtml.Attributes,
  base: string,
): sanitizeHtml.Attributes {
  for (const name in attributes) {
    const address = attributes[name];
    if (address !== undefined && addresses.has(name)) attributes[name] = absolute(tag, address, base);
  }
  return attributes;
}
