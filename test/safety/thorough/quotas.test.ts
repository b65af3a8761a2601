import { answerOf } from '../../service/in-process.ts';
import { statSync, writeFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Random } from '../../../bench/generate/random.ts';
import type { Limits } from '../../../contract/policy.ts';
import { clientAddress, countedAddress } from '../../../gateway/client-address.ts';
import type { Principal } from '../../../gateway/home.ts';
import { SqliteQuotaCounter } from '../../../gateway/node/sqlite-quota-counter.ts';
import { temporaryFolder } from '../../build/temporary-folder.ts';
import { saved } from '../../service/one-machine.ts';
import { cases, SEED } from '../../random-cases.ts';
import { CAN_MOUNT, fill, smallDisk } from '../../build/tmpfs.ts';
import { quotaOf } from '../../conformance/fields.ts';
import { FREE, useStage } from '../../conformance/stage.ts';
import { emptyBlog } from '../../service/blogs.ts';
import { send } from '../../service/client.ts';
import { nodeHome } from '../../service/node-home.ts';
import { writeEmptyBlog } from '../../service/odd-blog.ts';
import { rawGet, sendRaw } from '../../service/raw-client.ts';
import { startServer } from '../../service/server-process.ts';
import { repliesTo } from '../fuzz/replies.ts';
import { lacks } from '../../lacks.ts';

const ADDRESSES = cases(5_000);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const LIMITS: Limits = { day: { address: 50, user: 100, admin: 1000 }, minute: 30 };

const one: Principal = { id: 'address:one', plan: 'address' };

describe(`changing clocks, seed ${SEED}`, () => {
  test('counts survive a clock that is wrong for hours, with a restart in between', async () => {
    const path = join(temporaryFolder(), 'quota.db');
    const limits: Limits = { day: { address: 3, user: 3, admin: 3 }, minute: 30 };
    let now = Date.UTC(2026, 5, 10, 12);
    let counter = new SqliteQuotaCounter(path, () => now);
    for (let request = 0; request < 3; request++) counter.count(one, limits);
    await saved(counter);
    now += 400 * DAY_MS;
    for (let hour = 0; hour < 30; hour++) {
      counter.close();
      counter = new SqliteQuotaCounter(path, () => now);
      counter.count({ id: 'address:somebody else', plan: 'address' }, limits);
      await saved(counter);
      now += 3_600_000;
    }
    now -= 400 * DAY_MS + 30 * 3_600_000;
    counter.close();
    counter = new SqliteQuotaCounter(path, () => now);
    expect(counter.count(one, limits)).toMatchObject({ refusedBy: 'daily', used: 3 });
    counter.close();
  });

  test('a jumping clock gives no caller more than the limits of a day that it shows', async () => {
    const path = join(temporaryFolder(), 'quota.db');
    const within = [1, 50, 1_000, 30_000, 60_000, 61_000, 3_600_000];
    let counted = 0;
    let refusedByDay = 0;
    for (let run = 0; run < cases(6) || counted <= 100 || refusedByDay <= 100; run++) {
      const random = new Random(SEED, run, 1);
      const principal: Principal = { id: `address:${run}`, plan: 'address' };
      const ofDay = { address: random.between(1, 40), user: 1, admin: 1 };
      const limits = { day: ofDay, minute: random.between(1, 20) } satisfies Limits;
      const daysAhead = [0, random.pick([1, -1]), random.between(2, 500), -random.between(2, 500)];
      const noon = Date.UTC(2026, 5, 10, 12);
      let ahead = 0;
      let real = noon;
      let now = noon;
      let counter = new SqliteQuotaCounter(path, () => now);
      const days = new Map<number, number>();
      /** By a correct clock, since it was last set forward. */
      let lately: number[] = [];
      for (let request = 0; request < 200; request++) {
        const before = ahead;
        if (random.chance(0.1)) {
          ahead = random.pick(daysAhead) * DAY_MS + random.pick([0, ...within]) * random.pick([1, -1]);
        }
        real += random.between(0, 300);
        now = real + ahead;
        if (ahead > before) lately = [];
        const verdict = counter.count(principal, limits);
        expect(verdict.used).toBeLessThanOrEqual(limits.day.address);
        expect(verdict.remaining).toBe(limits.day.address - verdict.used);
        const context = JSON.stringify({ run, request, seed: SEED });
        expect(verdict.minuteResetIn, context).toBeLessThanOrEqual(60);
        expect(Math.abs(verdict.reset * 1000 - verdict.resetIn * 1000 - now), context).toBeLessThanOrEqual(
          MINUTE_MS + 1000,
        );
        if (verdict.refusedBy === null) {
          counted += 1;
          lately.push(real);
          const day = verdict.reset / 86_400 - 1;
          days.set(day, (days.get(day) ?? 0) + 1);
          const inMinute = lately.filter((at) => at > real - MINUTE_MS).length;
          expect(inMinute, context).toBeLessThanOrEqual(limits.minute);
        } else if (verdict.refusedBy === 'daily') {
          refusedByDay += 1;
          expect(days.get(verdict.reset / 86_400 - 1), context).toBe(limits.day.address); // Nor does anyone get less.
        }
        if (random.chance(0.02)) {
          await saved(counter);
          counter.close();
          counter = new SqliteQuotaCounter(path, () => now);
        }
      }
      for (const [, used] of days) expect(used).toBeLessThanOrEqual(limits.day.address);
      // After the correction, the effect lasts for a minute, and then only in today's usage.
      now = real;
      counter.peek(principal, limits);
      now += 2 * MINUTE_MS;
      const today = days.get(Math.floor(now / DAY_MS)) ?? 0;
      expect(counter.peek(principal, limits).refusedBy).toBe(today === limits.day.address ? 'daily' : null);
      counter.close();
    }
  });

  test('the day ends at midnight UTC, whatever the time zone', () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('TZ', 'Australia/Lord_Howe');
    let now = 0;
    const counter = new SqliteQuotaCounter(join(temporaryFolder(), 'quota.db'), () => now);
    const offsets = new Set<number>();
    // Every hour of the days around a clock change.
    for (let hour = 0; hour < 72; hour++) {
      now = Date.UTC(2026, 3, 4, hour, 59, 59, 999);
      offsets.add(new Date(now).getTimezoneOffset());
      const { used, reset, resetIn } = counter.count(one, LIMITS);
      expect(used).toBe((hour % 24) + 1);
      expect(reset).toBe(Date.UTC(2026, 3, 4 + Math.floor(hour / 24) + 1) / 1000);
      expect(resetIn).toBe((23 - (hour % 24)) * 3600 + 1);
    }
    expect(offsets.size).toBe(2);
    counter.close();
  });
});

describe('very many addresses', () => {
  test(`${ADDRESSES} in a minute are counted, with bounded memory and disk, and removed after their days`, async () => {
    const path = join(temporaryFolder(), 'quota.db');
    let now = Date.UTC(2026, 5, 10, 12);
    const counter = new SqliteQuotaCounter(path, () => now);
    const wave = async (prefix: string, expected: number) => {
      let wrong = 0;
      for (let i = 0; i < ADDRESSES; i++) {
        now += i % Math.ceil(ADDRESSES / MINUTE_MS) === 0 ? 1 : 0;
        const id = counter.addressId(`${prefix}:${i.toString(16)}::/64`);
        if (counter.count({ id, plan: 'address' }, LIMITS).used !== expected) wrong += 1;
        if (i % 64 === 0) await saved(counter);
      }
      await saved(counter);
      expect(wrong, `addresses whose count is not ${expected}`).toBe(0);
    };
    const bytes = () => ['', '-wal'].reduce((sum, end) => sum + statSync(path + end).size, 0);
    const empty = bytes();
    const heap = process.memoryUsage().heapUsed;
    await wave('2001:db8', 1);
    const first = bytes() - empty;
    await wave('2001:db8', 2); // None was forgotten, even those that memory has no room for.
    const grown = process.memoryUsage().heapUsed - heap;
    // The log can reach 32 MB before a checkpoint.
    expect(first).toBeLessThan(ADDRESSES * 200 + 40 * 2 ** 20);
    expect(grown).toBeLessThan(150 * 2 ** 20);

    // Three days later the space is reused.
    for (let day = 0; day < 3; day++) {
      now += DAY_MS;
      counter.count(one, LIMITS);
      await saved(counter);
    }
    await wave('2001:db9', 1);
    counter.close();
    const db = new Database(path, { readonly: true });
    const rows = db.prepare('SELECT count(*) FROM tally').pluck().get();
    db.close();
    expect(rows).toBe(ADDRESSES + 1);
    expect(statSync(path).size).toBeLessThan(empty + first * 1.5 + 2 ** 20);
  });
});

/** Whether an IPv6 address, of eight groups, is a form of an IPv4 address. */
function isFormOfIpv4(groups: readonly number[]): boolean {
  const begins = (...prefix: readonly number[]) => prefix.every((part, i) => groups[i] === part);
  return begins(0, 0, 0, 0, 0, 0xffff) || begins(0x64, 0xff9b, 0, 0, 0, 0) || begins(0x2002);
}

describe('the address that counts', () => {
  test(`is the first 64 bits of IPv6, in any notation, seed ${SEED}`, () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 8, maxLength: 8 }),
        fc.array(group, { minLength: 4, maxLength: 4 }),
        (groups, others) => {
          fc.pre(!isFormOfIpv4(groups));
          const whole = groups.map((part) => part.toString(16));
          const padded = whole.map((part) => part.padStart(4, '0'));
          const canonical = new URL(`http://[${whole.join(':')}]/`).hostname;
          const spellings = [
            whole.join(':'),
            padded.join(':'),
            padded.join(':').toUpperCase(),
            canonical,
            canonical.slice(1, -1),
            `${whole.join(':')}%eth0`,
          ];
          const neighbour = [...groups.slice(0, 4), ...others];
          if (!isFormOfIpv4(neighbour)) spellings.push(neighbour.map((part) => part.toString(16)).join(':'));
          expect(new Set(spellings.map(countedAddress))).toEqual(
            new Set([`${whole.slice(0, 4).join(':')}::/64`]),
          );
        },
      ),
      { seed: SEED, numRuns: cases(500) },
    );
    for (const mapped of [
      '::ffff:203.0.113.9',
      '::ffff:cb00:7109',
      '0:0:0:0:0:ffff:cb00:7109',
      '::FFFF:203.0.113.9',
      '[::ffff:203.0.113.9]:443',
      '203.0.113.9:4711',
      '64:ff9b::203.0.113.9',
      '64:ff9b::cb00:7109',
      '2002:cb00:7109::1',
      '2002:cb00:7109:ffff:1:2:3:4',
    ])
      expect(countedAddress(mapped)).toBe('203.0.113.9');
  });

  const NONE = countedAddress('');

  test.each([
    ...['001.2.3.4', '1.2.3.04', '0x1.2.3.4', '16909060', '1.2.772', '1.2.3.256', '1.2.3.4.', '1.2.3.4:'],
    ...[
      '1.2.3.4:x',
      '1.2.3.4:123456',
      '::ffff:001.2.3.4',
      '::ffff:1.2.3',
      '[::1',
      '::1]',
      '[::1]:',
      '[::1]x',
    ],
    ...['1:2:3:4:5:6:7', '\u0661.2.3.4'],
  ])('ignores %s, which is not an address', (text) => {
    expect(countedAddress(text)).toBe(NONE);
    expect(clientAddress('203.0.113.1', `198.51.100.1, ${text}`, 1)).toBe('203.0.113.1');
  });

  test.each([
    ['198.51.100.1, 198.51.100.2 ,198.51.100.3', 1, '198.51.100.3'],
    ['198.51.100.1, 198.51.100.2 ,198.51.100.3', 2, '198.51.100.2'],
    ['198.51.100.1, 198.51.100.2 ,198.51.100.3', 3, '198.51.100.1'],
    ['198.51.100.1, 198.51.100.2 ,198.51.100.3', 10, '198.51.100.1'],
    ['', 1, '203.0.113.1'],
    [',198.51.100.1', 2, '203.0.113.1'],
    ['198.51.100.1,', 1, '203.0.113.1'],
    ['x'.repeat(5000), 1, '203.0.113.1'],
  ])('of "%s" behind %i trusted proxies is %s', (forwardedFor, trusted, client) => {
    expect(clientAddress('203.0.113.1', forwardedFor, trusted)).toBe(client);
  });

  test(`is one of the platform's own addresses, or none, seed ${SEED}`, () => {
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.stringMatching(/^[0-9a-f:.]{0,24}$/),
      fc.tuple(fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{1,3}$/)).map(([address, more]) => address + more),
      fc.tuple(fc.ipV4(), fc.stringMatching(/^[0-9.]{1,3}$/)).map(([address, more]) => more + address),
    );
    fc.assert(
      fc.property(text, (address) => {
        const counted = countedAddress(address);
        // Only a port after an address is also accepted.
        const bare = address.replace(/^([\d.]+):\d{1,5}$/, '$1');
        const family = isIP(bare);
        if (family === 0) expect(counted).toBe(NONE);
        else if (family === 4) expect(counted).toBe(bare);
        else if (counted.endsWith('/64')) {
          const network = new BlockList();
          network.addSubnet(counted.replace('/64', ''), 64, 'ipv6');
          expect(network.check(address, 'ipv6')).toBe(true);
        } else expect(isIP(counted)).toBe(4);
      }),
      { seed: SEED, numRuns: cases(1_000) },
    );
  });

  describe('over HTTP', () => {
    const stage = useStage(nodeHome, emptyBlog, { ...FREE, trusted_proxies: 0 });

    test('is that of the connection, with any headers', async () => {
      const names = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP', 'CF-Connecting-IPv6', 'True-Client-IP', 'X-Client-IP', 'X-Cluster-Client-IP',
        'Fastly-Client-IP', 'Fly-Client-IP', 'X-Forwarded', 'Forwarded-For', 'X-Forwarded-Host', 'X-Originating-IP', 'X-Remote-IP', 'X-Remote-Addr', 'X-ProxyUser-Ip',
        'Client-IP', 'Via', 'WL-Proxy-Client-IP', 'X-Azure-ClientIP', 'X-Appengine-User-IP', 'Remote-Addr', 'X-Host']; // prettier-ignore
      for (const [index, name] of names.entries()) {
        const address = [`198.51.100.${index}`, `for=198.51.100.${index}`, `2001:db8:${index}::1`][index % 3];
        for (const value of [address, `198.51.100.1, ${address}`])
          await sendRaw(stage().service.url, rawGet('/api/public/v1/me', [`${name}: ${value}`]));
      }
      const reply = await sendRaw(stage().service.url, rawGet('/api/public/v1/me'));
      expect(reply && quotaOf(reply).used).toBe(2 * names.length + 1);
    });
  });
});

test.skipIf(lacks('permission to mount', CAN_MOUNT))(
  'a full disk gives no free requests: what is answered is counted, also after kill -9',
  async () => {
    const disk = smallDisk(24 * 2 ** 20);
    const folder = temporaryFolder();
    const [db, config] = [join(folder, 'blog.db'), join(folder, 'offprint.json')];
    writeEmptyBlog(db);
    const limits = { day: { address: 200, user: 200, admin: 200 }, minute: 100_000 };
    writeFileSync(config, JSON.stringify({ trusted_proxies: 1, limits }));
    const files = ['--out', join(disk.folder, 'out'), '--config', config];
    await answerOf(['build', '--db', db, ...files]);
    let server = await startServer(['serve', ...files, '--port', '0']);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    /** Sends a request from each address, on one connection. Returns the used count of each; null for a 500. */
    const askAll = async (addresses: readonly string[]) => {
      const requests = addresses.map((address, i) => {
        const end = i === addresses.length - 1 ? 'Connection: close\r\n' : '';
        return `GET /api/public/v1/me HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n${end}\r\n`;
      });
      const replies = await repliesTo(server.url, requests.join(''), false);
      expect(replies).toHaveLength(addresses.length);
      return replies.map((reply) => {
        expect([200, 500]).toContain(reply.status);
        return reply.status === 200 ? Number(reply.header('x-quota-used')) : null;
      });
    };
    const probe = async (path: string) => (await send(server.url, { path })).status;
    expect(await askAll(['203.0.113.1'])).toEqual([1]);
    expect([await probe('/healthz'), await probe('/readyz')]).toEqual([200, 200]);
    fill(disk.folder);
    const answered: string[] = [];
    let refused = 0;
    for (let round = 0; round < 240 && refused <= 200; round++) {
      const asked = Array.from({ length: 500 }, (_, i) => `10.${round}.${i >> 8}.${i & 255}`);
      for (const [i, used] of (await askAll(asked)).entries()) {
        if (used === null) refused += 1;
        else answered.push(asked[i] ?? '');
      }
    }
    const [before] = await askAll(['203.0.113.1']);
    expect(refused).toBeGreaterThan(0);
    expect([await probe('/healthz'), await probe('/readyz')]).toEqual([200, 503]);
    await server.end('SIGKILL');
    disk.resize(96 * 2 ** 20);
    server = await startServer(['serve', ...files, '--port', '0']);
    expect(answered.length).toBeGreaterThan(500);
    const sample = answered.filter((_, index) => index % 10 === 0);
    expect(await askAll(sample)).toEqual(sample.map(() => 2));
    expect((await askAll(['203.0.113.1']))[0]).toBeGreaterThan(before ?? 1);
    expect(await probe('/readyz')).toBe(200);
  },
);
