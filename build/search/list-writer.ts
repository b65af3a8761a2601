import { listCode } from '../../contract/search/postings.ts';
import type { BitWriter } from './bit-writer.ts';

/**
 * Writes a list in the format of contract/search/postings.ts.
 *
 * @param members ascending
 * @param all greater than any member
 */
export function writeList(writer: BitWriter, members: Uint32Array, all: number): void {
  const { isInverted, width } = listCode(members.length, all);
  const mask = (1 << width) - 1;
  const listed = isInverted ? complement(members, all) : members;
  let next = 0;
  for (let i = 0; i < listed.length; i++) {
    const gap = listed[i]! - next;
    next = listed[i]! + 1;
    writer.writeUnary(gap >>> width);
    if (width > 0) writer.write(gap & mask, width);
  }
}

/** The size of a list in bits. */
export function listLength(members: Uint32Array, all: number): number {
  const { isInverted, width } = listCode(members.length, all);
  const listed = isInverted ? complement(members, all) : members;
  let bits = listed.length * (width + 1);
  let next = 0;
  for (let i = 0; i < listed.length; i++) {
    bits += (listed[i]! - next) >>> width;
    next = listed[i]! + 1;
  }
  return bits;
}

function complement(members: Uint32Array, all: number): Uint32Array {
  const others = new Uint32Array(all - members.length);
  for (let i = 0, at = 0, member = 0; member < all; member++) {
    if (members[i] === member) i += 1;
    else others[at++] = member;
  }
  return others;
}
