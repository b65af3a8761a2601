import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range of ephemeral ports, so that no program gets one of these by listening on port 0. */
const [FIRST, LAST] = [10_000, 32_000];

/** A free port of this machine, for a program that needs to be given one, also if it starts there again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    probe.close();
    if (isFree) return port;
  }
}
