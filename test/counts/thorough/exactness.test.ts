/**
 * Never more than the limits, by what PostgreSQL itself has counted: several processes on two outputs, while processes are
 * killed and stopped, PostgreSQL restarts, and its standby becomes the primary.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Random } from '../../../bench/generate/random.ts';
import { PREFIX } from '../../../contract/api.ts';
import { awayFromMidnight } from '../../away-from-midnight.ts';
import { cases, IS_LONG, LONG_MS, SEED } from '../../random-cases.ts';
import { makeServedBlog, type ServedBlog } from '../../safety/served-blog.ts';
import { send } from '../../service/client.ts';
import { Cluster, lacksPostgres } from '../../service/postgres.ts';
import { readyDatabase } from '../../service/postgres-home.ts';
import type { Server } from '../../service/server-process.ts';

const PROCESSES = 4;
const ADDRESSES = 192;
const ACCOUNTS = 8;
const LIMITS = { day: { address: 300, user: 20_000 }, minute: { address: 25, user: 400 } };
const MINUTE_MS = 60_000;

/** A request that was served: when it was sent, and answered. */
interface Served {
  readonly sent: number;
  readonly answered: number;
}

interface Caller {
  /** `account:NAME`, or an address. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly minute: number;
  readonly day: number;
  readonly served: Served[];
}

describe.skipIf(lacksPostgres())(`several processes, seed ${SEED}`, () => {
  test('never serve more than was counted, nor more than the limits, whatever dies', async () => {
    if (IS_LONG) await awayFromMidnight(LONG_MS / 60_000 + 5);
    const random = new Random(SEED, 911);
    let primary = await Cluster.start("synchronous_standby_names = 'standby'\nsynchronous_commit = off");
    let standby = await primary.standby();
    onTestFinished(async () => {
      await standby.remove();
      await primary.remove();
    });
    const { database } = await readyDatabase(primary);
    const address = primary.address(database, [standby]);
    const outputs = [await makeServedBlog(20, LIMITS), await makeServedBlog(20, LIMITS)] as const;
    const outputOf = (place: number): ServedBlog => (place % 2 === 0 ? outputs[0] : outputs[1]);
    const start = (place: number): Promise<Server> => outputOf(place).serve('--counts', address);
    const servers: (Server | undefined)[] = await Promise.all(
      Array.from({ length: PROCESSES }, (_, i) => start(i)),
    );
    onTestFinished(async () => {
      for (const server of servers) await server?.end('SIGKILL');
    });

    const callers = await makeCallers(outputs);
    const order = callers.map(({ caller }) => caller);
    const statuses = new Map<number | string, number>();
    let [isOver, answers] = [false, 0];
    /** Until so many more requests have ended. */
    const goesOn = (requests: number) => {
      const most = answers + requests;
      return expect.poll(() => answers, { interval: 20 }).toBeGreaterThanOrEqual(most);
    };
    const client = async (caller: Caller, accountKeys: readonly string[]): Promise<void> => {
      const own = new Random(SEED, order.indexOf(caller) + 1);
      while (!isOver) {
        const place = own.between(0, PROCESSES - 1);
        const url = servers[place]?.url;
        if (url === undefined) {
          await delay(50);
          continue;
        }
        const key = accountKeys[place % 2];
        const headers = key === undefined ? caller.headers : { authorization: `Bearer ${key}` };
        const sent = Date.now();
        const status = await send(url, { path: `${PREFIX}/tags`, headers }).then(
          (reply) => reply.status,
          () => 'no answer',
        );
        answers += 1;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 200) caller.served.push({ sent, answered: Date.now() });
        await delay(status === 200 ? own.between(0, 300) : own.between(0, 1500));
      }
    };
    const clients = callers.map(({ caller, keys }) => client(caller, keys));

    const faults: Record<string, number> = {};
    const restart = async (place: number): Promise<void> => {
      const server = servers[place];
      servers[place] = undefined;
      await server?.end('SIGKILL');
      servers[place] = await start(place);
    };
    const FAULTS = {
      kill: () => restart(random.between(0, PROCESSES - 1)),
      async pause() {
        const { pid } = servers[random.between(0, PROCESSES - 1)] ?? {};
        if (pid === undefined) return;
        process.kill(pid, 'SIGSTOP');
        await delay(random.between(10, 2500));
        process.kill(pid, 'SIGCONT');
      },
      async restart() {
        await primary.stop(random.pick(['SIGINT', 'SIGKILL']));
        await delay(random.between(0, 1000));
        await primary.start();
      },
      async promote() {
        // The standby stalls, or the old primary lives on for a while.
        if (faults['promote'] === 1 || random.chance(0.5)) {
          const [receiver] = await standby.query('SELECT pid FROM pg_stat_wal_receiver');
          const pid = Number(receiver?.['pid'] ?? 0);
          signal(pid, 'SIGSTOP');
          await delay(1000);
          await primary.stop('SIGKILL');
          signal(pid, 'SIGKILL');
          await standby.untilReady();
        }
        standby.promote();
        await delay(random.between(0, 3000));
        await primary.remove();
        const { port } = primary;
        primary = standby;
        // It may restart after the death of its receiver, and forget it.
        for (; await isStandby(primary); await delay(50)) primary.promote();
        standby = await primary.standby(port);
      },
    };
    const names = ['kill', 'pause', 'restart', 'promote'] as const;
    const end = performance.now() + LONG_MS;
    const times = cases(8, 100_000);
    for (let time = 0; time < times && performance.now() < end; time++) {
      await goesOn(random.between(50, 1000));
      const name = time < names.length ? (names[time] ?? 'kill') : random.pick(names);
      faults[name] = (faults[name] ?? 0) + 1;
      await FAULTS[name]();
    }
    await expect.poll(() => statuses.get(200)).toBeGreaterThan(500);
    isOver = true;
    await Promise.all(clients);

    const counted = await primary.query('SELECT principal, used FROM offprint_tally', database);
    const usedBy = new Map(counted.map(({ principal, used }) => [String(principal), Number(used)]));
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
    const [row] = await primary.query('SELECT secret FROM offprint_secret', database);
    const idOf = ({ name }: Caller) =>
      name.startsWith('account:') ? name : `address:${hashOf(name, String(row?.['secret']))}`;
    const usedOf = (caller: Caller) => usedBy.get(idOf(caller)) ?? 0;
    const served = sum(callers.map(({ caller }) => caller.served.length));
    const under = sum(callers.map(({ caller }) => usedOf(caller))) - served;
    console.log(
      JSON.stringify({
        faults,
        statuses: Object.fromEntries(statuses),
        served,
        over: overserved(callers),
        under,
      }),
    );

    expect(overserved(callers)).toBe(0);
    // Every answer was counted, also those before a server died.
    const uncounted = callers.filter(({ caller }) => caller.served.length > usedOf(caller));
    expect(
      uncounted.map(({ caller }) => `${caller.name}: ${caller.served.length} of ${usedOf(caller)}`),
    ).toEqual([]);
    expect([...statuses.keys()].filter((status) => ![200, 429, 503, 'no answer'].includes(status))).toEqual(
      [],
    );
  });
});

/** Signals another program's process, if it still runs. @param pid 0: none */
function signal(pid: number, name: 'SIGSTOP' | 'SIGKILL'): void {
  try {
    if (pid > 0) process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

async function isStandby(cluster: Cluster): Promise<boolean> {
  const [row] = await cluster.query('SELECT pg_is_in_recovery() AS standby').catch(() => [{ standby: true }]);
  return row?.['standby'] !== false;
}

async function makeCallers(
  outputs: readonly ServedBlog[],
): Promise<{ caller: Caller; keys: readonly string[] }[]> {
  const addresses = Array.from({ length: ADDRESSES }, (_, i) => ({
    caller: {
      name: `198.18.${i}.1`,
      headers: { 'x-forwarded-for': `198.18.${i}.1` },
      served: [],
      minute: LIMITS.minute.address,
      day: LIMITS.day.address,
    },
    keys: [],
  }));
  const accounts = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const account = `it's \\ ${i}`;
    const keys = [];
    for (const output of outputs) keys.push((await output.createKey({ account, name: account })).key);
    const { minute, day } = { minute: LIMITS.minute.user, day: LIMITS.day.user };
    accounts.push({ caller: { name: `account:${account}`, headers: {}, served: [], minute, day }, keys });
  }
  return [...addresses, ...accounts];
}

/** As a Worker hashes addresses. */
function hashOf(address: string, secret: string): string {
  return createHmac('sha256', secret).update(address).digest('base64url').slice(0, 22);
}

/** Requests beyond the limits: in a day, or certainly within 60 seconds. */
function overserved(callers: readonly { readonly caller: Caller }[]): number {
  let over = 0;
  for (const { caller } of callers) {
    over += Math.max(0, caller.served.length - caller.day);
    for (const first of caller.served) {
      const within = caller.served.filter(
        ({ sent, answered }) => sent >= first.sent && answered < first.sent + MINUTE_MS,
      );
      over += Math.max(0, within.length - caller.minute);
    }
  }
  return over;
}
