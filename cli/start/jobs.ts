/** The scheduled jobs of a running `start`: what they share, and how their failures are reported. */
import { schedule, type Schedule } from '../../build/schedule.ts';
import type { JobKind } from '../events.ts';
import type { FaultKind } from '../faults.ts';
import type { Service } from '../service.ts';
import type { StartFlags } from '../options.ts';

export interface JobContext {
  readonly options: StartFlags;
  readonly cron: string;
  readonly service: Service;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

export interface Job {
  readonly kind: JobKind;
  /** What fails with it, for `status`. */
  readonly fault: FaultKind;
  /** Begins a logged failure: `not uploaded:` */
  readonly label: string;
  /** Whether there is anything to do. */
  isDue(): boolean | Promise<boolean>;
  run(): Promise<void>;
  /** Whether `run` has logged this failure itself. */
  isLogged?(error: unknown): boolean;
}

/** A job that the configuration does not ask for. */
export const NO_JOB: Schedule = { tick: () => Promise.resolve(), stop: () => Promise.resolve() };

/** Runs a job on the schedule. A failure is logged when it is new, and is a fault of the service until a success. */
export function scheduleJob({ cron, service: { emit }, stopping }: JobContext, work: Job): Schedule {
  const { kind: job, fault, label } = work;
  return schedule(cron, {
    isDue: () => work.isDue(),
    run() {
      emit({ kind: 'job began', job });
      return work.run();
    },
    onSuccess: () => emit({ kind: 'job succeeded', job, fault }),
    onFailure(error) {
      if (stopping.aborted) return;
      emit({ kind: 'job failed', job, fault, error, label: work.isLogged?.(error) ? null : label });
    },
  });
}
