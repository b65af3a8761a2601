/**
 * Metrics of a service, for `GET /metrics` of the admin address. Without that address nothing is measured. Names follow
 * https://prometheus.io/docs/practices/naming/; docs/operators/monitoring.md says how to read them.
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
import { nextExpiry } from '../../data/accounts/keys.ts';
import { readingFrom } from '../../data/database.ts';
import { readTarget } from '../../gateway/routes.ts';
import { JOBS } from '../../data/results.ts';
import type { AnsweredRequest } from '../access-log.ts';
import { JOB_KINDS, type JobKind, type ServiceEvent } from '../events.ts';
import type { FaultRecord } from '../faults.ts';
import { readProblems } from '../problems.ts';
import type { ServedGateway } from '../serving.ts';
import { VERSION } from '../version.ts';

/** In seconds: a warm answer takes less than a millisecond. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export class Metrics {
  readonly #registry = new Registry<OpenMetricsContentType>();
  readonly #requests = this.#counter('offprint_requests', 'Requests answered', [
    'endpoint',
    'status',
    'home',
  ]);
  readonly #bytes = this.#counter('offprint_response_bytes', 'Bytes sent in response bodies', ['endpoint']);
  readonly #durations = new Histogram({
    name: 'offprint_request_duration_seconds',
    help: 'Time from request headers to response, including the time to save the count',
    labelNames: ['endpoint'],
    buckets: DURATIONS,
    registers: [this.#registry],
  });
  readonly #failed = this.#counter('offprint_request_failures', 'Answers with status 500', ['reason']);
  readonly #crowded = this.#counter(
    'offprint_connections_refused',
    'Connections refused because the limit was reached',
    [],
  );
  readonly #runs = this.#counter('offprint_task_runs', 'Scheduled imports, builds, publishes and webhooks', [
    'task',
    'result',
  ]);
  readonly #seconds = this.#gauge('offprint_task_duration_seconds', 'Duration of the last run', ['task']);
  readonly #lastSuccess = this.#gauge(
    'offprint_task_last_success_timestamp_seconds',
    'When a run last succeeded, or had nothing to do',
    ['task'],
  );

  /** When the running jobs began. */
  readonly #began = new Map<JobKind, number>();

  #read: () => Promise<void> = () => Promise.resolve();

  constructor() {
    this.#registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    collectDefaultMetrics({ register: this.#registry });
    for (const task of JOB_KINDS) for (const result of ['ok', 'failed']) this.#runs.inc({ task, result }, 0);
    // A gauge must not have a counter's name.
    for (const what of ['handles', 'requests', 'resources'])
      this.#registry.removeSingleMetric(`nodejs_active_${what}_total`);
    this.#gauge('offprint_build_info', 'The running version; process is HOST:PID', [
      'version',
      'process',
    ]).set({ version: VERSION, process: `${hostname()}:${process.pid}` }, 1);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** In the OpenMetrics text format. */
  async text(): Promise<string> {
    await this.#read();
    return this.#registry.metrics();
  }

  /** Measures what happens in the service. */
  record(event: ServiceEvent): void {
    const { kind } = event;
    if (kind === 'answered') this.#answered(event.request);
    else if (kind === 'failed') this.#failed.inc({ reason: 'unexpected' });
    else if (kind === 'not counted') this.#failed.inc({ reason: 'not counted' });
    else if (kind === 'crowded') this.#crowded.inc();
    else if (kind === 'job began') this.#began.set(event.job, performance.now());
    else if (kind === 'job succeeded') {
      this.#countRun(event.job, 'ok');
      this.#lastSuccess.setToCurrentTime({ task: event.job });
    } else if (kind === 'job failed') {
      this.#began.set(event.job, this.#began.get(event.job) ?? performance.now());
      this.#countRun(event.job, 'failed');
    }
  }

  #answered({ target, status, bytes, ms }: AnsweredRequest): void {
    const endpoint = target === null ? 'unreadable' : (readTarget(target).endpoint ?? 'other');
    this.#requests.inc({ endpoint, status, home: 'node' });
    this.#bytes.inc({ endpoint }, bytes);
    this.#durations.observe({ endpoint }, ms / 1000);
  }

  /** Nothing, if there was nothing to do. */
  #countRun(task: JobKind, result: string): void {
    const began = this.#began.get(task);
    if (began === undefined) return;
    this.#runs.inc({ task, result });
    this.#seconds.set({ task }, (performance.now() - began) / 1000);
    this.#began.delete(task);
  }

  /**
   * Adds metrics that a service already tracks; they are read at each scrape.
   *
   * @param out the service's output folder
   * @param path of the database; undefined: this service has none
   */
  watch(
    gateway: Pick<ServedGateway, 'snapshot' | 'connections'>,
    out: string,
    faults: FaultRecord,
    path?: string,
  ): void {
    const posts = this.#gauge('offprint_snapshot_posts', 'Posts in the current snapshot', []);
    const built = this.#gauge(
      'offprint_snapshot_built_timestamp_seconds',
      'When the current snapshot was built',
      [],
    );
    const connections = this.#gauge('offprint_connections', 'Open connections', []);
    const fault = this.#gauge('offprint_fault', '1 while this job fails; "status" says why', ['what']);
    const expiry =
      path &&
      this.#gauge(
        'offprint_next_key_expiry_timestamp_seconds',
        'When the next key expires; 0: no key expires',
        [],
      );
    this.#read = async () => {
      if (path && expiry) expiry.set((readingFrom(path, (db) => nextExpiry(db, new Date())) ?? 0) / 1000);
      posts.set(gateway.snapshot()?.directory.posts ?? 0);
      built.set(Date.parse(readPointer(out)?.built_at ?? '') / 1000);
      connections.set(await gateway.connections());
      const failing = new Set(readProblems(out).map(({ job }) => job));
      for (const what of JOBS) fault.set({ what }, failing.has(what) || faults.has(what) ? 1 : 0);
    };
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.#registry] });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.#registry] });
  }
}
