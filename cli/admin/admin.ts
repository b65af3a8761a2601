/** The optional admin address of a service. Without one, nothing is measured and the metrics code is not loaded. */
import type { Hear } from '../events.ts';
import type { FaultRecord } from '../faults.ts';
import type { AdminAddress } from '../options.ts';
import type { ServedGateway } from '../serving.ts';
import type { AdminWork } from './admin-server.ts';

export interface Admin {
  /** `http://127.0.0.1:9090`; null: none. */
  readonly url: string | null;
  /** Measures requests and jobs. */
  readonly hear: Hear;
  /** Collects metrics from a service, and does its work on request. */
  watch(gateway: ServedGateway, out: string, faults: FaultRecord, work: AdminWork | null): void;
  close(): void;
}

const NONE: Admin = {
  url: null,
  hear: () => undefined,
  watch: () => undefined,
  close: () => undefined,
};

/** @throws ExplainedError: it cannot listen there */
export async function openAdmin(address: AdminAddress | undefined): Promise<Admin> {
  return address === undefined ? NONE : (await import('./admin-server.ts')).serveAdmin(address);
}
