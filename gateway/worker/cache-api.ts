import { waitUntilSettled } from './wait-until-settled.ts';

/** The part of the Cache API that is used. */
export interface ObjectCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, response: Response): Promise<void>;
}

/** Applies `read` to an entry; undefined on a miss. A cache that fails counts as a miss. */
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

/** Stores an entry in the background. Failures are ignored. */
export function keepIn(cache: ObjectCache, address: string, response: Response): void {
  const keep = async () => cache.put(address, response);
  waitUntilSettled(keep()).catch(() => undefined);
}
