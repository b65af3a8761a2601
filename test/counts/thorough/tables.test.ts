/** PostgreSQL whose database, tables or rows are not as counting needs them. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { makeServedBlog, type ServedBlog } from '../../safety/served-blog.ts';
import { send } from '../../service/client.ts';
import { Cluster, lacksPostgres } from '../../service/postgres.ts';
import { offprintWithCounts, readyDatabase, requestsReported } from '../../service/postgres-home.ts';
import { type Server } from '../../service/server-process.ts';

describe.skipIf(lacksPostgres())('tables of counts', () => {
  let cluster: Cluster;
  let blog: ServedBlog;
  beforeAll(async () => {
    cluster = await Cluster.start();
    blog = await makeServedBlog(20, { day: { address: 1000, user: 1000 }, minute: 900 });
  });
  afterAll(() => cluster.remove());

  const serve = async (address: string): Promise<Server> => {
    const server = await blog.serve('--counts', address);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    await expect.poll(async () => (await send(server.url, { path: '/readyz' })).status).toBe(200);
    return server;
  };
  const serveFails = (address: string) =>
    offprintWithCounts(['serve', '--out', blog.out, '--port', '0', '--counts', address]);
  const statusFor = async (server: Server, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await send(server.url, { path: `${PREFIX}/tags`, headers })).status;
  const from = (address: string) => ({ 'x-forwarded-for': address });

  /** `counts init` and `doctor` say what is wrong, in one line. */
  async function expectRefused(address: string, says: RegExp): Promise<void> {
    const { code, stdout, stderr } = await offprintWithCounts(['counts', 'init', '--counts', address]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(says)]);
    const doctor = await offprintWithCounts(['doctor', '--json', '--counts', address, '--out', blog.out]);
    const { findings } = JSON.parse(doctor.stdout) as { findings: Record<string, string>[] };
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'counts', level: 'error', finding: expect.stringMatching(says) }),
    );
  }

  test('a database of another encoding is refused', async () => {
    await cluster.query(
      `CREATE DATABASE of_latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    await expectRefused(cluster.address('of_latin'), /LATIN1.*use a database with the encoding UTF8/);
    const { code, stderr } = await serveFails(cluster.address('of_latin'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/LATIN1/)]);
  });

  test.each<[string, string, RegExp]>([
    [
      'lacks a column',
      'ALTER TABLE offprint_tally DROP other_days',
      /"other_days" .*does not exist.*counts init --sql/,
    ],
    ['has no primary key', 'ALTER TABLE offprint_tally DROP CONSTRAINT offprint_tally_pkey', /ON CONFLICT/],
    ['has usage without a column', 'ALTER TABLE offprint_usage DROP requests CASCADE', /requests/],
  ])('a table that %s is refused', async (_, change, says) => {
    const { address, database } = await readyDatabase(cluster);
    await cluster.query(change, database);
    await expectRefused(address, says);
  });

  test('row security, and the table of another schema that search_path finds first', async () => {
    const { address, database } = await readyDatabase(cluster);
    await cluster.query(
      `CREATE ROLE ${database} LOGIN; ALTER TABLE offprint_tally ENABLE ROW LEVEL SECURITY;
       GRANT ALL ON ALL TABLES IN SCHEMA public TO ${database}; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${database}`,
      database,
    );
    const ofRole = address.replace('postgres@', `${database}@`);
    expect((await serveFails(ofRole)).stderr).toMatch(/row-level security/);
    await cluster.query(
      `ALTER TABLE offprint_tally DISABLE ROW LEVEL SECURITY; CREATE SCHEMA ${database} AUTHORIZATION ${database};
       CREATE TABLE ${database}.offprint_tally (principal text); GRANT ALL ON ${database}.offprint_tally TO ${database}`,
      database,
    );
    expect((await serveFails(ofRole)).stderr).toMatch(/compare its tables|ON CONFLICT/);
  });

  test('a role that rounds numbers counts by the right clock', async () => {
    const { address, database } = await readyDatabase(cluster);
    await cluster.query(`ALTER DATABASE ${database} SET extra_float_digits = -10`);
    const server = await serve(address);
    for (let request = 0; request < 3; request++)
      expect(await statusFor(server, from('192.0.2.1'))).toBe(200);
    const [row] = await cluster.query(
      "SELECT day, minute FROM offprint_tally WHERE principal LIKE 'address:%'",
      database,
    );
    expect(Math.abs(Number(row?.['day']) * 86_400_000 - Date.now())).toBeLessThan(2 * 86_400_000);
    const [first = ''] = String(row?.['minute']).split(/[ *]/);
    expect(Math.abs(Number(first) - Date.now())).toBeLessThan(3_600_000);
    await expect.poll(() => requestsReported(address, blog.out)).toBe(3);
  });
});
