import { type FromPrimary, type FromWorker, unpackVerdicts } from './messages.ts';
import { serveCounting, type ServeOptions } from '../serve.ts';
import { RemoteCounter } from './remote-counter.ts';

/**
 * Serves as one worker of several: like a gateway of its own, but the primary counts. It ends when the primary
 * says so, and at once where the primary is gone, for nobody would count.
 *
 * @param beforeEnd what is to be done last of all
 */
export function serveAsWorker(options: ServeOptions, beforeEnd: () => void): void {
  process.on('disconnect', () => process.exit(1));
  process.on('SIGINT', () => undefined); // Ctrl-C reaches all processes. The primary says when to stop.
  process.once('message', (first: FromPrimary) => {
    if (first.type === 'begin') void begin(options, beforeEnd, Buffer.from(first.secret, 'base64'));
  });
  tell({ type: 'ready' });
}

function tell(message: FromWorker): void {
  process.send?.(message);
}

async function begin(options: ServeOptions, beforeEnd: () => void, secret: Uint8Array): Promise<void> {
  const counter = new RemoteCounter(tell, secret);
  try {
    const gateway = await serveCounting(
      {
        ...options,
        reporter: {
          ...options.reporter,
          switched: ({ id, directory: { posts } }) =>
            tell({ type: 'serving', served: { url: gateway.url, snapshot: id, posts } }),
        },
      },
      counter,
    );
    const stop = () =>
      void gateway.close().then(() => {
        beforeEnd();
        process.exit(0);
      });
    process.once('SIGTERM', stop);
    process.on('message', (message: FromPrimary) => {
      if (message.type === 'counted') counter.counted(unpackVerdicts(message.verdicts));
      else if (message.type === 'not counted') counter.notCounted(message.message);
      else if (message.type === 'stop') stop();
    });
    const snapshot = gateway.snapshot();
    if (snapshot) {
      const { posts } = snapshot.directory;
      tell({ type: 'serving', served: { url: gateway.url, snapshot: snapshot.id, posts } });
    }
  } catch (error) {
    tell({ type: 'cannot serve', message: error instanceof Error ? error.message : String(error) });
  }
}
