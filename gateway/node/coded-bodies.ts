import { LRUCache } from 'lru-cache';
import type { Coding } from '../content-coding.ts';
import type { Reply } from '../reply.ts';
import type { Soon } from '../soon.ts';
import { compress } from './compress.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Bodies as they go out compressed, as many as fit into a number of bytes. Each is compressed once, on a
 * thread of its own, however many ask for it at once.
 */
export class CodedBodies {
  readonly #kept: LRUCache<string, Bytes>;
  readonly #underWay = new Map<string, Promise<Bytes>>();

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
    const coded = this.#kept.get(etag);
    return coded
      ? finished(reply, coding, coded)
      : this.#code(etag, coding, body).then((made) => finished(reply, coding, made));
  }

  #code(key: string, coding: Coding, body: Bytes): Promise<Bytes> {
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const compressing = compress(coding, body)
      .then((coded) => {
        this.#kept.set(key, coded);
        return coded;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, compressing);
    return compressing;
  }
}

function finished({ status, headers, body }: Reply, coding: Coding, coded: Bytes): Reply {
  const length = ['Content-Encoding', coding, 'Content-Length', String(coded.length)];
  return { status, headers: [...headers, ...length], body: body && coded };
}
