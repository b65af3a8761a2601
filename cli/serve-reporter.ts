/** Events of a server: for its log, and for `status`. */
import { loggedPath } from './access-log.ts';
import { colours } from './colours.ts';
import { describeFailure, reportOnce } from './failure.ts';
import type { FaultRecord } from './faults.ts';
import { faultsOf, type Log } from './log.ts';
import { printable } from './printable.ts';
import type { ServeReporter } from './serving.ts';
import { counted } from './terminal.ts';

/** Logs events of the server. */
export function logReporter(log: Log): ServeReporter {
  const fault = faultsOf(log);
  const unknownPlans = new Set<string>();
  const notSwitched = reportOnce((message) =>
    log.fault(`${colours.red('not switched')} to another snapshot: ${message}`),
  );
  return {
    failed(error, { method, target, log: request }) {
      fault(`failed ${method} ${printable(loggedPath(target))}:`, error, { request: request?.id });
    },
    notCounted: (error) => fault('request refused, because it could not be counted:', error),
    unexpected: (error) => fault('unexpected error, still serving:', error),
    unknownPlan(plan) {
      if (unknownPlans.has(plan)) return;
      unknownPlans.add(plan);
      fault(
        'plan unknown:',
        `An account has the plan "${plan}", which the snapshot does not name. Its requests count as a user's. ` +
          `Add the plan to limits.day in offprint.json and build.`,
      );
    },
    crowded: (connections) =>
      fault(
        'turned away:',
        `All ${connections} connections are in use. Limit connections in a proxy in front.`,
      ),
    switched({ id: snapshot, directory: { posts } }) {
      notSwitched.succeeded();
      const text = `${colours.green('switched')} to snapshot ${snapshot}, ${counted(posts, 'post')}`;
      log.info(text, { snapshot, posts });
    },
    notSwitched: notSwitched.failed,
    countsRestored: (path) =>
      log.fault(
        `${colours.yellow('counts restored:')} ${printable(path)} was removed while in use. It is written again with all ` +
          `counts. Stop Offprint before you delete its output.`,
      ),
    countsNotRestored: (error) => fault('not ready:', error),
  };
}

/** Also records faults for `status` that nothing else records. */
export function recordingReporter(reporter: ServeReporter, faults: FaultRecord): ServeReporter {
  return {
    ...reporter,
    notCounted(error) {
      reporter.notCounted(error);
      faults.report('counting', describeFailure(error));
    },
    countsNotRestored(error) {
      reporter.countsNotRestored(error);
      faults.report('counting', describeFailure(error));
    },
    followed: () => faults.clear('following the snapshot'),
    notSwitched(error) {
      reporter.notSwitched(error);
      faults.report('following the snapshot', describeFailure(error));
    },
  };
}
