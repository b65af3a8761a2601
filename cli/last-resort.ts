/**
 * The last resort of a process that serves: an error that nothing caught, or a promise that nobody waited for, is
 * reported, and the process goes on. Errors of requests end before, where they can be answered (http-server.ts).
 *
 * @param report is told of each
 */
export function goOnServing(report: (error: unknown) => void): void {
  // Node raises rejections that nobody handles here too.
  process.on('uncaughtException', (error) => {
    try {
      report(error);
    } catch {
      // There is nobody left to tell: an error in here would end the process.
    }
  });
}
