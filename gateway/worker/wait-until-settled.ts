import { waitUntil } from 'cloudflare:workers';

/**
 * Keeps a read alive after the request that started it has ended: other requests may wait for it. Their follow-up reads
 * start before the platform checks again.
 */
export function waitUntilSettled<T>(read: Promise<T>): Promise<T> {
  waitUntil(read.catch(() => undefined));
  return read;
}
