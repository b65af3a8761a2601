import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request from a browser, as received. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Undefined until answered, or if the browser cancelled it. */
  status: number | undefined;
}

/** A proxy between a browser and the API. It sees which requests arrive. */
export interface ApiProxy {
  readonly url: string;
  readonly seen: Seen[];
  /** Where requests go. */
  upstream: string;
  /** Returns an article's HTML for a path and query, instead of the API's; undefined: unchanged. */
  content(url: string): string | undefined;
  close(): Promise<void>;
}

export async function startApiProxy(upstream: string): Promise<ApiProxy> {
  const server = createServer((message, response) => pass(message, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: ApiProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    upstream,
    content: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function pass(message: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = message;
    const entry: Seen = { method, url, headers, status: undefined };
    proxy.seen.push(entry);
    const forwarded = { ...headers, connection: 'close' };
    const onward = request(proxy.upstream + url, { method, headers: forwarded }, (reply) => {
      entry.status = reply.statusCode;
      const content = proxy.content(url);
      if (content === undefined) {
        response.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(response);
        return;
      }
      reply.resume();
      const article = {
        ...{ slug: 's', title: 'T', content, tags: [], published_at: '2026-05-01T09:30:00+02:00' },
        ...{ description: null, cover: null, category: null, author: null, url: 'https://blog.example/s' },
      };
      const { 'content-length': _, 'content-encoding': __, ...rest } = reply.headers;
      response.writeHead(200, rest).end(JSON.stringify({ success: true, data: article }));
    });
    onward.on('error', () => response.destroy());
    onward.end();
  }
  return proxy;
}
