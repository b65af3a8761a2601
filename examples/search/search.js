/**
 * Searches a published blog from its files alone, in a browser or anywhere else: what `q` finds, exactly. Written from
 * docs/search-index.md, which explains each step.
 */

/** @typedef {(path: string) => Promise<Uint8Array>} ReadFile Reads a file of the output, `snapshot.json` or `objects/…`. */
/** @typedef {{ title: string, description: string | null, tags: string[], slug: string, url: string }} Summary */
/** @typedef {{ posts: number, pages: string[], suffixes: [first: string, hash: string][] }} Directory */
/**
 * The posts of a term. `open`: each may lack it. `unread`: all have it, or none.
 * @typedef {{ positions: number[], state: 'sure' | 'open' | 'unread' }} Found
 */

const LEAF = 8;

/** @type {Found} */
const NOWHERE = { positions: [], state: 'sure' };

export class Search {
  #read;
  #directory;
  /** @type {Map<string, Promise<Summary[]>>} */
  #pages = new Map();

  /** @param {ReadFile} read @param {Directory} directory */
  constructor(read, directory) {
    this.#read = read;
    this.#directory = directory;
  }

  /** Opens the snapshot that is published now. @param {ReadFile} read */
  static async open(read) {
    const { snapshot } = /** @type {{ snapshot: string }} */ (json(await read('snapshot.json')));
    const directory = json(await read(`${path('directory', snapshot)}.json`));
    return new Search(read, /** @type {Directory} */ (directory));
  }

  /**
   * The positions of the posts in which every term of `q` occurs, oldest first.
   *
   * @param {string} q
   */
  async find(q) {
    const { posts, suffixes } = this.#directory;
    const indexed = suffixes.length === 0 ? 0 : posts - (posts % 250);
    const terms = normal(q).split(/\s+/u).filter(Boolean);
    /** @param {number} position */
    const holdsAll = async (position) => {
      const { title, description, tags } = await this.summary(position);
      const texts = [title, description ?? '', ...tags].map(normal);
      return terms.every((term) => texts.some((text) => text.includes(term)));
    };
    const answers = await Promise.all(
      terms.map(async (term) => {
        const object = suffixes.findLast(([first]) => compare([...first], [...term]) <= 0);
        return object ? findIn(await this.#read(path('suffixes', object[1])), [...term], indexed) : NOWHERE;
      }),
    );
    let found = numbersFrom(0, indexed);
    for (const { positions } of answers) {
      const own = new Set(positions);
      found = found.filter((position) => own.has(position));
    }
    if (answers.some(({ state }) => state === 'open')) found = await filter(found, holdsAll);
    else if (answers.some(({ state }) => state === 'unread') && found[0] !== undefined) {
      if (!(await holdsAll(found[0]))) found = [];
    }
    return [...found, ...(await filter(numbersFrom(indexed, posts), holdsAll))];
  }

  /** The post at a position, as lists of the API show it, without its view count. @param {number} position */
  async summary(position) {
    const hash = this.#directory.pages[Math.floor(position / 50)] ?? '';
    const read = async () => /** @type {Summary[]} */ (json(await this.#read(`${path('page', hash)}.json`)));
    const page = this.#pages.get(hash) ?? read();
    this.#pages.set(hash, page);
    const summary = (await page)[position % 50];
    if (!summary) throw new RangeError(`There is no post at position ${position}.`);
    return summary;
  }
}

/** @param {string} kind @param {string} hash */
function path(kind, hash) {
  return `objects/${kind}/${hash.slice(0, 2)}/${hash}`;
}

/** @param {Uint8Array} bytes @returns {unknown} */
function json(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** @param {string} text */
function normal(text) {
  return text.normalize('NFKC').toLowerCase();
}

/** @param {number} start @param {number} end */
function numbersFrom(start, end) {
  return Array.from({ length: end - start }, (_, i) => start + i);
}

/** @param {number[]} list @param {(one: number) => Promise<boolean>} keep */
async function filter(list, keep) {
  const kept = await Promise.all(list.map(keep));
  return list.filter((_, i) => kept[i]);
}

/** Texts by code point. @param {string[]} a @param {string[]} b */
function compare(a, b) {
  const at = a.findIndex((character, i) => character !== b[i]);
  if (at < 0) return a.length - b.length;
  return (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? -1);
}

class Bits {
  #bytes;
  at = 0;
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }
  get isEnd() {
    return this.at >= 8 * this.#bytes.length;
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
    let zeros = 0;
    while (this.bit() === 0) zeros += 1;
    return zeros;
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
  toByte() {
    this.at = 8 * Math.ceil(this.at / 8);
  }
  /** @param {number} count @param {number} all */
  list(count, all) {
    const others = 2 * count > all;
    const size = others ? all - count : count;
    const k = size === 0 ? 0 : Math.max(0, Math.floor(Math.log2(Math.floor((2 * all) / (3 * size)))));
    /** @type {Set<number>} */
    const listed = new Set();
    for (let last = -1, i = 0; i < size; i++) listed.add((last += 1 + this.zeros() * 2 ** k + this.bits(k)));
    return others ? numbersFrom(0, all).filter((i) => !listed.has(i)) : [...listed];
  }
}

/** @param {Uint8Array} bytes of an object @param {string[]} term @param {number} indexed @returns {Found} */
function findIn(bytes, term, indexed) {
  const bits = new Bits(bytes);
  /** @type {string[]} */
  let text = [];
  let before = { count: 0, list: 0, tree: 0, end: 0 };
  let best = { ...before, length: 0 };
  while (!bits.isEnd) {
    text = text.slice(0, bits.length());
    for (let added = bits.length(); added > 0; added--) text.push(String.fromCodePoint(bits.length()));
    const count = bits.length();
    if (count > 0) {
      const [listBytes, treeBytes] = [bits.length(), bits.length()];
      const list = bits.at / 8;
      before = { count, list, tree: list + listBytes, end: list + listBytes + treeBytes };
      bits.at = 8 * before.end;
    }
    if (text.length > best.length && text.every((character, i) => character === term[i]))
      best = { ...before, length: text.length };
  }
  if (best.length === 0) return NOWHERE;
  bits.at = 8 * best.list;
  const positions = bits.list(best.count, indexed);
  const rest = term.slice(best.length);
  if (rest.length > 0 && positions.length > LEAF && best.tree === best.end) return NOWHERE;
  bits.at = 8 * best.tree;
  return follow(bits, positions, rest, true);
}

/** From a node on, along the rest of a term. @param {Bits} bits @param {number[]} positions @param {string[]} term @param {boolean} isSure @returns {Found} */
function follow(bits, positions, term, isSure) {
  if (positions.length <= LEAF) return { positions, state: isSure && term.length === 0 ? 'sure' : 'open' };
  if (term.length === 0) return { positions, state: isSure ? 'sure' : 'unread' };
  const length = bits.number(0);
  const label =
    length > 16 ? undefined : numbersFrom(0, length).map(() => String.fromCodePoint(bits.number(6)));
  if (label?.some((character, i) => i < term.length && character !== term[i])) return NOWHERE;
  const isKnown = isSure && label !== undefined;
  if (length >= term.length) return { positions, state: isKnown ? 'sure' : 'unread' };

  let point = -1;
  /** @type {number[] | undefined} */
  let chosen;
  let [large, skipped] = [0, 0];
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
  bits.toByte();
  if (chosen.length > LEAF) {
    for (; skipped > 0; skipped--) {
      const bytes = bits.length();
      bits.at += 8 * bytes;
    }
    bits.length();
  }
  return follow(bits, chosen, term.slice(length + 1), isKnown);
}
