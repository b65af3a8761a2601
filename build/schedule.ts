import { schedule as scheduleCron, validate } from 'node-cron';

/** What the schedule runs, and whom it tells. */
export interface ScheduledBuild {
  /** Whether there is anything to do: asked at each tick, so it must be cheap. */
  isDue(): boolean;
  /** Builds, away from the serving thread. */
  run(): Promise<void>;
  /** Asking or building failed; the next tick tries again. */
  failed(error: unknown): void;
}

export interface Schedule {
  /** No further tick; a build under way goes on. */
  stop(): Promise<void>;
}

/** Whether a text is a cron expression, of five fields or, with seconds, six. */
export function isCronExpression(text: string): boolean {
  return validate(text);
}

/** Builds whenever the clock says so and there is something to do. A tick during a build is let pass. */
export function scheduleBuilds(expression: string, build: ScheduledBuild): Schedule {
  let running = false;
  const task = scheduleCron(expression, async () => {
    if (running) return;
    running = true;
    try {
      if (build.isDue()) await build.run();
    } catch (error) {
      build.failed(error);
    } finally {
      running = false;
    }
  });
  return { stop: async () => void (await task.destroy()) };
}
