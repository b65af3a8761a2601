import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request from a browser, as received. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Undefined until answered, or if the browser cancelled it. */
  status: number | undefined;
}

/** A proxy between a browser and the API. It sees which requests arrive. */
export class ApiProxy {
  url = '';
  readonly seen: Seen[] = [];
  /** Where requests go. */
  upstream = '';
  /** The HTML of each article, instead of the API's. */
  content: string | undefined;

  readonly #server = createServer((message, response) => {
    const { method = 'GET', url = '/', headers } = message;
    const entry: Seen = { method, url, headers, status: undefined };
    this.seen.push(entry);
    const forwarded = { ...headers, connection: 'close', 'accept-encoding': 'identity' };
    const onward = request(this.upstream + url, { method, headers: forwarded }, (reply) => {
      entry.status = reply.statusCode;
      const { 'content-length': _, ...rest } = reply.headers;
      response.writeHead(reply.statusCode ?? 500, rest);
      const isAltered = this.content !== undefined && /\/posts\/./.test(url);
      void text(reply).then((body) => response.end(isAltered ? this.#altered(body) : body));
    });
    onward.on('error', () => response.destroy());
    onward.end();
  });

  async start(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #altered(body: string): string {
    const answer: { data: object } = JSON.parse(body);
    return JSON.stringify({ ...answer, data: { ...answer.data, content: this.content } });
  }
}
