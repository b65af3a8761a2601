import { createReadStream } from 'node:fs';
import { NotAnExport } from '../errors.ts';
import {
  childElements,
  childrenNamed,
  childText,
  rawText,
  readXml,
  type XmlElement,
  type XmlEnd,
} from '../xml/elements.ts';
import { xmlText } from '../xml/text.ts';
import type { Item, ItemTerm } from './item.ts';

/** The content of an export, in the order of the file. */
type ExportEntry =
  | { readonly kind: 'channel'; readonly field: string; readonly text: string }
  | { readonly kind: 'author'; readonly login: string; readonly name: string }
  | { readonly kind: 'item'; readonly item: Item }
  /** Always last. */
  | { readonly kind: 'end'; readonly end: End };

export interface End extends XmlEnd {
  /** Whether anything in it has one of WordPress's names. */
  readonly isWordPress: boolean;
  /** The first text of the file: it shows what the file is if it is not an export. */
  readonly beginning: string;
}

const SHAPE = {
  containers: new Set(['rss', 'channel']),
  records: new Set(['item']),
  ignored: new Set(['wp:comment']),
};

/**
 * Streams an export, with one item in memory at most, without its comments.
 *
 * @throws NotAnExport if the file is compressed, or its encoding unknown
 */
export async function* readExport(path: string): AsyncGenerator<ExportEntry> {
  let beginning = '';
  let isWordPress = false;
  for await (const entry of readXml(texts(), SHAPE)) {
    if (entry.kind === 'end') {
      yield { kind: 'end', end: { ...entry.end, isWordPress, beginning } };
      continue;
    }
    const { element } = entry;
    isWordPress ||= [element, ...childElements(element)].some(({ name }) => name.startsWith('wp:'));
    if (element.name === 'item') yield { kind: 'item', item: itemFrom(element, entry.kind === 'too large') };
    else if (element.name === 'wp:author')
      yield {
        kind: 'author',
        login: childText(element, 'wp:author_login'),
        name: childText(element, 'wp:author_display_name'),
      };
    else yield { kind: 'channel', field: element.name, text: rawText(element) };
  }

  async function* texts(): AsyncGenerator<string> {
    const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    for await (const text of xmlText(chunks, null, (why) => new NotAnExport(path, why))) {
      if (beginning.trim() === '') beginning = text.slice(0, 1000);
      yield text;
    }
  }
}

function itemFrom(element: XmlElement, isTooLarge: boolean): Item {
  const fields = new Map<string, string>();
  const terms: ItemTerm[] = [];
  const meta = new Map<string, string>();
  for (const child of childElements(element)) {
    if (child.name === 'wp:postmeta') {
      const key = childText(child, 'wp:meta_key');
      if (!meta.has(key)) meta.set(key, childrenNamed(child, 'wp:meta_value').map(rawText).join(''));
    } else if (child.name === 'category') {
      const { domain = 'category', nicename = '' } = child.attributes;
      terms.push({ domain, nicename, name: rawText(child) });
    } else if (!fields.has(child.name)) fields.set(child.name, rawText(child));
  }
  return { fields, terms, meta, isTooLarge };
}

/** Chunk size: V8 stores larger strings separately, and keeps them longer. */
const CHUNK_BYTES = 16 * 1024;
