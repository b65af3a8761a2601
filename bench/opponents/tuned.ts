/**
 * The strongest opponent on Node: `node:http`, complete answers in an LRU, and the database of the live API behind it.
 * `tuned.ts DATABASE USAGE LIMITS` prints its address.
 */
import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import type { AddressInfo } from 'node:net';
import { LRUCache } from 'lru-cache';
import { PREFIX } from '../../contract/api.ts';
import { KEPT, meOf, NOT_KEPT } from './live/callers.ts';
import { openBlog } from './live/open.ts';
import type { Answer } from './live/posts.ts';

/** What Offprint's caches of objects and answers have together. */
const CACHE_BYTES = 44 * 2 ** 20;
const ENTRY_BYTES = 1000;

interface Ready {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: readonly string[];
}

const cache = new LRUCache<string, Ready>({
  maxSize: CACHE_BYTES,
  sizeCalculation: ({ body }) => body.length + ENTRY_BYTES,
});
const { posts, usage, callers } = openBlog(() => cache.clear());

const server = createServer((request, response) => {
  const { url = '' } = request;
  const isMe = url === `${PREFIX}/me`;
  const caller = callers.admit(request, isMe ? null : 'blog:read');
  const { refusal } = caller;
  if (refusal) {
    const { status, message, headers } = refusal;
    return send(status, [...NOT_KEPT, ...headers], JSON.stringify({ success: false, message }));
  }
  if (isMe) return send(200, NOT_KEPT, JSON.stringify({ success: true, data: meOf(caller) }));
  const ready = cache.get(url) ?? readyOf(url, answerTo(url));
  if (!ready) return send(404, NOT_KEPT, '{"success":false,"message":"There is nothing here."}');
  const isKnown = request.headers['if-none-match'] === ready.etag;
  return send(isKnown ? 304 : 200, ready.headers, isKnown ? '' : ready.body);

  function send(status: number, headers: readonly string[], body: Buffer | string): void {
    const length = ['Content-Length', `${Buffer.byteLength(body)}`];
    usage.whenSaved(() => {
      response.writeHead(status, [...headers, ...caller.headers, ...length]).end(body);
    });
  }
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});

function answerTo(url: string): Answer | undefined {
  const [path = '', query = ''] = url.split('?');
  if (path === `${PREFIX}/posts`) return posts.list(parse(query));
  return path.startsWith(`${PREFIX}/posts/`)
    ? posts.article(decodeURIComponent(path.slice(PREFIX.length + 7)))
    : undefined;
}

function readyOf(url: string, answer: Answer | undefined): Ready | undefined {
  if (!answer) return undefined;
  const { body, etag, link } = answer;
  const headers = [...KEPT, 'ETag', etag, ...(link === null ? [] : ['Link', link])];
  cache.set(url, { body, etag, headers });
  return { body, etag, headers };
}
