/**
 * Faults of running services, for `status`, such as counts that cannot be written. Each service also records its address.
 * Readers ignore what a process recorded that no longer runs.
 */
import { isText, recordOf } from '../contract/json.ts';
import { JOBS, type Result, Results } from '../data/results.ts';
import type { ServiceListener } from './events.ts';
import { describeFailure } from './failure.ts';
import { isProcessAlive } from './process-alive.ts';

/** What failed. */
export type FaultKind = (typeof JOBS)[number];

export interface Fault {
  readonly what: string;
  /** First occurrence since the last success. RFC 3339, UTC. */
  readonly since: string;
  readonly message: string;
}

/** By `PROCESS FAULT`; `PROCESS serving` has the address. */
const SERVICES = new Results('service', recordOf<{ readonly url: string }>({ url: isText }));
const SERVING = 'serving';

/** Longer messages are cut. */
const MESSAGE_CHARACTERS = 400;
/** A repeated fault is written again after this time, not at each request. */
const WRITE_MS = 5_000;

export class FaultRecord {
  readonly #out: string;
  readonly #faults = new Map<FaultKind, { readonly message: string; readonly written: number }>();
  #url: string | undefined;

  /** Removes the records of processes that ended. */
  constructor(out: string) {
    this.#out = out;
    const ended = SERVICES.read(out).filter((one) => !isAlive(one) || processNumber(one) === process.pid);
    SERVICES.forget(out, ...ended.map(({ subject }) => subject));
  }

  /** Records the service's address. */
  recordUrl(url: string): void {
    this.#url = url;
    SERVICES.recordSuccess(this.#out, { url }, `${process.pid} ${SERVING}`);
  }

  report(what: FaultKind, text: string): void {
    const message = text.slice(0, MESSAGE_CHARACTERS);
    const known = this.#faults.get(what);
    const now = Date.now();
    if (known?.message === message && now - known.written < WRITE_MS) return;
    this.#faults.set(what, { message, written: now });
    SERVICES.recordFailure(this.#out, new Date(now).toISOString(), message, `${process.pid} ${what}`);
  }

  /** Writes the address again if it was deleted. */
  restore(): void {
    if (this.#url !== undefined && !SERVICES.of(this.#out, `${process.pid} ${SERVING}`))
      this.recordUrl(this.#url);
  }

  has(what: FaultKind): boolean {
    return this.#faults.has(what);
  }

  /** Clears a fault after a success. */
  clear(...whats: readonly FaultKind[]): void {
    const cleared = whats.filter((what) => this.#faults.delete(what));
    SERVICES.forget(this.#out, ...cleared.map((what) => `${process.pid} ${what}`));
  }

  close(): void {
    this.clear(...this.#faults.keys());
    SERVICES.forget(this.#out, `${process.pid} ${SERVING}`);
  }
}

/** Records the events of a service that `status` must tell. */
export function recordFaults(faults: FaultRecord): ServiceListener {
  return (event) => {
    const { kind } = event;
    if (kind === 'not counted' || kind === 'counts not restored')
      faults.report('counting', describeFailure(event.error));
    else if (kind === 'counts restored')
      faults.restore(); // The record was removed from the same folder.
    else if (kind === 'not switched') faults.report('following the snapshot', describeFailure(event.error));
    else if (kind === 'followed') faults.clear('following the snapshot');
    else if (kind === 'job succeeded') faults.clear(event.fault);
    else if (kind === 'job failed') faults.report(event.fault, describeFailure(event.error));
  };
}

/** The faults of all running services. */
export function faultsAmong(results: readonly Result[]): Fault[] {
  return SERVICES.among(results).flatMap((result) => {
    const { subject, since, message } = result;
    if (since === null || message === null || !isAlive(result)) return [];
    return [{ what: subject.slice(subject.indexOf(' ') + 1), since, message }];
  });
}

/** A running service on an output: `start` or `serve`. */
interface RunningService {
  readonly pid: number;
  readonly url: string;
}

export function runningServices(out: string): RunningService[] {
  return SERVICES.read(out).flatMap((result) =>
    result.report !== null && isAlive(result) ? [{ pid: processNumber(result), ...result.report }] : [],
  );
}

function isAlive(result: Result): boolean {
  return isProcessAlive(processNumber(result));
}

function processNumber({ subject }: Result): number {
  return Number.parseInt(subject, 10);
}
