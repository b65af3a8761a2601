import { ByteCache } from '../byte-cache.ts';

const TEXT_BYTES = 4 * 2 ** 20;
/** Such a text is made each time, as for errors: 0.2 µs. */
const SMALL_BYTES = 512;
/** Longer ones gain nothing: Node copies a text of more than 16 kB again. */
const BODY_BYTES = 15_000;
const OVERHEAD_BYTES = 300;

/**
 * The bodies that are sent most, as texts of one character for each byte. Node sends such a text in one piece with the headers,
 * and a buffer as a second one: 1.2 of 25 µs of a cached answer.
 */
export class RepeatedBodies {
  /** By the entity tag, which is a hash of the body. */
  readonly #texts = new ByteCache<string>(TEXT_BYTES);

  /** The body as text; undefined: send the bytes. @param etag of these bytes; null: none */
  getText(body: Uint8Array<ArrayBuffer>, etag: string | null): string | undefined {
    if (body.length <= SMALL_BYTES) return oneByteText(body);
    if (etag === null || body.length > BODY_BYTES) return undefined;
    const known = this.#texts.get(etag);
    if (known !== undefined) return known;
    const size = body.length + OVERHEAD_BYTES;
    if (!this.#texts.admits(etag, size)) return undefined;
    const text = oneByteText(body);
    this.#texts.set(etag, text, size);
    return text;
  }
}

function oneByteText({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}
