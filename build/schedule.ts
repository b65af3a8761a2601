import { createTask, validate } from 'node-cron';
import { ExplainedError } from '../common/errors.ts';

/** A job for the schedule. */
interface ScheduledJob {
  /** Whether there is anything to do. Called at each tick, so it must be cheap. */
  isDue(): boolean | Promise<boolean>;
  /** Runs the job, outside the serving thread. */
  run(): Promise<void>;
  /** Called when there was nothing to do, or the job is done. */
  onSuccess?(): void;
  /** Called when `isDue` or `run` failed; the next tick tries again. */
  onFailure(error: unknown): void;
}

export interface Schedule {
  /** Triggers an extra tick; during a run, one after it: what it reports may be too late for that run. */
  tick(): Promise<void>;
  /** Stops the ticks; a running job continues. */
  stop(): Promise<void>;
}

export class CronInvalid extends ExplainedError {
  constructor(text: string) {
    super(`The setting cron is not a cron expression: "${text}". Use five fields, as in "*/5 * * * *".`);
  }
}

/** Whether a text is a cron expression: five fields, or six with seconds. */
export function isCronExpression(text: string): boolean {
  return validate(text);
}

/** How often to check the clock. */
const CHECK_MS = 1000;

/**
 * Runs a job at the given times if there is something to do. Times during a run are skipped, and of those that a
 * suspended machine missed one is made up for. node-cron says when: its own timer stops until a clock that was set back
 * has caught up, and logs each tick that was missed. The times are in UTC, where no hour is skipped or repeated.
 */
export function schedule(expression: string, job: ScheduledJob): Schedule {
  let [isRunning, isAsked, isStopped] = [false, false, false];
  const runIfDue = async () => {
    try {
      if (await job.isDue()) await job.run();
      job.onSuccess?.();
    } catch (error) {
      job.onFailure(error);
    }
  };
  const tick = async () => {
    isAsked = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isAsked && !isStopped) {
        isAsked = false;
        await runIfDue();
      }
    } finally {
      isRunning = false;
    }
  };
  const task = createTask(expression, () => undefined, { timezone: 'UTC' });
  const nextTick = () => task.getNextRuns(1)[0]?.getTime() ?? Infinity;
  let next = nextTick();
  let before = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    const isDue = now >= next;
    if (isDue || now < before) next = nextTick();
    before = now;
    if (isDue && !isRunning) void tick();
  }, CHECK_MS);
  return {
    tick,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await task.destroy();
    },
  };
}
