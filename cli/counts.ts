/** The counts of several processes in PostgreSQL, which `--counts` names. Its client is loaded only then. */
import type { CountsAddress } from '../gateway/node/postgres/address.ts';
import type { PostgresQuotaCounter } from '../gateway/node/postgres/postgres-quota-counter.ts';
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
  const { address } = await load(text);
  const { PostgresQuotaCounter } = await import('../gateway/node/postgres/postgres-quota-counter.ts');
  const secret = process.env['ADDRESS_SECRET'] || undefined;
  const counter = new PostgresQuotaCounter({ address, secret, failed });
  await counter.open();
  return counter;
}

/** Adds up the usage of all processes. */
export function usageOfAll(counter: PostgresQuotaCounter): UsageStore {
  return { add: (counts, first) => counter.addUsage(counts, first), close: () => undefined };
}

/** Reads the usage of all processes. @throws CountsAddressWrong, CountsUnavailable */
export async function readUsageOfAll(text: string, first: number): Promise<UsageCount[]> {
  const { usageSince } = await import('../gateway/node/postgres/tables.ts');
  return queryCounts<UsageCount>(text, usageSince(first));
}

/** Runs statements on a connection of their own. @throws CountsAddressWrong, CountsUnavailable */
export async function queryCounts<Row extends object>(text: string, statements: string): Promise<Row[]> {
  const { address, session } = await load(text);
  try {
    const client = await session.connectWritable(address);
    try {
      return await session.rowsOf<Row>(client, statements);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw new session.CountsUnavailable(address, error);
  }
}

async function load(text: string): Promise<{
  readonly address: CountsAddress;
  readonly session: typeof import('../gateway/node/postgres/session.ts');
}> {
  const { parseCountsAddress } = await import('../gateway/node/postgres/address.ts');
  return {
    address: parseCountsAddress(text),
    session: await import('../gateway/node/postgres/session.ts'),
  };
}
