import { type Client, Query, type QueryResultRow } from 'pg';

/** The result of statements of the same columns. */
export function rowsOf<Row extends QueryResultRow>(client: Client, statements: string): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const rows: Row[] = [];
    const query = client.query(new Query<Row>(statements));
    query.on('row', (row) => rows.push(row));
    query.on('error', reject);
    query.on('end', () => resolve(rows));
  });
}
