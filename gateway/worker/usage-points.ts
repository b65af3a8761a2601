/**
 * Usage as points of Cloudflare's Workers Analytics Engine: which column holds what. The Worker writes points,
 * the command `usage` asks for their sums; both take the order from here.
 *
 * A point costs the request nothing: `writeDataPoint` does not wait. Points are kept for three months, and where
 * very many come, the engine keeps a sample, each point carrying how many it stands for.
 */
import type { AnalyticsEngineDataPoint, AnalyticsEngineDataset } from '@cloudflare/workers-types';
import type { UsageKind, UsageRecorder } from '../usage.ts';

/** The columns of a point, `blob1` first. The day is the engine's own timestamp. */
export const POINT_COLUMNS = ['account', 'key', 'endpoint', 'status'] as const;

/** Longest index, in bytes (developers.cloudflare.com/analytics/analytics-engine/limits). */
const INDEX_BYTES = 96;

/** The point of one request. Its index is what is sampled fairly: the account, so that a busy one does not drown the others. */
export function usagePoint(kind: UsageKind): AnalyticsEngineDataPoint {
  const bytes = new TextEncoder().encode(kind.account);
  const index = bytes.length <= INDEX_BYTES ? kind.account : kind.key;
  return { indexes: [index], blobs: POINT_COLUMNS.map((column) => String(kind[column])) };
}

/** Writes a point for each request. A point that is refused is let go: answering goes before counting it. */
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
