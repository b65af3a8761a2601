/** The optional admin address of a service. Without one, nothing is measured and the metrics code is not loaded. */
import type { ServiceListener } from '../events.ts';
import type { FaultRecord } from '../faults.ts';
import type { AdminAddress } from '../options.ts';
import type { ServedGateway } from '../serving.ts';
import type { AdminWork } from './admin-server.ts';

export interface Admin {
  /** `http://127.0.0.1:9090` */
  readonly url: string;
  /** Measures requests and jobs. */
  readonly listen: ServiceListener;
  /** Collects metrics from a service, and does its work on request. */
  watch(gateway: ServedGateway, out: string, faults: FaultRecord, work: AdminWork | null): void;
  close(): void;
}

/** @throws ExplainedError: it cannot listen there */
export async function openAdmin(address: AdminAddress | undefined): Promise<Admin | null> {
  return address === undefined ? null : (await import('./admin-server.ts')).serveAdmin(address);
}
