/** The events of a service. Its log, the record of its faults and its metrics listen to them. */
import type { GatewayRequest } from '../gateway/home.ts';
import type { HttpReporter } from '../gateway/node/http-server.ts';
import type { Snapshot } from '../gateway/snapshot/snapshot.ts';
import type { AnsweredRequest } from './access-log.ts';
import type { FaultKind } from './faults.ts';

/** A scheduled job of a service. */
export type JobKind = (typeof JOB_KINDS)[number];
export const JOB_KINDS = ['import', 'build', 'publish', 'webhook'] as const;

interface Failed {
  readonly error: unknown;
}

/** The fields of each kind of event. */
interface EventFields {
  /** A request was answered with 500. */
  readonly failed: Failed & { readonly request: Pick<GatewayRequest, 'method' | 'target' | 'log'> };
  /** Counts could not be read or written; requests that count get a 500 meanwhile. */
  readonly 'not counted': Failed;
  /** The database of counts was removed, and was written again. */
  readonly 'counts restored': { readonly path: string };
  /** It was removed or replaced, and could not be written again. */
  readonly 'counts not restored': Failed;
  /** An error outside of any readable request. */
  readonly unexpected: Failed;
  /** A connection was refused because there are too many. */
  readonly crowded: { readonly connections: number };
  /** A new snapshot is now served. */
  readonly switched: { readonly snapshot: Snapshot };
  /** The pointer could not be followed; the last good snapshot is still served. */
  readonly 'not switched': Failed;
  /** The pointer was checked, and its snapshot is served. */
  readonly followed: object;
  /** Only if requests are logged or measured. */
  readonly answered: { readonly request: AnsweredRequest };
  readonly 'job began': { readonly job: JobKind };
  /** Also emitted if there was nothing to do. @property faults the faults that it ends */
  readonly 'job succeeded': { readonly job: JobKind; readonly fault: FaultKind };
  /** @property label begins a logged failure, as in `not uploaded:`; null: it is logged already */
  readonly 'job failed': Failed & {
    readonly job: JobKind;
    readonly fault: FaultKind;
    readonly label: string | null;
  };
}

export type ServiceEvent = {
  [Kind in keyof EventFields]: { readonly kind: Kind } & EventFields[Kind];
}[keyof EventFields];

export type ServiceListener = (event: ServiceEvent) => void;

/** The failures of the HTTP server as events. */
export function toReporter(emit: ServiceListener): HttpReporter {
  return {
    reportError: (error, request) => emit({ kind: 'failed', error, request }),
    reportNotCounted: (error) => emit({ kind: 'not counted', error }),
    reportUnexpected: (error) => emit({ kind: 'unexpected', error }),
    reportCrowded: (connections) => emit({ kind: 'crowded', connections }),
  };
}
