/**
 * Content codings (RFC 9110, 12.5.3): negotiation, and the entity tags of encoded bodies. An encoded body is another
 * representation, so it has its own tag (8.8.3.3): the tag of the plain body with a suffix.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Cache } from '../cache.ts';
import type { Reply } from '../reply.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';

/** Supported codings, the better one first. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

/** Longer headers are not read, and the answer has no coding. Browsers send some 30 characters. */
const ACCEPTED_MAX = 1024;

const WEIGHT = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/**
 * The supported coding that a client prefers; null: none. On a tie, the one with smaller bodies.
 *
 * @param acceptEncoding the header's value
 */
export function preferredCoding(acceptEncoding: string | undefined): Coding | null {
  if (acceptEncoding === undefined || acceptEncoding.length > ACCEPTED_MAX) return null;
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name === 'x-gzip' ? 'gzip' : name, WEIGHT.test(weight) ? Number(weight) : 0);
  }
  let best: Coding | null = null;
  // No coding is always acceptable, but preferred only if the client says so.
  let most = weights.get('identity') ?? 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight === 0 || weight < most || (weight === most && best !== null)) continue;
    [best, most] = [coding, weight];
  }
  return best;
}

/** `"abc"` → `"abc-br"` */
function codedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)}-${coding}"`;
}

/**
 * Removes the coding's suffix from the tags of If-Match or If-None-Match: `"abc-br"` → `"abc"`. Tags of another coding
 * remain, and match nothing.
 */
export function withoutCoding(tags: string | undefined, coding: Coding | null): string | undefined {
  return coding === null ? tags : tags?.replaceAll(`-${coding}"`, '"');
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Smaller bodies are not encoded: it would save nothing. */
const LEAST_BYTES = 1024;

/**
 * Quality 6 makes bodies a tenth smaller in twice the time; 10 and more, 2 % in twenty times. Measured on lists and articles
 * of 3 to 100 kB.
 */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

/** They run on the thread pool. */
const COMPRESSORS: Readonly<Record<Coding, (body: Bytes) => Promise<Bytes>>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => promisify(gzip)(body, { level: GZIP_LEVEL }),
};

/** Encodes a reply; a 304 or 412 gets the tag of the corresponding 200. */
export type Encode = (reply: Reply, coding: Coding | null) => MaybePromise<Reply>;

/**
 * A list from the cache takes 0.7 µs instead of 228.
 *
 * @param maxBytes of cached encoded bodies; concurrent requests share one compression
 */
export function createEncode(maxBytes: number): Encode {
  const kept = new Cache<Bytes>(maxBytes, ({ length }) => length);
  return (reply, coding) => {
    const { representation, status } = reply;
    if (coding === null || !representation?.etag || representation.body.length < LEAST_BYTES) return reply;
    const etag = codedTag(representation.etag, coding);
    if (status !== 200) return { ...reply, headers: replaced(reply.headers, { ETag: etag }) };

    // Copied: zlib gives a part of a buffer of up to 64 kB, which would all stay in memory.
    const coded = kept.get(etag, async () => new Uint8Array(await COMPRESSORS[coding](representation.body)));
    return andThen(coded, (body) => ({
      status,
      headers: [
        ...replaced(reply.headers, { ETag: etag, 'Content-Length': String(body.length) }),
        ...['Content-Encoding', coding],
      ],
      body,
      representation: { body, etag },
    }));
  };
}

/** Headers (names and values in turn) with some values replaced. */
function replaced(headers: readonly string[], values: Readonly<Record<string, string>>): string[] {
  return headers.map((text, i) => (i % 2 === 1 ? (values[headers[i - 1] ?? ''] ?? text) : text));
}
