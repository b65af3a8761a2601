import { loggedPath } from './access-log.ts';
import { colours } from './colours.ts';
import type { Hear } from './events.ts';
import { reportOnce } from './failure.ts';
import { faultsOf, type Log } from './log.ts';
import { printable } from './printable.ts';
import { counted } from './terminal.ts';

/** Logs the events of a service: a failure that repeats itself once. */
export function logEvents(log: Log): Hear {
  const fault = faultsOf(log);
  const unknownPlans = new Set<string>();
  const repeated = new Map<string, ReturnType<typeof reportOnce>>();
  const onceFor = (what: string, label: string) => {
    const once = repeated.get(what) ?? reportOnce((message) => log.fault(`${colours.red(label)} ${message}`));
    repeated.set(what, once);
    return once;
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
      case 'unknown plan':
        if (unknownPlans.has(event.plan)) return;
        unknownPlans.add(event.plan);
        return fault(
          'plan unknown:',
          `An account has the plan "${event.plan}", which the snapshot does not name. Its requests count as a user's. ` +
            `Add the plan to limits.day in offprint.json and build.`,
        );
      case 'crowded':
        return fault(
          'turned away:',
          `All ${event.connections} connections are in use. Limit connections in a proxy in front.`,
        );
      case 'switched': {
        const { id: snapshot, directory } = event.snapshot;
        const { posts } = directory;
        repeated.get(event.kind)?.succeeded();
        const text = `${colours.green('switched')} to snapshot ${snapshot}, ${counted(posts, 'post')}`;
        return log.info(text, { snapshot, posts });
      }
      case 'not switched':
        return onceFor('switched', 'not switched to another snapshot:').failed(event.error);
      case 'counts restored':
        return log.fault(
          `${colours.yellow('counts restored:')} ${printable(event.path)} was removed while in use. It is written again with all ` +
            `counts. Stop Offprint before you delete its output.`,
        );
      case 'counts not restored':
        return fault('not ready:', event.error);
      case 'answered':
        return log.requests?.(event.request);
      case 'job succeeded':
        return repeated.get(event.job)?.succeeded();
      case 'job failed':
        return event.label === null ? undefined : onceFor(event.job, event.label).failed(event.error);
      case 'job began':
      case 'followed':
    }
  };
}
