/** The admin address of a service, where it has one: otherwise nothing is measured, and nothing of this is loaded. */
import type { ScheduledJob } from '../../build/schedule.ts';
import type { FaultRecord } from '../faults.ts';
import type { ServedGateway, ServeOptions } from '../serving.ts';
import type { AdminAddress } from './address.ts';
import type { JobKind } from './metrics.ts';

export interface Admin {
  /** `http://127.0.0.1:9090`; null: there is none. */
  readonly url: string | null;
  /** Has what is served measured. */
  measured<Options extends Pick<ServeOptions, 'reporter' | 'accessLog'>>(options: Options): Options;
  /** Has the runs of a job measured. */
  job(kind: JobKind, job: ScheduledJob): ScheduledJob;
  /** Takes metrics from a service from now on, and rebuilds when asked to. */
  watch(gateway: ServedGateway, out: string, faults: FaultRecord, rebuild: (() => void) | null): void;
  close(): void;
}

const NONE: Admin = {
  url: null,
  measured: (options) => options,
  job: (_, job) => job,
  watch: () => undefined,
  close: () => undefined,
};

/** @throws CannotListen */
export async function openAdmin(address: AdminAddress | undefined): Promise<Admin> {
  if (address === undefined) return NONE;
  const [{ Metrics }, { serveAdmin }] = await Promise.all([
    import('./metrics.ts'),
    import('./admin-server.ts'),
  ]);
  const metrics = new Metrics();
  let rebuild: (() => void) | null = null;
  const token = process.env['OFFPRINT_ADMIN_TOKEN'] || undefined;
  const server = await serveAdmin(address, { metrics, token, rebuild: () => rebuild });
  return {
    url: server.url,
    measured: (options) => ({
      ...options,
      reporter: metrics.reporter(options.reporter),
      accessLog: metrics.requests(options.accessLog),
    }),
    job: (kind, job) => metrics.job(kind, job),
    watch(gateway, out, faults, run) {
      metrics.watch(gateway, out, faults);
      rebuild = run;
    },
    close: () => server.close(),
  };
}
