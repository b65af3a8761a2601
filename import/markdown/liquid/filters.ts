import { textOfHtml } from '../../../common/content/html-text.ts';
import { escapeHtml } from '../../../common/content/text.ts';

/** The site's settings for Jekyll's filters. */
export interface FilterSite {
  readonly url: string;
  readonly baseurl: string;
  readonly markdown: (text: string) => string;
}

type Filter = (value: unknown, ...args: unknown[]) => unknown;

/** Jekyll's own Liquid filters, which LiquidJS does not have, or which differ there. */
export function jekyllFilters({ url, baseurl, markdown }: FilterSite): Readonly<Record<string, Filter>> {
  const relative = (value: unknown): string => {
    const path = textOf(value);
    if (isAbsolute(path)) return path;
    const slashed = path === '' || path.startsWith('/') ? path : `/${path}`;
    return encodeURI(baseurl.replace(/\/$/, '') + slashed).replaceAll('%25', '%');
  };
  return {
    relative_url: relative,
    absolute_url: (value) => (isAbsolute(textOf(value)) ? textOf(value) : url + relative(value)),
    strip_index: (value) => textOf(value).replace(/\/index\.html?$/, '/'),
    markdownify: (value) => markdown(textOf(value)),
    smartify: (value) => value,
    scssify: () => '',
    sassify: () => '',
    slugify: (value, mode) => slugified(textOf(value), textOf(mode)),
    jsonify: (value) => JSON.stringify(value ?? null),
    xml_escape: (value) => escapeHtml(textOf(value)),
    cgi_escape: (value) => encodeURIComponent(textOf(value)).replaceAll('%20', '+'),
    uri_escape: (value) => encodeURI(textOf(value)),
    number_of_words: (value) => textOf(value).split(/\s+/).filter(Boolean).length,
    array_to_sentence_string: (value, word = 'and') => sentence(value, textOf(word)),
    normalize_whitespace: (value) => textOf(value).replace(/\s+/g, ' ').trim(),
    strip_html: (value) => textOfHtml(textOf(value)),
    to_integer: (value) => Math.trunc(Number(textOf(value))) || 0,
    inspect: (value) => JSON.stringify(value ?? null),
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function isAbsolute(address: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address);
}

const REPLACED: Readonly<Record<string, RegExp>> = {
  raw: /\s+/g,
  pretty: /[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+/gu,
  ascii: /[^A-Za-z\d]+/g,
};

function slugified(text: string, mode: string): string {
  if (mode === 'none') return text.toLowerCase();
  const replaced = REPLACED[mode] ?? /[^\p{M}\p{L}\p{Nd}]+/gu;
  return text.replace(replaced, '-').replace(/^-|-$/g, '').toLowerCase();
}

function sentence(value: unknown, word: string): string {
  const items = Array.isArray(value) ? value.map(textOf) : [textOf(value)];
  if (items.length <= 2) return items.join(` ${word} `);
  return `${items.slice(0, -1).join(', ')}, ${word} ${items.at(-1) ?? ''}`;
}
