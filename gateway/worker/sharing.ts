import { waitUntil } from 'cloudflare:workers';
import type { Sharing } from '../single-flight.ts';

/** Then a request does the work itself. Most reads take less than a tenth of it. */
const PATIENCE_MS = 3000;
const LONGEST_PAUSE_MS = 50;

/**
 * Requests share results, not promises. A promise's I/O ends with its request. In code that V8 has optimised, workerd does not know
 * the owner of a promise, so a request that awaits another request's promise continues as that request: its response cannot be
 * sent (a bare 500), and its reads end with the other. So a waiting request polls for the result with its own timers.
 */
export const SHARING: Sharing = {
  keep: (work) => void waitUntilSettled(work),
  async wait(isOver) {
    let waited = 0;
    while (!isOver() && waited < PATIENCE_MS) {
      const pause = Math.min(1 + Math.floor(waited / 20), LONGEST_PAUSE_MS);
      await new Promise((resolve) => setTimeout(resolve, pause));
      waited += pause;
    }
  },
};

/**
 * Keeps work alive after the request that started it has ended: other requests may wait for it. Their follow-up reads
 * start before the platform checks again.
 */
export function waitUntilSettled<T>(work: Promise<T>): Promise<T> {
  waitUntil(work.catch(() => undefined));
  return work;
}
