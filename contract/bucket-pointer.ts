/**
 * The file `snapshot.json` of a bucket: the pointer, and after a zero byte the pack with the objects that a cold gateway
 * needs first. They are replaced together, so one read finds both, and the pack is always that of the pointer's snapshot.
 *
 * JSON contains no zero byte. Without a pack, the file is the pointer alone.
 */

const END = 0x00;

/** @param pack see firstNeeded of pack.ts; null: none */
export function encodeBucketPointer(text: string, pack: Uint8Array | null): Uint8Array {
  const pointer = new TextEncoder().encode(text);
  if (!pack) return pointer;
  const bytes = new Uint8Array(pointer.length + 1 + pack.length);
  bytes.set(pointer);
  bytes[pointer.length] = END;
  bytes.set(pack, pointer.length + 1);
  return bytes;
}

/** The text of the pointer, and the bytes of the pack. */
export function splitBucketPointer<Memory extends ArrayBufferLike>(bytes: Uint8Array<Memory>) {
  const end = bytes.indexOf(END);
  return {
    text: new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end)),
    pack: end < 0 ? null : bytes.subarray(end + 1),
  };
}
