import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request through a proxy. */
export interface Seen {
  readonly method: string;
  /** Including the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** What a proxy does instead of forwarding a request. */
export type Fault =
  /** Responds with this. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** `reset`: closes the connection; `hang`: never answers; `lose`: forwards it and drops the response. */
  | 'reset'
  | 'hang'
  | 'lose';

export interface Proxy {
  /** The endpoint's URL with the proxy's own address. */
  readonly endpoint: string;
  readonly seen: Seen[];
  /** Chooses the fault for a request; initially none. */
  fault: (seen: Seen) => Fault | undefined | Promise<Fault | undefined>;
  /** Changes bodies on their way to the service. */
  corrupt: (body: Buffer) => Buffer;
  /** Paths of uploaded files, below the bucket. */
  puts(): string[];
  /** Closes all connections, including those of hanging requests. */
  breakConnections(): void;
  close(): Promise<void>;
}

/** A proxy in front of an endpoint that counts requests and causes faults. */
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
      outgoing
        .writeHead(fault.status, fault.headers)
        .end(fault.body ?? '<Error><Code>Injected</Code></Error>');
      return;
    }
    // Headers are forwarded unchanged, including the host, which is signed.
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

/** Runs `action` before the first request that matches is forwarded. Returns whether it has run. */
export function beforeFirst(
  proxy: Proxy,
  matches: (seen: Seen) => boolean,
  action: () => Promise<unknown>,
): () => boolean {
  let hasRun = false;
  proxy.fault = async (seen) => {
    if (!hasRun && matches(seen)) {
      hasRun = true;
      await action();
    }
    return undefined;
  };
  return () => hasRun;
}

/** A proxy until the end of the test. */
export async function proxied(endpoint: string): Promise<Proxy> {
  const proxy = await startProxy(endpoint);
  onTestFinished(() => proxy.close());
  return proxy;
}
