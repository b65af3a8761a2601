import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A request that went through a proxy. */
export interface Seen {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** What a proxy does to a request instead of passing it on. */
export type Fault =
  /** Answers so. */
  | { readonly status: number; readonly headers?: Record<string, string> }
  /** `reset`: breaks the connection; `hang`: never answers; `lose`: passes it on, and loses the answer. */
  | 'reset'
  | 'hang'
  | 'lose';

export interface Proxy {
  /** The endpoint's, with the proxy's own address. */
  readonly endpoint: string;
  readonly seen: Seen[];
  /** Decides what goes wrong; nothing at first. */
  fault: (seen: Seen) => Fault | undefined | Promise<Fault | undefined>;
  /** What becomes of bodies on their way to the service. */
  corrupt: (body: Buffer) => Buffer;
  /** Paths of the files that were put, below the bucket. */
  puts(): string[];
  /** Ends all connections, those of requests that hang among them. */
  breakConnections(): void;
  close(): Promise<void>;
}

/** Stands in front of an endpoint: counts requests, and does them harm. */
export async function startProxy(endpoint: string): Promise<Proxy> {
  const behind = new URL(endpoint);
  const folder = behind.pathname === '/' ? '' : behind.pathname;
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const proxy: Proxy = {
    endpoint: `http://127.0.0.1:${port}${folder}`,
    seen: [],
    fault: () => undefined,
    corrupt: (body) => body,
    puts: () =>
      proxy.seen.flatMap(({ method, url }) =>
        method === 'PUT' ? url.slice(folder.length).replace(/^\/[^/]+\//, '') : [],
      ),
    breakConnections: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming;
    const chunks: Buffer[] = [];
    incoming.on('error', () => undefined);
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const seen = { method, url, headers: incoming.headers };
    proxy.seen.push(seen);
    const fault = await proxy.fault(seen);
    if (fault === 'hang') return;
    if (fault === 'reset') return void incoming.socket.destroy();
    if (typeof fault === 'object') {
      outgoing.writeHead(fault.status, fault.headers).end('<Error><Code>Injected</Code></Error>');
      return;
    }
    // The headers go on as they came, the host among them: it is signed.
    const { hostname, port } = behind;
    const onwards = request({ hostname, port, method, path: url, headers: incoming.headers }, (answer) => {
      if (fault === 'lose') {
        answer.resume().on('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onwards.on('error', () => incoming.socket.destroy());
    onwards.end(proxy.corrupt(Buffer.concat(chunks)));
  }
}
