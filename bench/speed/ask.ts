import { Agent, get } from 'node:http';
import { PREFIX } from '../../contract/api.ts';

/** One reply, as received. */
export interface WireReply {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Bytes of the whole reply: status line, headers and body. */
  readonly bytes: number;
}

type Headers = Readonly<Record<string, string>>;

const CONNECTIONS = 16;

/** Sends a request like wrk: without compression. */
export function ask(url: string, headers: Headers = {}, agent?: Agent): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, ...(agent && { agent }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const { statusCode: status = 0, statusMessage = '', rawHeaders } = response;
        const lines = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
        const bytes = `HTTP/1.1 ${status} ${statusMessage}\r\n\r\n`.length + lines + body.length;
        resolve({ status, headers: rawHeaders, body: body.toString('utf8'), bytes });
      });
    });
    request.on('error', reject);
  });
}

export function headerOf({ headers }: WireReply, name: string): string | undefined {
  const at = headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name);
  return at === -1 ? undefined : headers[at + 1];
}

/** How many requests a caller has used, from the header of one more request (which counts too, unless refused). */
export async function usedOf(origin: string, headers: Headers): Promise<number> {
  const reply = await ask(`${origin}${PREFIX}/me`, headers);
  const used = headerOf(reply, 'x-quota-used');
  if (used === undefined) throw new Error(`${origin} gives no X-Quota-Used: ${reply.status} ${reply.body}`);
  return Number(used);
}

/** Sends a request to each target once, with the number of connections of a measurement. */
export async function askAll(
  origin: string,
  targets: Iterable<string>,
  headers: Headers,
  onReply?: (target: string, reply: WireReply) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const left = targets[Symbol.iterator](); // Shared by all connections.
  const work = async () => {
    for (let next = left.next(); !next.done; next = left.next()) {
      const reply = await ask(origin + next.value, headers, agent);
      onReply?.(next.value, reply);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  agent.destroy();
}
