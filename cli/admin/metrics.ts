/**
 * Metrics of a service, for `GET /metrics` of the admin address. Without that address nothing is measured. Names follow
 * https://prometheus.io/docs/practices/naming/; docs/operators/monitoring.md lists them.
 */
import { hostname } from 'node:os';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client';
import { readPointer } from '../../build/output/pointer-file.ts';
import type { ScheduledJob } from '../../build/schedule.ts';
import type { OpenLine, RequestLines } from '../../gateway/node/http-server.ts';
import { nextExpiry } from '../../data/accounts/keys.ts';
import { readingFrom } from '../../data/database.ts';
import { readTarget } from '../../gateway/routes.ts';
import { FAULT_KINDS, type FaultRecord } from '../faults.ts';
import type { ServedGateway, ServeReporter } from '../serving.ts';
import { VERSION } from '../version.ts';

/** A scheduled job of a service. */
export type JobKind = 'import' | 'build' | 'publish' | 'webhook';

/** In seconds: a warm answer takes less than a millisecond. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export class Metrics {
  readonly #registry = new Registry<OpenMetricsContentType>();
  readonly #requests = this.#counter('offprint_requests', 'Requests that were answered', [
    'endpoint',
    'status',
    'home',
  ]);
  readonly #bytes = this.#counter('offprint_response_bytes', 'Bytes of bodies that were sent', ['endpoint']);
  readonly #durations = new Histogram({
    name: 'offprint_request_duration_seconds',
    help: 'From the head of a request to its answer, with the time to save its count',
    labelNames: ['endpoint'],
    buckets: DURATIONS,
    registers: [this.#registry],
  });
  readonly #failed = this.#counter('offprint_request_failures', 'Requests that failed by a fault here', [
    'reason',
  ]);
  readonly #crowded = this.#counter(
    'offprint_connections_refused',
    'Connections turned away, since all were in use',
    [],
  );
  readonly #runs = this.#counter('offprint_task_runs', 'Imports, builds and uploads by the schedule', [
    'task',
    'result',
  ]);
  readonly #seconds = this.#gauge('offprint_task_duration_seconds', 'How long the last one took', ['task']);
  readonly #lastSuccess = this.#gauge(
    'offprint_task_last_success_timestamp_seconds',
    'When one succeeded last, or there was nothing to do',
    ['task'],
  );

  #read: () => Promise<void> = () => Promise.resolve();

  constructor() {
    this.#registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    collectDefaultMetrics({ register: this.#registry });
    // A gauge must not have a counter's name.
    for (const what of ['handles', 'requests', 'resources'])
      this.#registry.removeSingleMetric(`nodejs_active_${what}_total`);
    this.#gauge('offprint_build_info', 'The running version, and its process', ['version', 'process']).set(
      { version: VERSION, process: `${hostname()}:${process.pid}` },
      1,
    );
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** In the OpenMetrics text format. */
  async text(): Promise<string> {
    await this.#read();
    return this.#registry.metrics();
  }

  /** Measures requests, and logs them if they are logged. */
  requests(log: RequestLines | undefined): RequestLines {
    return {
      begin: (method, target) => {
        const line = log?.begin(method, target);
        const endpoint = target === null ? 'unreadable' : (readTarget(target).endpoint ?? 'other');
        const began = performance.now();
        return {
          id: line?.id ?? '',
          identified: (caller) => line?.identified(caller),
          end: (status, bytes, wasSent) => {
            line?.end(status, bytes, wasSent);
            this.#requests.inc({ endpoint, status, home: 'node' });
            this.#bytes.inc({ endpoint }, bytes);
            this.#durations.observe({ endpoint }, (performance.now() - began) / 1000);
          },
        } satisfies OpenLine;
      },
    };
  }

  /** Wraps a reporter to count faults. */
  reporter(reporter: ServeReporter): ServeReporter {
    return {
      ...reporter,
      failed: (error, request) => {
        this.#failed.inc({ reason: 'unexpected' });
        reporter.failed(error, request);
      },
      notCounted: (error) => {
        this.#failed.inc({ reason: 'not counted' });
        reporter.notCounted(error);
      },
      crowded: (connections) => {
        this.#crowded.inc();
        reporter.crowded(connections);
      },
    };
  }

  /** Measures the runs of a job. */
  job(kind: JobKind, job: ScheduledJob): ScheduledJob {
    let began: number | null = null;
    const end = (result: string): void => {
      if (began === null) return;
      this.#runs.inc({ task: kind, result });
      this.#seconds.set({ task: kind }, (performance.now() - began) / 1000);
      began = null;
    };
    for (const result of ['ok', 'failed']) this.#runs.inc({ task: kind, result }, 0);
    return {
      isDue: () => job.isDue(),
      run: () => {
        began = performance.now();
        return job.run();
      },
      succeeded: () => {
        end('ok');
        this.#lastSuccess.setToCurrentTime({ task: kind });
        job.succeeded?.();
      },
      failed: (error) => {
        began ??= performance.now();
        end('failed');
        job.failed(error);
      },
    };
  }

  /**
   * Adds metrics that a service already tracks; they are read at each scrape.
   *
   * @param out the service's output folder
   * @param keys the database of keys; undefined: this service has none
   */
  watch(
    gateway: Pick<ServedGateway, 'snapshot' | 'statistics'>,
    out: string,
    faults: FaultRecord,
    keys?: string,
  ): void {
    const posts = this.#gauge('offprint_snapshot_posts', 'Articles in the snapshot that is served', []);
    const built = this.#gauge('offprint_snapshot_built_timestamp_seconds', 'When it was published first', []);
    const cached = this.#gauge('offprint_cache_bytes', 'Objects of snapshots in memory', []);
    const connections = this.#gauge('offprint_connections', 'Open connections', []);
    const fault = this.#gauge('offprint_fault', '1: it fails at the moment; status says why', ['what']);
    const reads = this.#counter('offprint_object_reads', 'Objects that were read from the disk', []);
    const saved = this.#counter(
      'offprint_counts_saved',
      'Counts of callers that were written to the database',
      [],
    );
    const expiry =
      keys &&
      this.#gauge('offprint_next_key_expiry_timestamp_seconds', 'When a key expires next; 0: never', []);
    this.#read = async () => {
      if (keys && expiry) expiry.set((readingFrom(keys, (db) => nextExpiry(db, new Date())) ?? 0) / 1000);
      const now = await gateway.statistics();
      posts.set(gateway.snapshot()?.directory.posts ?? 0);
      built.set(Date.parse(readPointer(out)?.built_at ?? '') / 1000);
      cached.set(now.cachedBytes);
      connections.set(now.connections);
      for (const what of FAULT_KINDS) fault.set({ what }, faults.has(what) ? 1 : 0);
      setTo(reads, now.objectReads);
      setTo(saved, now.countsSaved);
    };
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.#registry] });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.#registry] });
  }
}

/** A counter whose value is kept elsewhere. */
function setTo(counter: Counter, value: number): void {
  counter.reset();
  counter.inc(value);
}
