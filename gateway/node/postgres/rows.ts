import type { Client, QueryResultRow } from 'pg';

/** The rows of all statements, which have the same columns. */
export async function queryRows<Row extends QueryResultRow>(
  client: Client,
  statements: string,
): Promise<Row[]> {
  // An array for several statements, which the types leave out.
  const results = [await client.query<Row>(statements)].flat();
  return results.flatMap(({ rows }) => rows);
}
