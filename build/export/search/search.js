/**
 * Searches an exported blog from its files alone, in a browser or elsewhere: it finds exactly what `q` finds. Written from
 * docs/contributors/search-index.md, which explains each step.
 */
/** @import { Found, Index, ReadFile, Summary } from './search.d.ts' */
const LEAF = 8;
/** @type {Found} */
const NOWHERE = { positions: [], state: 'sure' };

export class Search {
  #read;
  #index;
  /** @type {Map<string, Promise<Summary[]>>} */
  #pages = new Map();

  /** @param {ReadFile} read @param {Index} index */
  constructor(read, index) {
    this.#read = read;
    this.#index = index;
  }

  static async open(read = readNextToThis) {
    return new Search(read, /** @type {Index} */ (json(await read('index.json'))));
  }

  /** @param {string} q */
  async query(q, { page = 1, perPage = 15 } = {}) {
    if (!(page >= 1 && perPage >= 1)) throw new RangeError('page and perPage count from 1.');
    const found = (await this.find(q)).reverse();
    const items = found.slice((page - 1) * perPage, page * perPage).map((position) => this.summary(position));
    return { total: found.length, items: await Promise.all(items) };
  }

  /** @param {string} q */
  async find(q) {
    const { posts, suffixes } = this.#index;
    const indexed = suffixes.length === 0 ? 0 : posts - (posts % 250);
    const terms = normal(q).split(/\s+/u).filter(Boolean);
    /** @param {number} position */
    const holdsAll = async (position) => {
      const { title, description, tags } = await this.summary(position);
      const texts = [title, description ?? '', ...tags].map(normal);
      return terms.every((term) => texts.some((text) => text.includes(term)));
    };
    const answers = terms.map(async (term) => {
      const object = suffixes.findLast(([first]) => compare([...first], [...term]) <= 0);
      return object ? findIn(await this.#read(`suffixes/${object[1]}`), [...term], indexed) : NOWHERE;
    });
    let found = numbers(0, indexed);
    const states = new Set();
    for (const { positions, state } of await Promise.all(answers)) {
      const own = new Set(positions);
      found = found.filter((position) => own.has(position));
      states.add(state);
    }
    if (states.has('open')) found = await filter(found, holdsAll);
    else if (states.has('unread') && found[0] !== undefined && !(await holdsAll(found[0]))) found = [];
    return [...found, ...(await filter(numbers(indexed, posts), holdsAll))];
  }

  /** @param {number} position */
  async summary(position) {
    const hash = this.#index.pages[Math.floor(position / 50)] ?? '';
    const read = async () => /** @type {Summary[]} */ (json(await this.#read(`pages/${hash}.json`)));
    const page = this.#pages.get(hash) ?? read();
    this.#pages.set(hash, page);
    const summary = (await page)[position % 50];
    if (!summary) throw new RangeError(`There is no post at position ${position}.`);
    return summary;
  }
}

/** @type {ReadFile} */
async function readNextToThis(path) {
  const response = await fetch(new URL(path, import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** @param {Uint8Array} bytes @returns {unknown} */
const json = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
/** @param {string} text */
const normal = (text) => text.normalize('NFKC').toLowerCase();
/** @param {number} start @param {number} end */
const numbers = (start, end) => Array.from({ length: end - start }, (_, i) => start + i);

/** @param {number[]} list @param {(one: number) => Promise<boolean>} keep */
async function filter(list, keep) {
  const kept = await Promise.all(list.map(keep));
  return list.filter((_, i) => kept[i]);
}

/** Compares characters by code point. @param {string[]} a @param {string[]} b */
function compare(a, b) {
  const at = a.findIndex((character, i) => character !== b[i]);
  if (at < 0) return a.length - b.length;
  return (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? -1);
}

/** Reads bits, the lowest of each byte first. */
class Bits {
  #bytes;
  at = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  bit() {
    const byte = this.#bytes[this.at >> 3];
    if (byte === undefined) throw new RangeError('The object ends too soon.');
    return (byte >> (this.at++ & 7)) & 1;
  }

  /** @param {number} count */
  bits(count) {
    let value = 0;
    for (let i = 0; i < count; i++) value += this.bit() << i;
    return value;
  }

  zeros() {
    for (let zeros = 0; ; zeros++) if (this.bit() === 1) return zeros;
  }

  /** @param {number} width */
  number(width) {
    const count = width + this.zeros();
    return 2 ** count + this.bits(count) - 2 ** width;
  }

  /** @returns {number} */
  length() {
    const byte = this.bits(8);
    return byte < 128 ? byte : byte - 128 + 128 * this.length();
  }

  /** @param {number} count @param {number} all */
  list(count, all) {
    const others = 2 * count > all;
    const size = others ? all - count : count;
    const k = size === 0 ? 0 : Math.max(0, Math.floor(Math.log2(Math.floor((2 * all) / (3 * size)))));
    /** @type {Set<number>} */
    const listed = new Set();
    for (let last = -1, i = 0; i < size; i++) listed.add((last += 1 + this.zeros() * 2 ** k + this.bits(k)));
    return others ? numbers(0, all).filter((i) => !listed.has(i)) : [...listed];
  }
}

/** Finds a term in an object. @param {Uint8Array} bytes @param {string[]} term @param {number} indexed */
function findIn(bytes, term, indexed) {
  const bits = new Bits(bytes);
  /** @type {string[]} */
  let text = [];
  let entry = { count: 0, list: 0, tree: 0, end: 0 };
  let best = { ...entry, length: 0 };
  while (bits.at < 8 * bytes.length) {
    text = text.slice(0, bits.length());
    for (let added = bits.length(); added > 0; added--) text.push(String.fromCodePoint(bits.length()));
    const count = bits.length();
    if (count > 0) {
      const [listBytes, treeBytes] = [bits.length(), bits.length()];
      const list = bits.at / 8;
      entry = { count, list, tree: list + listBytes, end: list + listBytes + treeBytes };
      bits.at = 8 * entry.end;
    }
    if (text.length > best.length && text.every((character, i) => character === term[i]))
      best = { ...entry, length: text.length };
  }
  if (best.length === 0) return NOWHERE;
  bits.at = 8 * best.list;
  const positions = bits.list(best.count, indexed);
  const rest = term.slice(best.length);
  if (rest.length > 0 && positions.length > LEAF && best.tree === best.end) return NOWHERE;
  bits.at = 8 * best.tree;
  return follow(bits, positions, rest, true);
}

/** Follows a term from a node. @param {Bits} bits @param {number[]} positions @param {string[]} term @param {boolean} isSure @returns {Found} */
function follow(bits, positions, term, isSure) {
  if (positions.length <= LEAF) return { positions, state: isSure && term.length === 0 ? 'sure' : 'open' };
  if (term.length === 0) return { positions, state: isSure ? 'sure' : 'unread' };
  const length = bits.number(0);
  const label = length > 16 ? undefined : numbers(0, length).map(() => String.fromCodePoint(bits.number(6)));
  if (label?.some((character, i) => i < term.length && character !== term[i])) return NOWHERE;
  const isKnown = isSure && label !== undefined;
  if (length >= term.length) return { positions, state: isKnown ? 'sure' : 'unread' };

  let [point, large, skipped] = [-1, 0, 0];
  /** @type {number[] | undefined} */
  let chosen;
  for (let children = bits.number(0); children > 0; children--) {
    point = point < 0 ? bits.number(6) : point + 1 + bits.number(2);
    const count = bits.number(0) + 1;
    if (count > 64) bits.number(8);
    const list = bits.list(count, positions.length);
    if (String.fromCodePoint(point) === term[length]) {
      chosen = list.map((rank) => positions[rank] ?? 0);
      skipped = large;
    }
    if (count > LEAF) large += 1;
  }
  if (!chosen) return NOWHERE;
  bits.at = 8 * Math.ceil(bits.at / 8);
  if (chosen.length > LEAF) {
    for (; skipped > 0; skipped--) bits.at = 8 * bits.length() + bits.at;
    bits.length();
  }
  return follow(bits, chosen, term.slice(length + 1), isKnown);
}
