/**
 * Usage as points of Cloudflare's Workers Analytics Engine: which column holds what. The Worker writes points,
 * the command `usage` asks for their sums; both take the order from here.
 *
 * A point costs the request nothing: `writeDataPoint` does not wait. Points are kept for three months, and where
 * very many come, the engine keeps a sample, each point carrying how many it stands for.
 */
import type { UsageKind, UsageRecorder } from '../usage.ts';

/** The columns of a point, `blob1` first. The day is the engine's own timestamp. */
export const POINT_COLUMNS = ['account', 'key', 'endpoint', 'status'] as const;

/** Longest index, in bytes (developers.cloudflare.com/analytics/analytics-engine/limits). */
const INDEX_BYTES = 96;

/** What `writeDataPoint` takes. */
export interface UsagePoint {
  /** What is sampled fairly: the account, so that a busy one does not drown the others. */
  readonly indexes: [string];
  readonly blobs: string[];
}

/** What a Worker has where a dataset is bound to it. */
export interface PointDataset {
  writeDataPoint(point: UsagePoint): void;
}

/** The point of one request. */
export function usagePoint(kind: UsageKind): UsagePoint {
  const bytes = new TextEncoder().encode(kind.account);
  const index = bytes.length <= INDEX_BYTES ? kind.account : kind.key;
  return { indexes: [index], blobs: POINT_COLUMNS.map((column) => String(kind[column])) };
}

/** Writes a point for each request. A point that is refused is let go: answering goes before counting it. */
export function usagePoints(dataset: PointDataset): UsageRecorder {
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
