/**
 * Usage as data points of Cloudflare's Workers Analytics Engine, to be queried there in SQL
 * (docs/operators/cloudflare.md).
 *
 * `writeDataPoint` does not wait, so requests are not delayed. Points are kept for three months. The engine samples large
 * amounts; each point has its sample interval.
 */
import type { AnalyticsEngineDataPoint, AnalyticsEngineDataset } from '@cloudflare/workers-types';
import type { UsageKind, UsageRecorder } from '../usage.ts';

/** The columns of a point, from `blob1`. The day is the engine's timestamp. */
const POINT_COLUMNS = ['account', 'key', 'endpoint', 'status'] as const;

/** Longest index, in bytes (developers.cloudflare.com/analytics/analytics-engine/limits). */
const INDEX_BYTES = 96;

/** The point of one request. Its index is the account: sampling is fair by index, so busy accounts do not hide others. */
export function usagePoint(kind: UsageKind): AnalyticsEngineDataPoint {
  const bytes = new TextEncoder().encode(kind.account);
  const index = bytes.length <= INDEX_BYTES ? kind.account : kind.key;
  return { indexes: [index], blobs: POINT_COLUMNS.map((column) => String(kind[column])) };
}

/** Writes a point for each request. A rejected point is dropped: answers matter more. */
export function usagePoints(dataset: AnalyticsEngineDataset): UsageRecorder {
  return {
    record(kind) {
      try {
        dataset.writeDataPoint(usagePoint(kind));
      } catch {
        // See above.
      }
    },
  };
}
