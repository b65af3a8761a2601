/**
 * `npm run bench:counts [-- --seconds 8]`: what a counted request costs with counts in PostgreSQL, and with those of one
 * machine, in the same run: 64 connections, 2,000 callers, each below the limits. Then rows and bytes after many counts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { PREFIX } from '../../contract/api.ts';
import { markdownTable } from '../../release/markdown-table.ts';
import { Cluster } from '../../test/service/postgres.ts';
import { temporaryFolder } from '../folder.ts';
import { buildBlog, makeBlog, OFFPRINT } from '../offprint.ts';
import { optionsOf } from '../options.ts';
import { usageOf } from '../process-usage.ts';
import { Processes, type ServerProcess } from '../processes.ts';
import { runWrk } from '../speed/wrk.ts';
import { median } from '../statistics.ts';

const ROUNDS = 3;
const CALLERS = 2000;
const CONNECTIONS = 64;
/** Up to 10,000 a day each request is counted by itself. */
const LIMITS = { day: { address: 10_000, user: 10_000, admin: 10_000 }, minute: 5000 };
const MOST_CPU = 1.5;

const { seconds } = optionsOf('npm run bench:counts', { seconds: [8, 3] });
const processes = new Processes();
const blog = makeBlog(temporaryFolder(), 100, LIMITS);
await buildBlog(blog);
const cluster = await Cluster.start('fsync = on\nshared_buffers = 128MB\nautovacuum_naptime = 5s');
const database = await cluster.createDatabase();
const counts = ['--counts', cluster.address(database)];
await processes.run([process.execPath, OFFPRINT, 'counts', 'init', ...counts]);

const HOMES: readonly (readonly [name: string, processes: number, flags: readonly string[]])[] = [
  ['SQLite', 1, []],
  ['PostgreSQL', 1, counts],
  ['PostgreSQL, two processes', 2, counts],
];
const measured = new Map<string, Measured[]>();
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, number, flags] of HOMES)
    measured.set(name, [...(measured.get(name) ?? []), await measureHome(number, flags)]);
}
const medianOf = (name: string, figure: keyof Measured) =>
  median((measured.get(name) ?? []).map((one) => one[figure]));
console.log(
  markdownTable(
    ['counts', 'CPU a request, µs', 'requests a second', 'p99, ms', 'transactions for 1,000 requests'],
    HOMES.map(([name]) => [
      name,
      medianOf(name, 'cpuUs').toFixed(1),
      medianOf(name, 'rate').toFixed(0),
      medianOf(name, 'p99').toFixed(1),
      name === 'SQLite' ? '' : medianOf(name, 'transactions').toFixed(0),
    ]),
  ),
);
console.log(JSON.stringify(await tableSize()));
await cluster.remove();
const ratio = medianOf('PostgreSQL', 'cpuUs') / medianOf('SQLite', 'cpuUs');
console.log(
  `${ratio > MOST_CPU ? 'FAILS' : 'ok'}: ${ratio.toFixed(2)} times the CPU of SQLite, at most ${MOST_CPU}`,
);
process.exitCode = ratio > MOST_CPU ? 1 : 0;

interface Measured {
  /** Microseconds of the gateway's processes for one request. */
  readonly cpuUs: number;
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p99: number;
  /** For 1,000 requests. */
  readonly transactions: number;
}

async function measureHome(number: number, flags: readonly string[]): Promise<Measured> {
  await cluster.query('TRUNCATE offprint_tally', database);
  const servers: ServerProcess[] = [];
  for (let i = 0; i < number; i++) servers.push(await serve(flags));
  await load(servers, 1); // Warm.
  const [cpu, transaction] = [cpuOf(servers), await nextTransaction()];
  const loads = await load(servers, seconds);
  const cpuUs = cpuOf(servers) - cpu;
  const transactions = (await nextTransaction()) - transaction;
  for (const server of servers) await server.stop();
  const failed = loads.reduce((sum, { statusErrors, socketErrors }) => sum + statusErrors + socketErrors, 0);
  if (failed > 0) throw new Error(`${failed} requests failed.`);
  const requests = loads.reduce((sum, one) => sum + one.requests, 0);
  return {
    cpuUs: cpuUs / requests,
    rate: loads.reduce((sum, one) => sum + (one.requests / one.us) * 1e6, 0),
    p99: Math.max(...loads.map(({ p99 }) => p99)) / 1000,
    transactions: (transactions / requests) * 1000,
  };
}

function serve(flags: readonly string[]): Promise<ServerProcess> {
  const command = [process.execPath, '--max-semi-space-size=4', OFFPRINT, 'serve', '--out', blog.out];
  return processes.serve([...command, '--config', blog.config, '--port', '0', ...flags]);
}

function load(servers: readonly ServerProcess[], seconds: number) {
  const [connections, headers] = [CONNECTIONS / servers.length, {}];
  return Promise.all(
    servers.map(({ url }) =>
      runWrk(processes, {
        url: `${url}${PREFIX}/tags`,
        headers,
        connections,
        seconds,
        callers: CALLERS,
        under: [],
      }),
    ),
  );
}

function cpuOf(servers: readonly ServerProcess[]): number {
  return servers.reduce((sum, { pid }) => sum + usageOf(pid).cpuUs, 0);
}

async function nextTransaction(): Promise<number> {
  const [row] = await cluster.query('SELECT pg_current_xact_id()::text::float8 AS next', database);
  return Number(row?.['next']);
}

/** The table after all requests of a server at full load, once autovacuum had time. */
async function tableSize(): Promise<Record<string, unknown>> {
  await cluster.query('TRUNCATE offprint_tally; SELECT pg_stat_reset()', database);
  const server = await serve(counts);
  const [{ requests } = { requests: 0 }] = await load([server], seconds * 5);
  await server.stop();
  await delay(1000);
  const [row] = await cluster.query(
    `SELECT count(*)::int AS rows, pg_relation_size('offprint_tally')::int AS bytes,
       pg_indexes_size('offprint_tally')::int AS index_bytes, avg(pg_column_size(offprint_tally.*))::int AS row_bytes,
       (SELECT n_tup_upd::int FROM pg_stat_user_tables WHERE relname = 'offprint_tally') AS updates,
       (SELECT n_tup_hot_upd::int FROM pg_stat_user_tables WHERE relname = 'offprint_tally') AS hot
     FROM offprint_tally`,
    database,
  );
  return { requests, ...row };
}
