import { waitUntil } from 'cloudflare:workers';

/**
 * Lets a read come to its end although the request that began it is answered, or its client gone: others may
 * wait for it. Whatever they read next upon it is begun before the platform looks again.
 */
export function waitUntilSettled<T>(read: Promise<T>): Promise<T> {
  waitUntil(read.catch(() => undefined));
  return read;
}
