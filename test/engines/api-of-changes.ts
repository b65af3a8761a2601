import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { changes } from '../changes/copy.ts';

/** When an article was changed last, and its former slugs. */
export interface Further {
  readonly updated_at?: string | null;
  readonly former_slugs?: readonly string[];
}

/**
 * An API with these fields in items of `/changes`, and no others of their kind, until the end of the test.
 *
 * @param upstream the address of a service
 * @returns its address
 */
export async function apiWith(
  upstream: string,
  further: Readonly<Record<string, Further>>,
  finished: (end: () => void) => void = onTestFinished,
): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const reply = await fetch(upstream + request.url);
      const answer: unknown = await reply.json();
      if (request.url?.includes('/changes')) {
        const { data } = changes.parse(answer);
        const none: Further = { updated_at: null, former_slugs: [] };
        const items = data.items.map((item) => ({ ...item, ...none, ...further[item.slug] }));
        response.end(JSON.stringify({ success: true, data: { ...data, items } }));
      } else response.end(JSON.stringify(answer));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  finished(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
