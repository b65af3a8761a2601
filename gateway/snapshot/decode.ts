import { decodeRanks, decodeViews } from '../../contract/columns.ts';
import { type Directory, parseDirectory } from '../../contract/directory.ts';
import { parseNames } from '../../contract/name-table.ts';
import type { ObjectKind } from '../../contract/object-kinds.ts';
import type { ObjectHash } from '../../contract/object-name.ts';
import { decodePage, type SplitSummary, splitAtViews } from '../../contract/pages.ts';
import { decodeSet } from '../../contract/positions.ts';
import { decodePart } from '../../contract/search-index.ts';
import { PositionSet } from '../listing/position-set.ts';
import { WordIndex } from '../listing/word-index.ts';

/** What each kind of object is once read. Ready answers stay bytes. */
export interface Decoded {
  directory: Directory;
  names: ReadonlyMap<string, ObjectHash>;
  post: Uint8Array<ArrayBuffer>;
  page: readonly SplitSummary[];
  views: Float64Array;
  popular: Uint32Array;
  set: PositionSet;
  search: WordIndex;
  author: Uint8Array<ArrayBuffer>;
  authors: readonly string[];
  categories: Uint8Array<ArrayBuffer>;
  tags: Uint8Array<ArrayBuffer>;
  overview: Uint8Array<ArrayBuffer>;
  file: Uint8Array<ArrayBuffer>;
}

const decoder = new TextDecoder();
const asIs = (bytes: Uint8Array<ArrayBuffer>) => bytes;
const fromText =
  <T>(decode: (text: string) => T) =>
  (bytes: Uint8Array<ArrayBuffer>) =>
    decode(decoder.decode(bytes));

const DECODERS: { readonly [Kind in ObjectKind]: (bytes: Uint8Array<ArrayBuffer>) => Decoded[Kind] } = {
  directory: fromText(parseDirectory),
  names: fromText((text) => new Map(parseNames(text))),
  post: asIs,
  page: fromText((text) => decodePage(text).map(splitAtViews)),
  views: fromText(decodeViews),
  popular: fromText(decodeRanks),
  set: fromText((text) => new PositionSet(decodeSet(text))),
  search: (bytes) => new WordIndex(decodePart(bytes)),
  author: asIs,
  authors: fromText(decodePage),
  categories: asIs,
  tags: asIs,
  overview: asIs,
  file: asIs,
};

/**
 * Reads an object of the store.
 *
 * @throws what a decoder throws where the bytes are no such object
 */
export function decodeObject<Kind extends ObjectKind>(
  kind: Kind,
  bytes: Uint8Array<ArrayBuffer>,
): Decoded[Kind] {
  return DECODERS[kind](bytes);
}
