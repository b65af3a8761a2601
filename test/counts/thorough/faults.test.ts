/** Counts in PostgreSQL when it is away, slow or wrongly set up, and what several processes share. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PREFIX } from '../../../contract/api.ts';
import { makeServedBlog, type ServedBlog } from '../../safety/served-blog.ts';
import { type Call, type Reply, send } from '../../service/client.ts';
import { lacks } from '../../lacks.ts';
import { Cluster, lacksPostgres, startPgBouncer } from '../../service/postgres.ts';
import { offprintWithCounts, readyDatabase, requestsReported } from '../../service/postgres-home.ts';
import { type Server, startServer } from '../../service/server-process.ts';

describe.skipIf(lacksPostgres())('counts in PostgreSQL', () => {
  let cluster: Cluster;
  let blog: ServedBlog;
  beforeAll(async () => {
    cluster = await Cluster.start('deadlock_timeout = 100ms');
    blog = await makeServedBlog(20, { day: { address: 900, user: 50_000 }, minute: 900 });
  });
  afterAll(() => cluster.remove());

  const serveAlready = async (address: string, ...flags: readonly string[]): Promise<Server> => {
    const server = await blog.serve('--counts', address, ...flags);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    return server;
  };
  /** Waits for its first connection too. */
  const serve = async (address: string, ...flags: readonly string[]): Promise<Server> => {
    const server = await serveAlready(address, ...flags);
    await until(server, '/readyz', 200);
    return server;
  };
  const ask = (server: Server, call: Partial<Call> = {}): Promise<Reply> =>
    send(server.url, { path: `${PREFIX}/tags`, ...call });
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const usedIn = (database: string) =>
    cluster.query("SELECT used FROM offprint_tally WHERE principal LIKE 'address:%'", database);
  const statusOf = async (server: Server, path: string) => (await send(server.url, { path })).status;
  const until = (server: Server, path: string, status: number) =>
    expect.poll(() => statusOf(server, path), { interval: 100 }).toBe(status);

  /** What must be counted is refused, and the rest is served. */
  async function expectAway(server: Server): Promise<void> {
    const reply = await ask(server);
    expect([reply.status, reply.header('retry-after')]).toEqual([503, '2']);
    expect(reply.json).toEqual({
      success: false,
      message: 'Requests cannot be counted at the moment. Try again in a moment.',
    });
    const preflight = await ask(server, { method: 'OPTIONS' });
    expect([preflight.status, Number(preflight.header('x-quota-used')) >= 0]).toEqual([204, true]);
    const shown = { '/': 200, '/openapi.json': 200, '/nothing': 404, '/healthz': 200, '/readyz': 503 };
    for (const [path, status] of Object.entries(shown))
      expect([path, await statusOf(server, path)]).toEqual([path, status]);
  }

  test('a gateway that counts alone is refused next to one with --counts, and the other way', async () => {
    const { address } = await readyDatabase(cluster);
    const start = (...flags: readonly string[]) =>
      offprintWithCounts(['serve', '--out', blog.out, '--port', '0', ...flags]);
    const together = await serve(address);
    const refused = await start();
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(together.url)]);
    await together.end('SIGKILL');
    const alone = await blog.serve();
    try {
      const late = await start('--counts', address);
      expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('without --counts')]);
    } finally {
      await alone.end('SIGTERM');
    }
    await serve(address);
  });

  test('two processes on one output share each count, and the secret for addresses', async () => {
    const { address, database } = await readyDatabase(cluster);
    const [one, other] = [await serve(address), await serve(address, '--admin', '0')];
    const used: unknown[] = [];
    for (const server of [one, other, one, other])
      used.push((await ask(server, from('192.0.2.7'))).header('x-quota-used'));
    expect(used).toEqual(['1', '2', '3', '4']);
    expect(await usedIn(database)).toEqual([{ used: 4 }]);
    await expect.poll(() => requestsReported(address, blog.out)).toBe(4);
    const { key } = await blog.createKey({ account: 'ada', name: 'ada' });
    for (const server of [one, other]) await ask(server, { headers: { authorization: `Bearer ${key}` } });
    const show = ['accounts', 'show', 'ada', '--json', '--db', blog.db, '--out', blog.out];
    await expect
      .poll(
        async () => JSON.parse((await offprintWithCounts([...show, '--counts', address])).stdout) as unknown,
      )
      .toMatchObject({ used: { today: 2, month: 2 } });
    const [, admin = ''] = /metrics on (http:\S+)/.exec(other.log) ?? [];
    expect(await (await fetch(admin)).text()).toMatch(
      new RegExp(String.raw`offprint_build_info\{[^}]*process="[^"]+:${other.pid}"`),
    );
  });

  test('is asked for its state once a second, however often /readyz is', async () => {
    const { address, database } = await readyDatabase(cluster);
    const server = await serve(address);
    const transactions = async () =>
      Number((await cluster.query('SELECT txid_current() AS id', database))[0]?.['id']);
    const [before, started] = [await transactions(), performance.now()];
    for (let i = 0; i < 40; i++) expect((await send(server.url, { path: '/readyz' })).status).toBe(200);
    const seconds = (performance.now() - started) / 1000;
    expect((await transactions()) - before).toBeLessThan(10 + 3 * seconds);
  });

  test('addresses are those of ADDRESS_SECRET, as at Cloudflare', async () => {
    const { address, database } = await readyDatabase(cluster);
    process.env['ADDRESS_SECRET'] = 'of all homes';
    const server = await serve(address).finally(() => delete process.env['ADDRESS_SECRET']);
    await ask(server, from('192.0.2.7'));
    const { addressHash } = await import('../../../gateway/fetch/address-hash.ts');
    expect(
      await cluster.query("SELECT principal FROM offprint_tally WHERE principal <> 'nobody'", database),
    ).toEqual([{ principal: await addressHash('of all homes')('192.0.2.7') }]);
  });

  test('a start without PostgreSQL waits for it, and a loss is survived', async () => {
    const own = await Cluster.start();
    onTestFinished(() => own.remove());
    const { address } = await readyDatabase(own);
    await own.stop();
    const server = await serveAlready(address);
    await expectAway(server);
    await own.start();
    await until(server, '/readyz', 200);
    expect((await ask(server)).header('x-quota-used')).toBe('1');
    const preflight = await ask(server, { method: 'OPTIONS' });
    expect(preflight.header('x-quota-used')).toBe('1');

    await own.stop('SIGKILL');
    await until(server, `${PREFIX}/tags`, 503);
    await expectAway(server);
    await own.start();
    await until(server, `${PREFIX}/tags`, 200);
    await until(server, '/readyz', 200);
    expect(server.log).not.toContain('    at ');
  });

  test('without its synchronous standby nothing is served uncounted, and few connections wait', async () => {
    const own = await Cluster.start();
    onTestFinished(() => own.remove());
    const { address, database } = await readyDatabase(own);
    const server = await serve(address);
    expect((await ask(server)).status).toBe(200);
    own.configure("synchronous_standby_names = 'away'");
    await until(server, `${PREFIX}/tags`, 503);
    const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    const connectionsWaiting = async () => (await own.query(waiting)).length;
    await expect.poll(connectionsWaiting).toBeGreaterThan(0);
    for (let time = 0; time < 15; time++) expect((await ask(server)).status).toBe(503);
    await expectAway(server);
    expect(await connectionsWaiting()).toBeLessThanOrEqual(5);
    // An operator ends the wait: the commit may be lost with this server, so it is no success.
    own.configure("synchronous_standby_names = ''");
    await until(server, '/readyz', 200);
    expect((await ask(server)).status).toBe(200);
    own.configure("synchronous_standby_names = 'away'");
    const request = () => {
      const made = { reply: ask(server), isAnswered: false };
      void made.reply.then(() => (made.isAnswered = true));
      return made;
    };
    // Until PostgreSQL has read the setting, requests are answered.
    let pending = request();
    while ((await connectionsWaiting()) === 0 || pending.isAnswered)
      if (pending.isAnswered) pending = request();
    await own.query(`SELECT pg_cancel_backend(pid) FROM (${waiting}) AS them`);
    expect((await pending.reply).status).toBe(503);
    own.configure("synchronous_standby_names = ''");
    await until(server, `${PREFIX}/tags`, 200);
    expect(await own.query('SELECT 1 AS one FROM offprint_tally LIMIT 1', database)).toHaveLength(1);
  });

  test('processes that hang do not stop the others', async () => {
    const { address } = await readyDatabase(cluster);
    const [hanging, server] = [await serve(address), await serve(address)];
    for (let time = 0; time < 5; time++) {
      let [isOver, answered] = [false, 0];
      const load = Array.from({ length: 8 }, async () => {
        for (; !isOver; answered += 1) await ask(hanging);
      });
      await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(20 + 7 * time);
      process.kill(hanging.pid, 'SIGSTOP');
      // A lock that it holds is released.
      let status = 503;
      while (status === 503) ({ status } = await ask(server));
      expect([200, 429]).toContain(status);
      process.kill(hanging.pid, 'SIGCONT');
      isOver = true;
      await Promise.all(load);
    }
  });

  test('what cannot work ends the start, and no message has the password', async () => {
    const database = await cluster.createDatabase();
    const secret = 'open-sesame';
    const start = (address: string) =>
      offprintWithCounts(['serve', '--out', blog.out, '--port', '0'], { OFFPRINT_COUNTS: address });
    const address = cluster.address(database).replace('postgres@', `postgres:${secret}@`);
    for (const [wrong, says] of [
      [address, /relation "offprint_tally" does not exist.*counts init/],
      [address.replace(database, 'nothing'), /database "nothing" does not exist.*create the database/],
      [address.replace('postgres:', 'mysql:'), /--counts is not a PostgreSQL connection string/],
      [`${address}?sslmode=always`, /sslmode/],
      [`${address}?sslmode=require`, /does not support SSL/],
    ] as const) {
      const { code, stdout, stderr } = wrong.includes('=require')
        ? await offprintWithCounts(['usage', '--out', blog.out], { OFFPRINT_COUNTS: wrong })
        : await start(wrong);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(says);
      expect(stderr).not.toContain(secret);
    }
  });

  test('TLS, as sslmode says', async () => {
    const own = await Cluster.start();
    onTestFinished(() => own.remove());
    const { address } = await readyDatabase(own);
    const certificate = own.useTls('db.example');
    await own.stop();
    await own.start();
    for (const [mode, code, says] of [
      ['require', 0, ''],
      ['prefer', 0, ''],
      ['verify-full', 1, 'set sslrootcert=FILE to the certificate to trust'],
      [`verify-ca&sslrootcert=${certificate}`, 0, ''],
      [`verify-full&sslrootcert=${certificate}`, 1, 'altnames'],
    ] as const) {
      const counts = `${address}?sslmode=${mode}`;
      const result = await offprintWithCounts(['usage', '--out', blog.out, '--counts', counts]);
      expect([mode, result.code, result.stderr]).toEqual([mode, code, expect.stringContaining(says)]);
    }
  });

  test('start builds and counts there too, next to others on its output', async () => {
    const { address, database } = await readyDatabase(cluster);
    await serve(address);
    const files = ['--db', blog.db, '--out', blog.out, '--config', join(blog.folder, 'offprint.json')];
    const args = ['start', ...files, '--port', '0', '--cron', '0 0 1 1 *', '--counts', address];
    const server = await startServer(args);
    onTestFinished(async () => void (await server.end('SIGTERM')));
    await until(server, '/readyz', 200);
    await ask(server, from('192.0.2.8'));
    expect(await usedIn(database)).toEqual([{ used: 1 }]);
  });

  test('doctor says what a failover costs', async () => {
    const { address } = await readyDatabase(cluster);
    const { stdout } = await offprintWithCounts(['doctor', '--json', '--counts', address, '--out', blog.out]);
    expect(stdout).toContain('fsync = off');
    cluster.configure('fsync = on');
    await expect
      .poll(
        async () =>
          (await offprintWithCounts(['doctor', '--json', '--counts', address, '--out', blog.out])).stdout,
      )
      .toContain('no synchronous standby');
    cluster.configure('fsync = off');
  });

  test('old tallies are removed, and neither those of today nor by a clock that was wrong', async () => {
    const { address, database } = await readyDatabase(cluster);
    const today = Math.floor(Date.now() / 86_400_000);
    await cluster.query(
      `INSERT INTO offprint_tally (principal, day, used) SELECT 'account:' || day, day, 1
         FROM generate_series(${today - 2500}, ${today + 1}) AS day;
       INSERT INTO offprint_day_shown (day) VALUES (${today + 400}), (${today - 3})`,
      database,
    );
    await serve(address);
    const kept = `SELECT min(day) AS first, max(day) AS last FROM offprint_tally WHERE principal <> 'nobody'`;
    await expect.poll(() => cluster.query(kept, database)).toEqual([{ first: today - 3, last: today + 1 }]);
  });

  test.skipIf(lacks('PgBouncer', existsSync('/usr/sbin/pgbouncer')))(
    'work through a pooler of transactions',
    async () => {
      const { address, database } = await readyDatabase(cluster);
      const pooler = await startPgBouncer(cluster.port);
      onTestFinished(() => pooler.remove());
      const pooled = address.replace(`:${cluster.port}/`, `:${pooler.port}/`);
      const servers = await Promise.all([serve(pooled), serve(pooled), serve(pooled)]);
      // If the machine stands still for two seconds, requests are answered 503, counted or not.
      const replies = { 200: 0, 429: 0, 503: 0 };
      const caller = async (server: Server) => {
        for (let request = 0; request < 20; request++) {
          const { status } = await ask(server, from('192.0.2.9'));
          if (status !== 200 && status !== 429 && status !== 503) throw new Error(`status ${status}`);
          replies[status]++;
        }
      };
      await Promise.all(Array.from({ length: 60 }, async (_, i) => caller(servers[i % 3] ?? servers[0])));
      expect(replies[200] + replies[429] + replies[503]).toBe(1200);
      expect(replies[200]).toBeLessThanOrEqual(900);
      expect(replies[200] + replies[503]).toBeGreaterThanOrEqual(900);
      expect(replies[429]).toBeLessThanOrEqual(300);
      const [row] = await usedIn(database);
      expect(row?.['used']).toBeLessThanOrEqual(900);
      expect(row?.['used']).toBeGreaterThanOrEqual(Math.min(900, 1200 - replies[503]));
    },
  );
});
