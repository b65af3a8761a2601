/** The counts of several processes in PostgreSQL, which `--counts` names. Loaded only with it, for its client. */
import { parseCountsAddress } from '../gateway/node/postgres/address.ts';
import { PostgresQuotaCounter } from '../gateway/node/postgres/postgres-quota-counter.ts';
import { connectWritable, CountsUnavailable, rowsOf } from '../gateway/node/postgres/session.ts';
import { usageSince } from '../gateway/node/postgres/tables.ts';
import type { UsageCount, UsageStore } from './usage/usage-log.ts';

/**
 * Opens the counter.
 *
 * @param failed a request was refused, since it could not be counted
 * @throws CountsAddressWrong, CountsUnavailable
 */
export async function openCounts(
  text: string,
  failed: (error: unknown) => void,
): Promise<PostgresQuotaCounter> {
  const secret = process.env['ADDRESS_SECRET'];
  const counter = new PostgresQuotaCounter({ address: parseCountsAddress(text), secret, failed });
  await counter.open();
  return counter;
}

/** Adds up the usage of all processes. */
export function usageOfAll(counter: PostgresQuotaCounter): UsageStore {
  return { add: (counts, first) => counter.addUsage(counts, first), close: () => undefined };
}

/** Reads the usage of all processes. @throws CountsAddressWrong, CountsUnavailable */
export function readUsageOfAll(text: string, first: number): Promise<UsageCount[]> {
  return queryCounts<UsageCount>(text, usageSince(first));
}

/** Runs statements on a connection of their own. @throws CountsAddressWrong, CountsUnavailable */
export async function queryCounts<Row extends object>(text: string, statements: string): Promise<Row[]> {
  const address = parseCountsAddress(text);
  try {
    const client = await connectWritable(address);
    try {
      return await rowsOf<Row>(client, statements);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw new CountsUnavailable(address, error);
  }
}
