import { waitUntilSettled } from './wait-until-settled.ts';

/** Of the Cache API, what is used here. */
export interface ObjectCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, response: Response): Promise<void>;
}

/** What `read` makes of an entry; undefined where there is none. The cache only spares work: where it fails, there is none. */
export async function readFrom<T>(
  cache: ObjectCache,
  address: string,
  read: (kept: Response) => T | Promise<T>,
): Promise<T | undefined> {
  try {
    const kept = await cache.match(address);
    return kept && (await read(kept));
  } catch {
    return undefined;
  }
}

/** Keeps an entry. Nobody waits for it; where it fails, the next to ask finds none. */
export function keepIn(cache: ObjectCache, address: string, response: Response): void {
  const keep = async () => cache.put(address, response);
  waitUntilSettled(keep()).catch(() => undefined);
}
