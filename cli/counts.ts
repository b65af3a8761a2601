/** The counts of several processes in PostgreSQL, which `--counts` names. Loaded only with it, for its client. */
import type { Client } from 'pg';
import { parseCountsAddress } from '../gateway/node/postgres/address.ts';
import { PostgresQuotaCounter } from '../gateway/node/postgres/postgres-quota-counter.ts';
import { queryRows } from '../gateway/node/postgres/rows.ts';
import { connectWritable, CountsUnavailable } from '../gateway/node/postgres/session.ts';
import { TABLES, tryTables, type UsageRow, usageSince } from '../gateway/node/postgres/tables.ts';
import type { UsageCount, UsageStore } from './usage/usage-log.ts';

/**
 * Opens the counter.
 *
 * @param onFailure a request was refused, since it could not be counted
 * @throws CountsAddressWrong, CountsUnavailable
 */
export async function openCounts(
  text: string,
  onFailure: (error: unknown) => void,
): Promise<PostgresQuotaCounter> {
  const secret = process.env['ADDRESS_SECRET'];
  const counter = new PostgresQuotaCounter({ address: parseCountsAddress(text), secret, onFailure });
  await counter.open();
  return counter;
}

/** Adds up the usage of all processes. */
export function sharedUsage(counter: PostgresQuotaCounter): UsageStore {
  return { add: (counts, first) => counter.addUsage(counts, first), close: () => undefined };
}

/** Reads the usage of all processes. @throws CountsAddressWrong, CountsUnavailable */
export async function readSharedUsage(text: string, first: number): Promise<UsageCount[]> {
  const rows = await onConnection(text, (client) => queryRows<UsageRow>(client, usageSince(first)));
  return rows.map((row) => ({ ...row, requests: Number(row.requests) }));
}

/** Makes the tables, and checks them. @throws CountsAddressWrong, CountsUnavailable */
export function makeTables(text: string): Promise<void> {
  return onConnection(text, async (client) => {
    await queryRows(client, TABLES);
    await queryRows(client, tryTables());
  });
}

/** How durable counts are. */
interface Durability {
  /** `on` or `off`. */
  readonly fsync: string;
  /** Empty: none is waited for. */
  readonly standbys: string;
}

/** Checks the tables, and reads how durable they are. @throws CountsAddressWrong, CountsUnavailable */
export function checkCounts(text: string): Promise<Durability | undefined> {
  return onConnection(text, async (client) => {
    await queryRows(client, tryTables());
    const shown = `SELECT current_setting('synchronous_standby_names') AS standbys, current_setting('fsync') AS fsync`;
    const [durability] = await queryRows<Durability>(client, shown);
    return durability;
  });
}

/** @throws CountsAddressWrong, CountsUnavailable */
async function onConnection<T>(text: string, work: (client: Client) => Promise<T>): Promise<T> {
  const address = parseCountsAddress(text);
  try {
    const client = await connectWritable(address);
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw new CountsUnavailable(address, error);
  }
}
