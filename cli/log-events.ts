import { loggedPath } from './access-log.ts';
import { colours } from './colours.ts';
import type { ServiceListener } from './events.ts';
import { describeFailure } from './failure.ts';
import { faultLogger, type Log } from './log.ts';
import { printable } from './printable.ts';
import { counted } from './terminal.ts';

/** Logs the events of a service: a failure that repeats itself once. */
export function logEvents(log: Log): ServiceListener {
  const fault = faultLogger(log);
  /** The last failure of what is repeated, until it succeeds. */
  const failures = new Map<string, string>();
  const logOnce = (what: string, label: string, error: unknown): void => {
    const message = describeFailure(error);
    if (failures.get(what) !== message) log.fault(`${colours.red(label)} ${message}`);
    failures.set(what, message);
  };
  return (event) => {
    switch (event.kind) {
      case 'failed': {
        const { method, target, log: line } = event.request;
        return fault(`failed ${method} ${printable(loggedPath(target))}:`, event.error, {
          request: line?.id,
        });
      }
      case 'not counted':
        return fault('request refused, because it could not be counted:', event.error);
      case 'unexpected':
        return fault('unexpected error, still serving:', event.error);
      case 'crowded':
        return fault(
          'connection refused:',
          `All ${event.connections} connections are in use. Limit connections in a reverse proxy.`,
        );
      case 'switched': {
        const { id: snapshot, directory } = event.snapshot;
        const { posts } = directory;
        failures.delete(event.kind);
        const text = `${colours.green('switched')} to snapshot ${snapshot}, ${counted(posts, 'post')}`;
        return log.info(text, { snapshot, posts });
      }
      case 'not switched':
        return logOnce('switched', 'not switched to another snapshot:', event.error);
      case 'counts restored':
        return log.fault(
          `${colours.yellow('counts restored:')} ${printable(event.path)} was deleted while in use. Offprint wrote it again, with all ` +
            `counts. Stop Offprint before you delete its output.`,
        );
      case 'counts not restored':
        return fault('not ready:', event.error);
      case 'answered':
        return log.requests?.(event.request);
      case 'job succeeded':
        return void failures.delete(event.job);
      case 'job failed':
        return event.label === null ? undefined : logOnce(event.job, event.label, event.error);
      case 'job began':
      case 'followed':
    }
  };
}
