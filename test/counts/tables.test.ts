/** PostgreSQL whose database, tables or rows are not as counting needs them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PREFIX } from '../../contract/api.ts';
import { makeServedBlog, type ServedBlog } from '../safety/served-blog.ts';
import { send } from '../service/client.ts';
import { offprint } from '../service/command.ts';
import { Cluster, lacksPostgres } from '../service/postgres.ts';
import { readyDatabase } from '../service/postgres-home.ts';
import { type Server } from '../service/server-process.ts';

const NEVER_MS = 60_000;

/** A collation in which `a` and `A` are the same. */
const FOLDED = `CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  ALTER TABLE offprint_tally ALTER principal TYPE text COLLATE folded`;

describe.skipIf(lacksPostgres())('tables of counts', () => {
  let cluster: Cluster;
  let blog: ServedBlog;
  beforeAll(async () => {
    cluster = await Cluster.start();
    blog = await makeServedBlog(20, { day: { address: 1000, user: 1000 }, minute: 900 });
  });
  afterAll(async () => {
    blog.remove();
    await cluster.remove();
  });

  const serve = async (address: string): Promise<Server> => {
    const server = await blog.serve('--counts', address);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    return server;
  };
  const serveFails = (address: string) =>
    offprint(['serve', '--out', blog.out, '--port', '0', '--counts', address]);
  const statusFor = async (server: Server, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await send(server.url, { path: `${PREFIX}/tags`, headers })).status;
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const keyOf = async (account: string) => {
    const { key } = await blog.createKey({ account, name: account });
    return { authorization: `Bearer ${key}` };
  };
  const usedOf = async (account: string, database: string) =>
    (
      await cluster.query(`SELECT used FROM offprint_tally WHERE principal = 'account:${account}'`, database)
    )[0]?.['used'];

  /** Runs a command again while a busy machine keeps it from connecting in time. */
  async function run(...args: readonly string[]): ReturnType<typeof offprint> {
    const result = await offprint(args);
    return /timeout|no answer/.test(result.stderr + result.stdout) ? run(...args) : result;
  }

  /** `counts init` and `doctor` say what is wrong, in one line. */
  async function expectRefused(address: string, says: RegExp): Promise<void> {
    const { code, stdout, stderr } = await run('counts', 'init', '--counts', address);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(says)]);
    const doctor = await run('doctor', '--json', '--counts', address, '--out', blog.out);
    const { findings } = JSON.parse(doctor.stdout) as { findings: Record<string, string>[] };
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'counts', level: 'error', finding: expect.stringMatching(says) }),
    );
  }

  test.each(['LATIN1', 'SQL_ASCII'])('a database of the encoding %s is refused', async (encoding) => {
    const database = `of_${encoding.toLowerCase()}`;
    await cluster.query(
      `CREATE DATABASE ${database} ENCODING '${encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    const says = new RegExp(`the database has the encoding ${encoding}\\): use one of the encoding UTF8`);
    await expectRefused(cluster.address(database), says);
    const { code, stderr } = await serveFails(cluster.address(database));
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(await cluster.query("SELECT FROM pg_class WHERE relname ~ '^offprint'", database)).toEqual([]);
  });

  const NULL_TRIGGER = `CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER nothing BEFORE UPDATE ON offprint_tally FOR EACH ROW EXECUTE FUNCTION nothing()`;
  const NOT_HELD = /offprint_tally does not hold what is written to it/;

  test.each<[string, string, RegExp]>([
    [
      'lacks a column',
      'ALTER TABLE offprint_tally DROP other_days',
      /"other_days" .*does not exist.*counts init --sql/,
    ],
    ['has a column of another type', 'ALTER TABLE offprint_tally ALTER used TYPE bigint', NOT_HELD],
    ['has a smaller column', 'ALTER TABLE offprint_tally ALTER used TYPE smallint', /smallint out of range/],
    ['has a shorter column', 'ALTER TABLE offprint_tally ALTER minute TYPE varchar(255)', /value too long/],
    [
      'has a generated column',
      'ALTER TABLE offprint_tally DROP other_days, ADD other_days text GENERATED ALWAYS AS (minute) STORED',
      /"other_days"/,
    ],
    ['has no primary key', 'ALTER TABLE offprint_tally DROP CONSTRAINT offprint_tally_pkey', /ON CONFLICT/],
    ['takes names of another case for the same', FOLDED, /affect row a second time/],
    ['is UNLOGGED', 'ALTER TABLE offprint_tally SET UNLOGGED', /UNLOGGED.*SET LOGGED/],
    ['has a secret that is UNLOGGED', 'ALTER TABLE offprint_secret SET UNLOGGED', /UNLOGGED.*SET LOGGED/],
    ['has a trigger that returns null', NULL_TRIGGER, NOT_HELD],
    [
      'has a trigger that changes counts',
      NULL_TRIGGER.replace('RETURN NULL', 'NEW.used := 0; RETURN NEW'),
      NOT_HELD,
    ],
    [
      'has a rule',
      'CREATE RULE nothing AS ON UPDATE TO offprint_tally DO INSTEAD NOTHING',
      /RULE|rules|RETURNING/,
    ],
    ['has usage without a column', 'ALTER TABLE offprint_usage DROP requests CASCADE', /requests/],
  ])('a table that %s is refused', async (_, change, says) => {
    const { address, database } = await readyDatabase(cluster);
    await cluster.query(change, database);
    await expectRefused(address, says);
  });

  test('columns that only an earlier version used change nothing', async () => {
    const { address, database } = await readyDatabase(cluster);
    await cluster.query("ALTER TABLE offprint_tally ADD leased text NOT NULL DEFAULT ''", database);
    expect((await run('counts', 'init', '--counts', address)).code).toBe(0);
    expect(await statusFor(await serve(address), await keyOf('ada'))).toBe(200);
    expect(await usedOf('ada', database)).toBe(1);
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
    expect(Math.abs(Number(first) - Date.now())).toBeLessThan(NEVER_MS);
    await expect
      .poll(async () => {
        const { stdout } = await offprint(['usage', '--json', '--counts', address, '--out', blog.out]);
        return (JSON.parse(stdout) as { requests: number }).requests;
      })
      .toBe(3);
  });

  test('a caller whose row is not written is refused, and the others are counted', async () => {
    const { address, database } = await readyDatabase(cluster);
    const [lost, other] = [await keyOf('lost'), await keyOf('other')];
    const server = await serve(address);
    await cluster.query(
      NULL_TRIGGER.replace('EACH ROW', "EACH ROW WHEN (NEW.principal = 'account:lost')"),
      database,
    );
    const statuses = await Promise.all(
      Array.from({ length: 40 }, (_, i) => statusFor(server, i % 2 === 0 ? lost : other)),
    );
    expect(statuses).toEqual(statuses.map((_, i) => (i % 2 === 0 ? 503 : 200)));
    expect([await usedOf('lost', database), await usedOf('other', database)]).toEqual([0, 20]);
    expect(server.log).toContain('a row of offprint_tally was not written');
  });

  test('an account whose name cannot be stored does not stop the others', async () => {
    const { address, database } = await readyDatabase(cluster);
    const keys = [await keyOf('nul'), await keyOf('half'), await keyOf('whole')];
    for (const path of readdirSync(join(blog.out, 'keys')).map((name) => join(blog.out, 'keys', name))) {
      const record = readFileSync(path, 'utf8').replace('"nul"', '"a\\u0000"').replace('"half"', '"\\ud800"');
      writeFileSync(path, record);
    }
    const server = await serve(address);
    expect(await Promise.all(keys.map((key) => statusFor(server, key)))).toEqual([503, 503, 200]);
    expect(await usedOf('whole', database)).toBe(1);
    expect(server.log).toContain('it cannot store the name of the account');
  });

  test.each(['INSERT', 'UPDATE'])(
    'a caller whose data is refused at %s does not stop the others',
    async (at) => {
      const { address, database } = await readyDatabase(cluster);
      const accounts = ['ада', ...Array.from({ length: 12 }, (_, i) => `of ${at} ${i}`)];
      const keys = await Promise.all(accounts.map(keyOf));
      const server = await serve(address);
      await cluster.query(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.principal = 'account:ада' THEN RAISE 'refused' USING ERRCODE = '22P05'; END IF; RETURN NEW; END $$;
       CREATE TRIGGER refuse BEFORE ${at} ON offprint_tally FOR EACH ROW EXECUTE FUNCTION refuse()`,
        database,
      );
      const connections = `SELECT count(*)::int AS number, min(pid) AS pid FROM pg_stat_activity
      WHERE application_name = 'offprint' AND datname = '${database}'`;
      const before = await cluster.query(connections);
      for (let round = 1; round <= 5; round++) {
        const statuses = await Promise.all(keys.map((key) => statusFor(server, key)));
        expect(statuses).toEqual([503, ...accounts.slice(1).map(() => 200)]);
        for (const account of accounts.slice(1)) expect(await usedOf(account, database)).toBe(round);
      }
      expect(await cluster.query(connections)).toEqual(before);
      expect(server.log).toContain('refused');
    },
  );
});
