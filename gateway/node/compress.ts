import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from '../content-coding.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A step further makes bodies a tenth smaller at twice the time; from 10 on, 2 % at twenty times. Measured on
 * lists and articles of 3 to 100 kB.
 */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

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

/** Compresses a text, on a thread of its own. */
export function compress(coding: Coding, body: Bytes): Promise<Bytes> {
  return COMPRESSORS[coding](body);
}
