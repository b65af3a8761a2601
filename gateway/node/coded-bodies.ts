import { LRUCache } from 'lru-cache';
import type { Coding } from '../content-coding.ts';
import type { Reply } from '../reply.ts';
import { SingleFlight } from '../single-flight.ts';
import { andThen, type Soon } from '../soon.ts';
import { compress } from './compress.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Bodies as they go out compressed, as many as fit into a number of bytes. Each is compressed once, on a
 * thread of its own, however many ask for it at once.
 */
export class CodedBodies {
  readonly #kept: LRUCache<string, Bytes>;
  readonly #coding = new SingleFlight<Bytes>();

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (body, key) => body.length + key.length + 200,
    });
  }

  /** Does to the body what the reply says has to be done. */
  finish(reply: Reply): Soon<Reply> {
    const { toCode } = reply;
    if (!toCode) return reply;
    const { coding, body, etag } = toCode;
    const coded = this.#kept.get(etag) ?? this.#coding.run(etag, () => this.#code(etag, coding, body));
    return andThen(coded, (bytes) => finished(reply, coding, bytes));
  }

  async #code(etag: string, coding: Coding, body: Bytes): Promise<Bytes> {
    const coded = await compress(coding, body);
    this.#kept.set(etag, coded);
    return coded;
  }
}

function finished({ status, headers, body }: Reply, coding: Coding, coded: Bytes): Reply {
  const length = ['Content-Encoding', coding, 'Content-Length', String(coded.length)];
  return { status, headers: [...headers, ...length], body: body && coded };
}
