import { type Sharing, SingleFlight } from '../single-flight.ts';
import type { Snapshot } from './snapshot.ts';

/** The shortest time between two reads. */
const INTERVAL_MS = 1000;

interface Clock {
  /** Milliseconds since any fixed time. */
  now(): number;
  wait(ms: number): Promise<void>;
}

/**
 * Reads the pointer for requests that need a newer snapshot, at most once a second. Requests that wait share a read, which
 * begins after all of them arrived.
 *
 * @param read reads the pointer and its snapshot
 * @param sharing as in SingleFlight
 */
export function newestSnapshot(
  read: () => Promise<Snapshot>,
  clock: Clock,
  sharing?: Sharing,
): () => Promise<Snapshot> {
  const reading = new SingleFlight<Snapshot>(sharing);
  let lastRead = -Infinity;
  let begun = 0;

  async function readAfter(pause: number): Promise<Snapshot> {
    if (pause > 0) await clock.wait(pause);
    lastRead = clock.now();
    begun += 1;
    return read();
  }

  // By the number of reads that have begun, so a request never joins one that began before it arrived.
  return async () => reading.run(String(begun), () => readAfter(lastRead + INTERVAL_MS - clock.now()));
}
