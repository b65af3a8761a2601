/**
 * Usage of a Worker, queried from Workers Analytics Engine over its SQL API
 * (developers.cloudflare.com/analytics/analytics-engine/sql-api).
 */
import * as v from 'valibot';
import { messageOf } from '../../common/thrown.ts';
import { ENDPOINTS, type EndpointName } from '../../contract/api.ts';
import { dateOf, dayOf } from '../../contract/day.ts';
import { POINT_COLUMNS } from '../../gateway/worker/usage-points.ts';
import { UsageUnavailable } from './errors.ts';
import type { UsageCount } from './usage-log.ts';

const TIMEOUT_MS = 60_000;

export interface AnalyticsEngine {
  /** The URL of Cloudflare's API: `https://api.cloudflare.com/client/v4`. */
  readonly api: string;
  /** The account's id, 32 hexadecimal digits. */
  readonly account: string;
  /** With the permission Account Analytics: Read. */
  readonly token: string;
  /** As in the Worker's configuration. */
  readonly dataset: string;
}

/** 64-bit numbers are strings in JSON, others are numbers; a sum of weights may be either. */
const number = v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.finite());
const ROWS = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    data: v.array(
      v.object({
        day: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d/)),
        account: v.string(),
        key: v.string(),
        endpoint: v.string(),
        status: number,
        requests: number,
      }),
    ),
  }),
);

/**
 * Queries the counts since a day.
 *
 * @param first UTC days since 1970
 * @throws UsageUnavailable
 */
export async function readCloudflareUsage(
  { api, account, token, dataset }: AnalyticsEngine,
  first: number,
): Promise<UsageCount[]> {
  const text = await ask(
    `${api}/accounts/${account}/analytics_engine/sql`,
    token,
    usageQuery(dataset, first),
  );
  const rows = v.safeParse(ROWS, text);
  if (!rows.success)
    throw new UsageUnavailable(
      'Cloudflare’s answer is not a table of usage. Try again later; if it still fails, check the dataset.',
    );
  return rows.output.data.map(({ day, endpoint, requests, ...row }) => ({
    ...row,
    day: dayOf(Date.parse(`${day.slice(0, 10)}T00:00:00Z`)),
    endpoint: isEndpoint(endpoint) ? endpoint : 'other',
    requests: Math.round(requests),
  }));
}

function isEndpoint(text: string): text is EndpointName {
  return Object.hasOwn(ENDPOINTS, text);
}

/**
 * The query in the engine's SQL dialect. A point represents `_sample_interval` requests.
 *
 * @param dataset a name of letters, digits and underscores
 */
function usageQuery(dataset: string, first: number): string {
  const columns = POINT_COLUMNS.map((column, i) => `blob${i + 1} AS ${column}`).join(', ');
  const since = dateOf(first);
  return (
    `SELECT toStartOfInterval(timestamp, INTERVAL '1' DAY) AS day, ${columns}, ` +
    `SUM(_sample_interval) AS requests FROM ${dataset} ` +
    `WHERE timestamp >= toDateTime('${since} 00:00:00') ` +
    `GROUP BY day, ${POINT_COLUMNS.join(', ')} FORMAT JSON`
  );
}

async function ask(url: string, token: string, query: string): Promise<string> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/plain' },
      body: query,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw new UsageUnavailable(`Cloudflare cannot be reached at ${new URL(url).host} (${messageOf(error)}).`);
  }
  const text = await response.text();
  if (response.ok) return text;
  if (response.status === 401 || response.status === 403) {
    throw new UsageUnavailable(
      'Cloudflare refused CLOUDFLARE_API_TOKEN for CLOUDFLARE_ACCOUNT_ID. The token needs the permission ' +
        '"Account Analytics: Read" for that account.',
    );
  }
  throw new UsageUnavailable(`Cloudflare answered ${response.status}: ${text.trim().slice(0, 300)}`);
}
