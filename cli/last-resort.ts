/**
 * The last resort of a serving process: reports uncaught errors and unhandled rejections, and continues. Errors of
 * requests are caught earlier, where they can be answered (http-server.ts).
 *
 * @param report receives each error
 */
export function goOnServing(report: (error: unknown) => void): void {
  // Node also emits unhandled rejections as this event.
  process.on('uncaughtException', (error) => {
    try {
      report(error);
    } catch {
      // An error in here would end the process.
    }
  });
}
