import { schedule as scheduleCron, validate } from 'node-cron';

/** What the schedule runs, and whom it tells. */
export interface ScheduledJob {
  /** Whether there is anything to do: asked at each tick, so it must be cheap. */
  isDue(): boolean | Promise<boolean>;
  /** Does it, away from the serving thread. */
  run(): Promise<void>;
  /** There was nothing to do, or it is done. */
  succeeded?(): void;
  /** Asking or running failed; the next tick tries again. */
  failed(error: unknown): void;
}

export interface Schedule {
  /** A tick out of turn. */
  tick(): Promise<void>;
  /** No further tick; a job under way goes on. */
  stop(): Promise<void>;
}

/** Whether a text is a cron expression, of five fields or, with seconds, six. */
export function isCronExpression(text: string): boolean {
  return validate(text);
}

/** Runs a job whenever the clock says so and there is something to do. A tick while it runs is let pass. */
export function schedule(expression: string, job: ScheduledJob): Schedule {
  let running = false;
  const tick = async () => {
    if (running) return;
    running = true;
    try {
      if (await job.isDue()) await job.run();
      job.succeeded?.();
    } catch (error) {
      job.failed(error);
    } finally {
      running = false;
    }
  };
  const task = scheduleCron(expression, tick);
  return { tick, stop: async () => task.destroy() };
}
