import { isRecord } from '../../contract/json.ts';
import { escapeHtml } from '../../common/content/text.ts';
import { getDate, getText, type Item, updatedAt } from './item.ts';

/** The attributes of a block, or of a binding. */
export type Attributes = Readonly<Record<string, unknown>>;

/** The attributes of a block, from the text after its name; none if they are not JSON, as in WordPress. */
export function parseAttributes(rest: string): Attributes {
  try {
    return asRecord(JSON.parse(rest.replace(/\/$/, '')));
  } catch {
    return {};
  }
}

/** What a post has instead of a pattern's own texts, by name of the block: `{"Heading":{"content":"My own"}}`. */
export function getOverrides({ content, overrides }: Attributes): Attributes {
  const written = Object.entries(asRecord(content ?? overrides));
  // The Gutenberg plugin had `values` in between.
  return Object.fromEntries(written.map(([name, own]) => [name, asRecord(asRecord(own)['values'] ?? own)]));
}

/** Where the HTML of a block has an attribute: as the content of its first such element, or as an attribute of that. */
const PLACES: Readonly<
  Record<string, Readonly<Record<string, readonly [tags: string, attribute?: string]>>>
> = {
  paragraph: { content: ['p'] },
  heading: { content: ['h[1-6]'] },
  'list-item': { content: ['li'] },
  image: {
    url: ['img', 'src'],
    alt: ['img', 'alt'],
    title: ['img', 'title'],
    caption: ['figcaption'],
  },
  button: {
    text: ['a|button'],
    url: ['a', 'href'],
    linkTarget: ['a', 'target'],
    rel: ['a', 'rel'],
  },
};

/** A value of the post; null: the block shows its own; undefined: an export does not tell. */
export type PostValue = (source: string, args: Attributes) => string | null | undefined;

/**
 * A block's HTML with the values that its attributes are bound to: those of a pattern that the post overrides, custom
 * fields, or data of the post.
 *
 * @param overrides those of the pattern that the block is in
 */
export function withBindings(
  html: string,
  block: { readonly name: string; readonly attributes: Attributes },
  overrides: Attributes,
  postValue: PostValue,
  reportLoss: (what: string) => void,
): string {
  const metadata = asRecord(block.attributes['metadata']);
  const bindings = asRecord(metadata['bindings']);
  const own = asRecord(overrides[String(metadata['name'] ?? metadata['id'])]);
  let out = html;
  for (const [attribute, place] of Object.entries(PLACES[block.name] ?? {})) {
    const { source, args } = asRecord(bindings[attribute] ?? bindings['__default']);
    if (typeof source !== 'string') continue;
    const value = source === OVERRIDES ? own[attribute] : postValue(source, asRecord(args));
    if (typeof value === 'string') out = replaced(out, place, value);
    else if (value === undefined && source !== OVERRIDES) reportLoss(`binding ${source.slice(0, 100)}`);
  }
  return out;
}

const OVERRIDES = 'core/pattern-overrides';

/** What a binding to a post gives. Fields whose names begin with an underscore are not public. */
export function postValue(item: Item, source: string, args: Attributes): string | null | undefined {
  if (source === 'core/post-meta') {
    const { key } = args;
    if (typeof key !== 'string' || key.startsWith('_')) return null;
    const value = item.meta.get(key);
    return /^[aO]:\d+:/.test(value ?? '') ? undefined : value; // PHP's lists are no text.
  }
  if (source !== 'core/post-data') return undefined;
  const published = getDate(item);
  const changed = updatedAt(item);
  switch (args['field'] ?? args['key']) {
    case 'date':
      return published;
    case 'modified':
      return changed !== null && Date.parse(changed) > Date.parse(published) ? changed : '';
    case 'link':
      return getText(item, 'link');
    default:
      return null;
  }
}

const REST_OF_TAG = `\\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*>`;

function replaced(html: string, [tags, attribute]: readonly [string, string?], value: string): string {
  const open = new RegExp(`<(${tags})${REST_OF_TAG}`, 'i').exec(html);
  if (open === null) return html;
  const [tag, name = ''] = open;
  const start = open.index + tag.length;
  if (attribute === undefined) {
    const end = html.toLowerCase().lastIndexOf(`</${name.toLowerCase()}>`);
    return html.slice(0, start) + value + html.slice(end < start ? html.length : end);
  }
  const others = tag
    .slice(name.length + 1)
    .replace(new RegExp(`\\s${attribute}\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'i'), '');
  return `${html.slice(0, open.index)}<${name} ${attribute}="${escapeHtml(value)}"${others}${html.slice(start)}`;
}

function asRecord(value: unknown): Attributes {
  return isRecord(value) ? value : {};
}
