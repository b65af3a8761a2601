import type { Snapshot } from './snapshot.ts';

/** The shortest time between two reads. */
const INTERVAL_MS = 1000;

export interface Clock {
  /** Milliseconds since any fixed time. */
  now(): number;
  wait(ms: number): Promise<void>;
}

/**
 * Reads the pointer for requests that need a newer snapshot, at most once a second. Requests that wait share a read, which
 * begins after all of them arrived.
 *
 * @param read reads the pointer and its snapshot
 */
export function newestSnapshot(read: () => Promise<Snapshot>, clock: Clock): () => Promise<Snapshot> {
  let lastRead = -Infinity;
  let next: Promise<Snapshot> | undefined;

  async function readLater(pause: number): Promise<Snapshot> {
    await clock.wait(pause);
    next = undefined;
    return readNow();
  }
  function readNow(): Promise<Snapshot> {
    lastRead = clock.now();
    return read();
  }

  return () => {
    const pause = lastRead + INTERVAL_MS - clock.now();
    return next ?? (pause > 0 ? (next = readLater(pause)) : readNow());
  };
}
