/**
 * Content codings (RFC 9110, 12.5.3): which one a client prefers, and the entity tags of coded bodies. A coded body is
 * another representation, so it has a tag of its own (8.8.3.3): that of the body as it is, and a suffix.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Cache } from '../cache.ts';
import type { Reply } from '../reply.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';

/** The codings there are, the better one first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/**
 * The coding that a client likes best, of those there are; null: none. Where it likes two alike, the one that
 * makes bodies smaller.
 *
 * @param acceptEncoding the header's value
 */
export function preferredCoding(acceptEncoding: string | undefined): Coding | null {
  if (acceptEncoding === undefined) return null;
  let preferred = known.get(acceptEncoding);
  if (preferred === undefined) {
    preferred = chooseCoding(acceptEncoding);
    if (known.size < KNOWN) known.set(acceptEncoding, preferred);
  }
  return preferred;
}

/** Clients send few values, and always the same. */
const known = new Map<string, Coding | null>();
const KNOWN = 100;

const WEIGHT = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

function chooseCoding(acceptEncoding: string): Coding | null {
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name === 'x-gzip' ? 'gzip' : name, WEIGHT.test(weight) ? Number(weight) : 0);
  }
  let best: Coding | null = null;
  // Not to be coded is always acceptable, but preferred only where the client says so.
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
 * The value of If-Match or If-None-Match as the core knows its tags, weak ones and lists too: `"abc-br"` → `"abc"`. The
 * tags of another coding stay, and match nothing.
 */
export function withoutCoding(tags: string | undefined, coding: Coding | null): string | undefined {
  return coding === null ? tags : tags?.replaceAll(`-${coding}"`, '"');
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Smaller bodies are sent as they are: what coding would save, its header and the client's work take again. */
const LEAST_BYTES = 1024;

/**
 * A step further makes bodies a tenth smaller at twice the time; from 10 on, 2 % at twenty times. Measured on
 * lists and articles of 3 to 100 kB.
 */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

/** Each on a thread of its own. */
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

/** Gives a reply as a client gets it that prefers a coding; a 304 or 412 gets the tag that a 200 would have. */
export type Encode = (reply: Reply, coding: Coding | null) => MaybePromise<Reply>;

/** @param maxBytes of compressed bodies that are kept. Each is compressed once, however many ask for it at once. */
export function createEncode(maxBytes: number): Encode {
  const kept = new Cache<Bytes>(maxBytes, ({ length }) => length);
  return (reply, coding) => {
    const { representation, status } = reply;
    if (coding === null || !representation?.etag || representation.body.length < LEAST_BYTES) return reply;
    const etag = codedTag(representation.etag, coding);
    if (status !== 200) return { ...reply, headers: replaced(reply.headers, { ETag: etag }) };

    const coded = kept.get(etag, () => COMPRESSORS[coding](representation.body));
    return andThen(coded, (body) => ({
      status,
      headers: [
        ...replaced(reply.headers, { ETag: etag, 'Content-Length': String(body.length) }),
        ...['Content-Encoding', coding],
      ],
      body,
    }));
  };
}

/** Headers, names and values in turn, some with other values. */
function replaced(headers: readonly string[], values: Readonly<Record<string, string>>): string[] {
  return headers.map((text, i) => (i % 2 === 1 ? (values[headers[i - 1] ?? ''] ?? text) : text));
}
