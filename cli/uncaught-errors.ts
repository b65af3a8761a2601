/**
 * Reports uncaught errors and unhandled rejections of a serving process, which continues: its last resort. Errors of
 * requests are caught earlier, where they can be answered (http-server.ts).
 *
 * @param report receives each error
 */
export function handleUncaughtErrors(report: (error: unknown) => void): void {
  // Node also emits unhandled rejections as this event.
  process.on('uncaughtException', (error) => {
    try {
      report(error);
    } catch {
      // An error in here would end the process.
    }
  });
}
